"""Strips of records: the distances of some records to all centres, from which a clustering computes degrees.

No table of all records and all centres is ever made: the distances of a strip are discarded after use. A missing value
is left out of a distance, which is then scaled up to all attributes (partial distance).
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.strips_of_few import CELL, add_weighted_of_few, squared_distances_of_few
from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.row_blocks import over_row_blocks

CELLS = 1 << 16  # distances of a strip: half a megabyte
Found = TypeVar("Found")


class Sums(NamedTuple):
    """Of one step: for each centre Σ w (one column, or one for each attribute) and Σ w x, and the objective."""

    totals: NDArray[np.float64]
    sums: NDArray[np.float64]
    objective: float


class Strip(NamedTuple):
    """Some records: their squared distances to the centres, weights, and attributes / observed attributes.

    A record without any observed value has the weight 0 and a scale of NaN.
    """

    rows: slice
    points: NDArray[np.float64]
    distance: NDArray[np.float64]
    weights: NDArray[np.float64]
    scale: NDArray[np.float64]


def strips(
    points: NDArray[np.float64], columns: NDArray[np.float64], weights: NDArray[np.float64], start: int, stop: int
) -> Iterator[Strip]:
    """The records from `start` to `stop`, strip by strip; `columns` has the centres as columns."""
    rows = min(max(CELLS // columns.shape[1], 1), stop - start)
    distance, scale = np.empty((rows, columns.shape[1])), np.empty(rows)
    for first in range(start, stop, rows):
        part = slice(first, min(first + rows, stop))
        own, scales = distance[: part.stop - first], scale[: part.stop - first]
        squared_distances(points[part], columns, own, scales)
        yield Strip(part, points[part], own, np.where(np.isnan(scales), 0.0, weights[part]), scales)


def in_blocks(records: int, block: Callable[[int, int], Found]) -> list[Found]:
    """What `block(start, stop)` finds in consecutive blocks of records, which share the available cores, in order."""
    parts: dict[int, Found] = {}

    def run(start: int, stop: int) -> None:
        parts[start] = block(start, stop)

    over_row_blocks(records, run)
    return [parts[start] for start in sorted(parts)]  # threads end in any order; a fixed one gives the same sum


class Accumulator:
    """Σ w and Σ w x for each centre, and the objective; attributes by rows, centres by columns."""

    def __init__(self, columns: NDArray[np.float64], missing: bool) -> None:
        attributes, centres = columns.shape
        self.totals = np.zeros((attributes if missing else 1, centres))
        self.sums = np.zeros((attributes, centres))
        self.objective = 0.0

    def add(self, strip: Strip, influence: NDArray[np.float64], parts: NDArray[np.float64]) -> None:
        """Add the records of a strip with their weights for each centre, and their parts of the objective."""
        without_kernel = spared(_add_weighted, CELL * influence.size * len(self.sums))
        add = add_weighted_of_few if without_kernel else _add_weighted
        own = add(strip.points, strip.weights, strip.scale, influence, parts, self.totals, self.sums)
        self.objective += own


def total_sums(parts: list[Accumulator]) -> Sums:
    """The sums over blocks of records, one row for each centre."""
    totals = np.sum([part.totals for part in parts], axis=0)
    sums = np.sum([part.sums for part in parts], axis=0)
    objective = float(sum(part.objective for part in parts))
    return Sums(np.ascontiguousarray(totals.T), np.ascontiguousarray(sums.T), objective)


def squared_distances(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    distance: NDArray[np.float64],
    scale: NDArray[np.float64],
) -> None:
    """Fill the squared distances of points to all centres, and attributes / observed attributes, NaN where none is."""
    without_kernel = spared(_squared_distances, CELL * len(points) * columns.size)
    (squared_distances_of_few if without_kernel else _squared_distances)(points, columns, distance, scale)


@njit(cache=True, nogil=True, error_model="numpy")
def _squared_distances(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    distance: NDArray[np.float64],
    scale: NDArray[np.float64],
) -> None:
    d, c = columns.shape
    seen = np.empty(d, np.int64)
    for k in range(len(points)):
        own = distance[k]
        own[:] = 0.0
        observed = 0
        for j in range(d):
            seen[observed] = j
            observed += points[k, j] == points[k, j]
        whole = observed // 4 * 4
        for s in range(0, whole, 4):  # four attributes at a time: the distances are read and written less often
            p, q, r, t = points[k, seen[s]], points[k, seen[s + 1]], points[k, seen[s + 2]], points[k, seen[s + 3]]
            one, two, three, four = columns[seen[s]], columns[seen[s + 1]], columns[seen[s + 2]], columns[seen[s + 3]]
            for i in range(c):
                near = own[i] + (p - one[i]) ** 2 + (q - two[i]) ** 2
                own[i] = near + (r - three[i]) ** 2 + (t - four[i]) ** 2
        for s in range(whole, observed):
            x, column = points[k, seen[s]], columns[seen[s]]
            for i in range(c):
                own[i] += (x - column[i]) ** 2
        scale[k] = 1.0
        if observed < d:
            scale[k] = d / observed if observed else np.nan
            for i in range(c):
                own[i] *= scale[k]


@njit(cache=True, nogil=True)
def _add_weighted(
    points: NDArray[np.float64],
    weights: NDArray[np.float64],
    scale: NDArray[np.float64],
    influence: NDArray[np.float64],
    parts: NDArray[np.float64],
    totals: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> float:
    """Add points, with the weight of each for each centre, to Σ w and Σ w x; returns the objective, Σ weight · part.

    `totals` has one row where no value is missing, else one for each attribute, as only observed values count.
    """
    d, c = sums.shape
    whole = len(totals) == 1 and d > 1  # of one attribute, a row says nothing about missing values
    objective = 0.0
    for k in range(len(points)):
        own, factor = influence[k], weights[k] * scale[k]
        if weights[k] == 0:
            own[:] = 0.0
            continue
        objective += weights[k] * parts[k]
        if factor != 1.0:
            for i in range(c):
                own[i] *= factor
    if whole:
        _add_complete(points, influence, totals[0], sums)
        return objective
    for k in range(len(points)):
        own = influence[k]
        for j in range(d):
            x = points[k, j]
            if x == x:
                for i in range(c):
                    sums[j, i] += own[i] * x
                    totals[j, i] += own[i]
    return objective


@njit(cache=True, nogil=True)
def _add_complete(
    points: NDArray[np.float64],
    influence: NDArray[np.float64],
    total: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Add points without missing values, four at a time: the sums are read and written less often."""
    d, c = sums.shape
    fours = len(points) // 4 * 4
    for k in range(0, fours, 4):
        one, two, three, four = influence[k], influence[k + 1], influence[k + 2], influence[k + 3]
        for i in range(c):
            total[i] += (one[i] + two[i]) + (three[i] + four[i])
        for j in range(d):
            own = sums[j]
            p, q, r, s = points[k, j], points[k + 1, j], points[k + 2, j], points[k + 3, j]
            for i in range(c):
                own[i] += (one[i] * p + two[i] * q) + (three[i] * r + four[i] * s)
    for k in range(fours, len(points)):
        last = influence[k]
        for i in range(c):
            total[i] += last[i]
        for j in range(d):
            x = points[k, j]
            for i in range(c):
                sums[j, i] += last[i] * x
