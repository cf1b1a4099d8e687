"""Fuzzy possibilistic c-means: memberships that sum to 1 for each record, typicalities that do for each cluster.

The objective is Σ (u^m + t^η) D with Σ u = 1 over the clusters of a record and Σ t = 1 over the records of a cluster
(Pal, Pal and Bezdek 1997). In a file of n records typicalities are about 1 / n, so that with many records the result is
close to that of fuzzy c-means; this is a known weakness of the method.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import FuzzyRule
from sdckit.fuzzy.closeness import (
    add_weighted,
    check_fuzziness,
    closeness_of,
    exponent_of,
    power_of,
    squared_distances,
    workspace_of,
)
from sdckit.fuzzy.clusters import Adjust, Block, Clusters, Sums, add_blocks, alternate, totals_rows
from sdckit.fuzzy.possibilistic_c_means import raise_degrees
from sdckit.kernels.compiled import njit
from sdckit.kernels.power import raise_ratios
from sdckit.kernels.row_blocks import over_row_blocks

LARGEST = 300.0  # of both exponents: beyond, memberships are equal but for rounding; infinity says so


@dataclass(frozen=True)
class FuzzyPossibilisticRule:
    """Memberships as in fuzzy c-means, and typicalities as shares of each cluster."""

    fuzziness: float
    typicality: float

    def sums(self, points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64]) -> Sums:
        """Σ (u^m + t^η) and Σ (u^m + t^η) x for each centre, and the objective."""
        columns, rows = np.ascontiguousarray(centres.T), totals_rows(points)
        powers = power_of(self.fuzziness), power_of(self.typicality)
        exponents = exponent_of(self.fuzziness), exponent_of(self.typicality)
        least, shares = column_shares(points, centres, weights, powers[1])

        def block(start: int, stop: int) -> Block:
            return _sums(points, columns, weights, powers, exponents, least, shares, rows, start, stop)

        return add_blocks(len(points), block)

    def memberships(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """The degree to which each point belongs to each centre, as in fuzzy c-means; rows sum to 1."""
        return FuzzyRule(self.fuzziness).memberships(points, centres)

    def typicalities(
        self,
        points: NDArray[np.float64],
        centres: NDArray[np.float64],
        weights: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """How typical each of all points is of each cluster; with weights, columns sum to 1."""
        points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
        power = power_of(self.typicality)
        least, shares = column_shares(points, centres, np.ones(len(points)) if weights is None else weights, power)
        degrees = np.empty((len(points), len(centres)))
        over_row_blocks(
            len(points),
            lambda start, stop: _typicalities(points, columns, power, least, shares, start, stop, degrees),
        )
        return degrees


def fuzzy_possibilistic_c_means(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float,
    typicality: float = 2.0,
    *,
    weights: NDArray[np.float64] | None = None,
    tolerance: float = 1e-6,
    max_rounds: int = 300,
    adjust: Adjust | None = None,
) -> Clusters:
    """Fuzzy possibilistic c-means from initial centres; `typicality` (η) is the exponent of the typicalities.

    Exponents are 1 (crisp) to 300, or infinite (all degrees equal).

    Example
    -------
    >>> points = np.array([[0.0], [1], [9], [10]])
    >>> fuzzy_possibilistic_c_means(points, np.array([[0.4], [9.6]]), 2).centres.ravel().round(3)
    array([0.499, 9.501])
    """
    for name, exponent in (("fuzziness", fuzziness), ("typicality", typicality)):
        check_fuzziness(exponent, name)
        if LARGEST < exponent < np.inf:
            raise ValueError(f"the {name} is at most {LARGEST:g}, or infinite for equal degrees, not {exponent:g}")
    rule = FuzzyPossibilisticRule(fuzziness, typicality)
    return alternate(points, centres, rule, weights=weights, tolerance=tolerance, max_rounds=max_rounds, adjust=adjust)


def column_shares(
    points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64], power: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of each cluster the least squared distance of a record, and Σ w (D_min / D)^p over the records."""
    columns = np.ascontiguousarray(centres.T)
    parts: dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}

    def add(start: int, stop: int) -> None:
        parts[start] = _column_shares(points, columns, weights, power, start, stop)

    over_row_blocks(len(points), add)
    ordered = [parts[start] for start in sorted(parts)]
    least = np.min([part[0] for part in ordered], axis=0)
    shares = np.zeros(len(centres))
    for nearest, share in ordered:
        shares += share * _ratios(least, nearest, power)
    return least, shares


def _ratios(least: NDArray[np.float64], nearest: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """(D_min / D)^p of distances that are finite or infinite; 1 where both are the same."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(nearest <= least, 1.0, least / nearest)
    if power == 0:
        return np.ones(len(ratio))
    return (ratio == 1).astype(np.float64) if np.isinf(power) else ratio**power


@njit(cache=True, nogil=True, error_model="numpy")
def _relative(
    distance: NDArray[np.float64],
    least: NDArray[np.float64],
    power: float,
    work: NDArray[np.float64],
    relative: NDArray[np.float64],
) -> None:
    """Fill (D_min / D)^p of one record, D_min the least distance of each cluster to any record."""
    for i in range(len(distance)):
        work[i] = 1.0 if distance[i] <= least[i] else least[i] / distance[i]
    if power == 0:
        relative[:] = 1.0
    elif np.isinf(power):
        for i in range(len(distance)):
            relative[i] = 1.0 if work[i] == 1.0 else 0.0
    elif power == 1:
        relative[:] = work
    else:
        raise_ratios(work, power, relative)


@njit(cache=True, nogil=True, error_model="numpy")
def _column_shares(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    weights: NDArray[np.float64],
    power: float,
    start: int,
    stop: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    c = columns.shape[1]
    distance, work, relative = np.empty(c), np.empty(c), np.empty(c)
    least, shares = np.full(c, np.inf), np.zeros(c)
    for k in range(start, stop):
        scale = squared_distances(points[k], columns, distance)
        if weights[k] > 0 and not np.isnan(scale):
            for i in range(c):
                least[i] = min(least[i], distance[i])
    for k in range(start, stop):
        scale = squared_distances(points[k], columns, distance)
        if weights[k] > 0 and not np.isnan(scale):
            _relative(distance, least, power, work, relative)
            for i in range(c):
                shares[i] += weights[k] * relative[i]
    return least, shares


@njit(cache=True, nogil=True)
def _sums(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    weights: NDArray[np.float64],
    powers: tuple[float, float],
    exponents: tuple[float, float],
    least: NDArray[np.float64],
    shares: NDArray[np.float64],
    rows: int,
    start: int,
    stop: int,
) -> Block:
    d, c = columns.shape
    totals, sums = np.zeros((rows, c)), np.zeros((d, c))
    workspace, degree, relative = workspace_of(c), np.empty(c), np.empty(c)
    influence, raised = np.empty(c), np.empty(c)
    one_power = 0 < powers[0] < np.inf and 0 < powers[1] < np.inf
    of_shares = shares ** -exponents[1]
    objective = 0.0
    for k in range(start, stop):
        near = closeness_of(points[k], columns, powers[0], np.inf, workspace, degree)
        if weights[k] == 0 or np.isnan(near.scale):
            continue
        _relative(workspace.distance, least, powers[1], workspace.kept, relative)
        if one_power:  # u^m = (D_min / D)^p · (D_min / D) / S^m, and t^η likewise
            scale = near.total ** -exponents[0]
            for i in range(c):
                influence[i] = degree[i] * workspace.ratio[i] * scale
                raised[i] = relative[i] * workspace.kept[i] * of_shares[i]
        else:
            for i in range(c):
                degree[i] /= near.total
                relative[i] /= shares[i]
            raise_degrees(degree, exponents[0], influence)
            raise_degrees(relative, exponents[1], raised)
        part = 0.0
        factor = weights[k] * near.scale
        for i in range(c):
            influence[i] += raised[i]
            part += influence[i] * workspace.distance[i]
            influence[i] *= factor
        objective += weights[k] * part
        add_weighted(points[k], influence, totals, sums)
    return totals, sums, objective


@njit(cache=True, nogil=True)
def _typicalities(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    power: float,
    least: NDArray[np.float64],
    shares: NDArray[np.float64],
    start: int,
    stop: int,
    degrees: NDArray[np.float64],
) -> None:
    c = columns.shape[1]
    distance, work = np.empty(c), np.empty(c)
    for k in range(start, stop):
        scale = squared_distances(points[k], columns, distance)
        _relative(distance, least, power, work, degrees[k])
        degrees[k] /= shares
        if np.isnan(scale):
            degrees[k] = np.nan
