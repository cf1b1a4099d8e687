"""Possibilistic c-means: how typical a record is of each cluster by itself (Krishnapuram and Keller 1993).

t = 1 / (1 + (D / η)^p), p = 1 / (m − 1), η the squared width of a cluster; the objective is Σ t^m D + Σ η Σ (1 − t)^m.
Each cluster is found by itself, so that several may be the same: `Clusters.coincident` lists them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import c_means
from sdckit.fuzzy.closeness import add_weighted, check_fuzziness, exponent_of, power_of, squared_distances
from sdckit.fuzzy.cluster_widths import mean_squares
from sdckit.fuzzy.clusters import Adjust, Block, Clusters, Sums, add_blocks, alternate, totals_rows
from sdckit.kernels.compiled import njit
from sdckit.kernels.power import raise_ratios
from sdckit.kernels.row_blocks import over_row_blocks

MANY = 300.0  # exponents above which t^m is divided by 2^−m, the weight of a record at the width of its cluster


@dataclass(frozen=True, eq=False)
class PossibilisticRule:
    """Typicalities of one cluster do not depend on the others; `widths` are the squared widths η."""

    fuzziness: float
    widths: NDArray[np.float64]

    def sums(self, points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64]) -> Sums:
        """Σ t^m and Σ t^m x for each centre, and the objective."""
        columns = np.ascontiguousarray(centres.T)
        power, rows = power_of(self.fuzziness), totals_rows(points)
        exponent = exponent_of(self.fuzziness)

        def block(start: int, stop: int) -> Block:
            return _sums(points, columns, weights, self.widths, power, exponent, rows, start, stop)

        return add_blocks(len(points), block)

    def memberships(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """How typical each point is of each cluster, from 0 to 1; NaN for a point without any value."""
        points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
        degrees = np.empty((len(points), len(centres)))
        power = power_of(self.fuzziness)
        over_row_blocks(
            len(points), lambda start, stop: _typicalities(points, columns, self.widths, power, start, stop, degrees)
        )
        return degrees


def possibilistic_c_means(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float,
    widths: NDArray[np.float64] | None = None,
    *,
    weights: NDArray[np.float64] | None = None,
    tolerance: float = 1e-6,
    max_rounds: int = 300,
    adjust: Adjust | None = None,
) -> Clusters:
    """Possibilistic c-means from initial centres.

    `widths` (η) are the squared widths of the clusters; by default the mean squares of the clusters of fuzzy c-means,
    from whose centres the clustering then starts. The memberships of the result are typicalities.

    Example
    -------
    >>> points = np.array([[0.0], [1], [9], [10]])
    >>> found = possibilistic_c_means(points, np.array([[0.5], [9.5]]), 2, widths=np.ones(2))
    >>> found.centres.ravel().round(2)
    array([0.51, 9.49])
    """
    check_fuzziness(fuzziness)
    if widths is None:
        plain = c_means(
            points, centres, fuzziness, weights=weights, tolerance=tolerance, max_rounds=max_rounds, adjust=adjust
        )
        centres, widths = plain.centres, mean_squares(points, plain, fuzziness, weights)
    rule = PossibilisticRule(fuzziness, checked_widths(widths, len(centres)))
    return alternate(points, centres, rule, weights=weights, tolerance=tolerance, max_rounds=max_rounds, adjust=adjust)


def checked_widths(widths: NDArray[np.float64], clusters: int) -> NDArray[np.float64]:
    """One positive width for each cluster, else a ValueError."""
    widths = np.ascontiguousarray(widths, dtype=np.float64)
    if widths.shape != (clusters,) or not (widths > 0).all():
        raise ValueError(f"widths are positive, one for each of the {clusters} clusters, not {widths}")
    return widths


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
    raise_ratios(work, power, typicality)
    for i in range(c):
        raised = typicality[i]
        typicality[i] = (1.0 if distance[i] <= widths[i] else raised) / (1.0 + raised)


@njit(cache=True, nogil=True)
def raise_degrees(degrees: NDArray[np.float64], exponent: float, raised: NDArray[np.float64]) -> None:
    """Fill the degrees of 0..1 to an exponent, times 2^exponent where it is so large that powers would be 0."""
    if exponent == 1:
        raised[:] = degrees
    elif exponent == 2:
        for i in range(len(degrees)):
            raised[i] = degrees[i] * degrees[i]
    elif exponent <= MANY:
        raise_ratios(degrees, exponent, raised)
    else:
        for i in range(len(degrees)):
            log = np.log(2.0 * degrees[i]) if degrees[i] > 0 else -np.inf
            raised[i] = np.exp(min(exponent * log, 700.0))


@njit(cache=True, nogil=True)
def influences_of(
    distance: NDArray[np.float64],
    widths: NDArray[np.float64],
    share: float,
    exponent: float,
    typicality: NDArray[np.float64],
    work: NDArray[np.float64],
    influence: NDArray[np.float64],
) -> float:
    """Fill b t^m of one point; returns Σ b t^m D + Σ η (1 − t)^m, which is Σ b t^(m − 1) D for the best t."""
    part = 0.0
    if 1 < exponent <= MANY:
        raise_degrees(typicality, exponent - 1.0, work)
        for i in range(len(distance)):
            work[i] *= share
            influence[i] = work[i] * typicality[i]
            part += work[i] * distance[i]
        return part
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
def _sums(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    weights: NDArray[np.float64],
    widths: NDArray[np.float64],
    power: float,
    exponent: float,
    rows: int,
    start: int,
    stop: int,
) -> Block:
    d, c = columns.shape
    totals, sums = np.zeros((rows, c)), np.zeros((d, c))
    distance, work, typicality, degree = np.empty(c), np.empty(c), np.empty(c), np.empty(c)
    objective = 0.0
    for k in range(start, stop):
        scale = squared_distances(points[k], columns, distance)
        if weights[k] == 0 or np.isnan(scale):
            continue
        typicalities_of(distance, widths, power, work, typicality)
        objective += weights[k] * influences_of(distance, widths, 1.0, exponent, typicality, work, degree)
        for i in range(c):
            degree[i] *= weights[k] * scale
        add_weighted(points[k], degree, totals, sums)
    return totals, sums, objective


@njit(cache=True, nogil=True)
def _typicalities(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    widths: NDArray[np.float64],
    power: float,
    start: int,
    stop: int,
    degrees: NDArray[np.float64],
) -> None:
    c = columns.shape[1]
    distance, work = np.empty(c), np.empty(c)
    for k in range(start, stop):
        scale = squared_distances(points[k], columns, distance)
        typicalities_of(distance, widths, power, work, degrees[k])
        if np.isnan(scale):
            degrees[k] = np.nan
