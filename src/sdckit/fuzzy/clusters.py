"""Clusters: what a fuzzy clustering finds, and the alternation of memberships and centres that finds it.

The memberships of all records are never in memory at once: a rule computes each record's, adds the record to the next
centres and discards them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.rules import Metric, Rule

CELLS = 1 << 22  # memberships that are listed at a time: 32 MB
COINCIDENT = 1e-3  # of the total standard deviation: centres nearer than that are one cluster


@dataclass(frozen=True, eq=False)
class Clusters:
    """The result of a clustering.

    `objective`   the objective before each step; it never rises
    `converged`   whether no centre moved further than the tolerance in the last step
    `empty`       the centres that no record has a weight for; they are where they were before
    `deviation`   the total standard deviation of the points, by which distances between centres are judged
    """

    centres: NDArray[np.float64]
    objective: NDArray[np.float64]
    converged: bool
    empty: NDArray[np.int64]
    deviation: float
    rule: Rule = field(repr=False)

    def memberships(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """The degree to which each point belongs to each centre; for as many points as fit in memory."""
        return self.rule.memberships(points, self.centres)

    def membership_blocks(
        self, points: NDArray[np.float64], rows: int | None = None
    ) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """The memberships of any number of points, a block of rows at a time; by default blocks of 32 MB."""
        for block in row_blocks(len(points), rows or max(CELLS // len(self.centres), 1)):
            yield block, self.memberships(points[block])

    def coincident(self, share: float = COINCIDENT) -> list[NDArray[np.int64]]:
        """Groups of centres that fell together: each within a share of the total standard deviation of another."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components
        from scipy.spatial import cKDTree

        radius = share * self.deviation
        cells, cell = np.unique(np.round(self.centres / radius), axis=0, return_inverse=True)
        first = np.full(len(cells), -1)
        first[cell[::-1]] = np.arange(len(cell))[::-1]  # one centre of each cell: thousands in one have too many pairs
        pairs = cKDTree(self.centres[first]).query_pairs(radius, output_type="ndarray")
        graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(cells), len(cells)))
        group = connected_components(graph, directed=False)[1][cell]
        order = np.argsort(group, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
        return sorted((part for part in parts if len(part) > 1), key=lambda part: int(part[0]))


def row_blocks(records: int, rows: int) -> Iterator[slice]:
    """Slices of that many rows; the last may be shorter."""
    return (slice(start, min(start + rows, records)) for start in range(0, records, rows))


Adjust = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


class Iteration(TypedDict, total=False):
    """How a clustering is iterated: the keywords that all clusterings take.

    `weights`     of the records, such as survey weights; by default all 1
    `tolerance`   how far a centre may move in the last step, as a share of the points' total standard deviation; 1e-6
    `max_rounds`  the most steps, by default 300
    `adjust`      what becomes of the weighted means and their totals, such as a projection onto constraints
    `metric`      time warping; by default distances are those of the coordinates
    """

    weights: NDArray[np.float64] | None
    tolerance: float
    max_rounds: int
    adjust: Adjust | None
    metric: Metric | None


def alternate(
    points: NDArray[np.float64], centres: NDArray[np.float64], rule: Rule, **how: Unpack[Iteration]
) -> Clusters:
    """Alternate memberships and centres until no centre moves further than the tolerance.

    Parameters
    ----------
    points: records by attributes; NaN is a missing value
    centres: the initial centres, one row each
    how: weights, tolerance, max_rounds, adjust and metric, as `Iteration` says
    """
    points, centres, weights = checked(points, centres, how.get("weights"))
    tolerance, adjust, metric = how.get("tolerance", 1e-6), how.get("adjust"), how.get("metric")
    rule = rule if metric is None else metric.rule(rule)
    deviation = total_deviation(points)
    path = []
    converged = False
    empty = np.empty(0, dtype=np.int64)
    for _ in range(how.get("max_rounds", 300)):
        totals, sums, objective = rule.sums(points, centres, weights)
        path.append(objective)
        filled = np.broadcast_to(totals > 0, sums.shape)
        moved = np.where(filled, sums / np.where(totals > 0, totals, 1.0), centres)
        if adjust is not None:
            moved = adjust(moved, totals)
        shift = float(np.abs(moved - centres).max(initial=0.0))
        centres = moved
        empty = np.flatnonzero(~(totals > 0).any(axis=1))
        if shift <= tolerance * deviation:
            converged = True
            break
    return Clusters(centres, np.array(path), converged, empty, deviation, rule)


def checked(
    points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Points, centres and weights as contiguous arrays; a ValueError says what does not fit."""
    points = np.ascontiguousarray(points, dtype=np.float64)
    centres = np.array(centres, dtype=np.float64)
    if points.ndim != 2 or centres.ndim != 2 or points.shape[1] != centres.shape[1]:
        raise ValueError(f"points {points.shape} and centres {centres.shape} need the same attributes, one per column")
    if len(points) < len(centres):
        raise ValueError(
            f"{len(points)} records cannot make {len(centres)} clusters; ask for at most {len(points)} clusters"
        )
    if np.isnan(centres).any():
        raise ValueError("an initial centre has a missing value; fill it, for instance with the mean of the attribute")
    if weights is None:
        return points, centres, np.ones(len(points))
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    if weights.shape != (len(points),):
        raise ValueError(f"{weights.shape} weights do not fit {len(points)} records; give one for each")
    if not (np.isfinite(weights) & (weights >= 0)).all() or not weights.any():
        raise ValueError("weights of records are finite, not negative, and not all 0")
    return points, centres, weights


def total_deviation(points: NDArray[np.float64]) -> float:
    """The root of the sum of the attributes' variances, over observed values; 1 where nothing varies."""
    if not np.isnan(points).any():
        return float(np.sqrt(points.var(axis=0).sum())) or 1.0
    observed = points[:, ~np.isnan(points).all(axis=0)]
    return float(np.sqrt(np.nanvar(observed, axis=0).sum())) or 1.0
