"""Exponential possibilistic c-means: typicalities that fall off exponentially (Krishnapuram and Keller 1996).

t = exp(−D / η), η the squared width of a cluster; the objective is Σ t D + Σ η Σ (t log t − t + 1), of which the
last 1 is a constant that makes it positive. There is no exponent: far records hardly count. Each cluster is found by
itself, so that several may be the same: `Clusters.coincident` lists them.
"""

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.closeness import total_of
from sdckit.fuzzy.cluster_widths import checked_widths, clusters_and_widths, with_widths_of_cut
from sdckit.fuzzy.clusters import Clusters, Iteration, alternate
from sdckit.fuzzy.rules import StripRule
from sdckit.fuzzy.strips import Strip
from sdckit.kernels.compiled import njit
from sdckit.kernels.exponential import raise_e


@dataclass(frozen=True, eq=False)
class ExponentialRule(StripRule):
    """Typicalities exp(−D / η), which are the weights of the records too; `widths` are the squared widths η."""

    widths: NDArray[np.float64]

    def influences(self, strip: Strip, influence: NDArray[np.float64]) -> NDArray[np.float64]:
        return _influences(strip.distance, self.widths, influence)

    def degrees(self, distance: NDArray[np.float64], degrees: NDArray[np.float64]) -> None:
        _influences(distance, self.widths, degrees)


def exponential_possibilistic_c_means(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float = 1.5,
    widths: NDArray[np.float64] | None = None,
    *,
    cut: float = 1.0,
    **how: Unpack[Iteration],
) -> Clusters:
    """Exponential possibilistic c-means from initial centres, iterated as `Iteration` says.

    `widths` (η) are the squared widths of the clusters; by default the mean squares of the clusters of fuzzy c-means
    with this `fuzziness`, from whose centres the clustering then starts. `cut` (α) is as in `possibilistic_c_means`.
    The memberships of the result are typicalities.

    Example
    -------
    >>> points = np.array([[0.0], [1], [9], [10]])
    >>> found = exponential_possibilistic_c_means(points, np.array([[0.4], [9.6]]), widths=np.ones(2))
    >>> found.centres.ravel().round(2)  # the other pair is too far to count
    array([0.5, 9.5])
    """
    if widths is None:
        centres, widths = clusters_and_widths(points, centres, fuzziness, **how)
    found = alternate(points, centres, ExponentialRule(checked_widths(widths, len(centres))), **how)
    return with_widths_of_cut(found, points, widths, cut, ExponentialRule, **how)


@njit(cache=True, nogil=True, error_model="numpy")
def _influences(
    distance: NDArray[np.float64], widths: NDArray[np.float64], typicality: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Fill the typicalities; returns η (1 − t) of each record, which is its objective for the best t."""
    parts, work = np.zeros(len(distance)), np.empty(len(widths))
    for k in range(len(distance)):
        own, degree = distance[k], typicality[k]
        for i in range(len(widths)):
            work[i] = -own[i] / widths[i]
        raise_e(work, degree)
        for i in range(len(widths)):
            work[i] = widths[i] * (1.0 - degree[i])
        parts[k] = total_of(work)
    return parts
