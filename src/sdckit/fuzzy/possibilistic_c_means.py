"""Possibilistic c-means: how typical a record is of each cluster by itself (Krishnapuram and Keller 1993).

t = 1 / (1 + (D / η)^p), p = 1 / (m − 1), η the squared width of a cluster; the objective is Σ t^m D + Σ η Σ (1 − t)^m.
Each cluster is found by itself, so that several may be the same: `Clusters.coincident` lists them.
"""

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.closeness import check_fuzziness, exponent_of, power_of, raise_to, total_of
from sdckit.fuzzy.cluster_widths import checked_widths, clusters_and_widths, with_widths_of_cut
from sdckit.fuzzy.clusters import Clusters, Iteration, alternate
from sdckit.fuzzy.rules import StripRule
from sdckit.fuzzy.strips import Strip
from sdckit.kernels.compiled import njit

MANY = 300.0  # exponents above which t^m is divided by 2^−m, the weight of a record at the width of its cluster


@dataclass(frozen=True, eq=False)
class PossibilisticRule(StripRule):
    """Typicalities of one cluster do not depend on the others; `widths` are the squared widths η."""

    fuzziness: float
    widths: NDArray[np.float64]

    def influences(self, strip: Strip, influence: NDArray[np.float64]) -> NDArray[np.float64]:
        power, exponent = power_of(self.fuzziness), exponent_of(self.fuzziness)
        return _influences(strip.distance, self.widths, power, exponent, influence)

    def degrees(self, distance: NDArray[np.float64], degrees: NDArray[np.float64]) -> None:
        _typicalities(distance, self.widths, power_of(self.fuzziness), degrees)


def possibilistic_c_means(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float,
    widths: NDArray[np.float64] | None = None,
    *,
    cut: float = 1.0,
    **how: Unpack[Iteration],
) -> Clusters:
    """Possibilistic c-means from initial centres, iterated as `Iteration` says.

    `widths` (η) are the squared widths of the clusters; by default the mean squares of the clusters of fuzzy c-means,
    from whose centres the clustering then starts. With a `cut` (α) below 1 there is a second pass: the width of a
    cluster becomes the mean squared distance of the records that are typical of it by more than α. The memberships of
    the result are typicalities; its objective is that of the last pass.

    Example
    -------
    >>> points = np.array([[0.0], [1], [9], [10]])
    >>> found = possibilistic_c_means(points, np.array([[0.5], [9.5]]), 2, widths=np.ones(2))
    >>> found.centres.ravel().round(2)
    array([0.51, 9.49])
    """
    check_fuzziness(fuzziness)
    if widths is None:
        centres, widths = clusters_and_widths(points, centres, fuzziness, **how)
    found = alternate(points, centres, PossibilisticRule(fuzziness, checked_widths(widths, len(centres))), **how)
    return with_widths_of_cut(found, points, widths, cut, lambda new: PossibilisticRule(fuzziness, new), **how)


@njit(cache=True, nogil=True, error_model="numpy")
def typicalities_of(
    distance: NDArray[np.float64],
    widths: NDArray[np.float64],
    power: float,
    work: NDArray[np.float64],
    typicality: NDArray[np.float64],
) -> None:
    """Fill t = 1 / (1 + (D / η)^p) of one point, by the ratio that is at most 1; p = 0 is ½, infinite is crisp."""
    c = len(distance)
    if power == 0:
        typicality[:] = 0.5
        return
    if np.isinf(power):
        for i in range(c):
            typicality[i] = 1.0 if distance[i] < widths[i] else (0.5 if distance[i] == widths[i] else 0.0)
        return
    if power == 1:
        for i in range(c):
            typicality[i] = widths[i] / (widths[i] + distance[i])
        return
    for i in range(c):
        inside = distance[i] <= widths[i]
        work[i] = distance[i] / widths[i] if inside else widths[i] / distance[i]
    raise_to(work, power, typicality)
    for i in range(c):
        raised = typicality[i]
        typicality[i] = (1.0 if distance[i] <= widths[i] else raised) / (1.0 + raised)


@njit(cache=True, nogil=True)
def raise_degrees(degrees: NDArray[np.float64], exponent: float, raised: NDArray[np.float64]) -> None:
    """Fill the degrees of 0..1 to an exponent, times 2^exponent where it is so large that powers would be 0."""
    if exponent <= MANY:
        raise_to(degrees, exponent, raised)
    else:
        for i in range(len(degrees)):
            log = np.log(2.0 * degrees[i]) if degrees[i] > 0 else -np.inf
            raised[i] = np.exp(min(exponent * log, 700.0))


@njit(cache=True, nogil=True, error_model="numpy")
def influences_of(
    distance: NDArray[np.float64],
    widths: NDArray[np.float64],
    share: float,
    exponent: float,
    typicality: NDArray[np.float64],
    work: NDArray[np.float64],
    influence: NDArray[np.float64],
) -> float:
    """Fill b t^m of one point; returns Σ b t^m D + Σ η (1 − t)^m.

    For the best t, b t^(m − 1) D = η (1 − t)^(m − 1), and the sum is that of either: of the one whose base is at least
    ½, as near m = 1 the other may be below all numbers.
    """
    if 1 < exponent <= MANY:
        for i in range(len(distance)):
            influence[i] = typicality[i] if typicality[i] >= 0.5 else 1.0 - typicality[i]
        raise_degrees(influence, exponent - 1.0, work)
        for i in range(len(distance)):
            cost = work[i] * (share * distance[i] if typicality[i] >= 0.5 else widths[i])
            raised = share * work[i] if typicality[i] >= 0.5 else cost / distance[i]  # b t^(m − 1)
            influence[i] = raised * typicality[i]
            work[i] = cost
        return total_of(work)
    part = 0.0
    for i in range(len(distance)):
        work[i] = 1.0 - typicality[i]
    raise_degrees(work, exponent, influence)
    for i in range(len(distance)):
        part += widths[i] * influence[i]
    raise_degrees(typicality, exponent, influence)
    for i in range(len(distance)):
        influence[i] *= share
        part += influence[i] * distance[i]
    return part


@njit(cache=True, nogil=True)
def _influences(
    distance: NDArray[np.float64],
    widths: NDArray[np.float64],
    power: float,
    exponent: float,
    influence: NDArray[np.float64],
) -> NDArray[np.float64]:
    parts, work, typicality = np.zeros(len(distance)), np.empty(len(widths)), np.empty(len(widths))
    for k in range(len(distance)):
        typicalities_of(distance[k], widths, power, work, typicality)
        parts[k] = influences_of(distance[k], widths, 1.0, exponent, typicality, work, influence[k])
    return parts


@njit(cache=True, nogil=True)
def _typicalities(
    distance: NDArray[np.float64], widths: NDArray[np.float64], power: float, degrees: NDArray[np.float64]
) -> None:
    work = np.empty(len(widths))
    for k in range(len(distance)):
        typicalities_of(distance[k], widths, power, work, degrees[k])
