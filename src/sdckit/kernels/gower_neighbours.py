"""Nearest rows of records with numbers and categories (Gower 1971), the k nearest of each, ties in a given order."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.row_blocks import over_row_blocks

BLOCK = 64  # records handed to a core at a time


class Neighbours(NamedTuple):
    """The rows nearest to each record, nearest first, and their distances summed over the columns."""

    rows: NDArray[np.int64]
    distances: NDArray[np.float64]


def gower_neighbours(
    records: NDArray[np.float64],
    rows: NDArray[np.float64],
    categorical: NDArray[np.bool_],
    priority: NDArray[np.int64],
    neighbours: int,
) -> Neighbours:
    """The rows nearest to each record, nearest first; equally near ones in the order of `priority`.

    Columns of numbers are on a scale on which they differ by 1 at most; categories are codes. A value that a record
    does not have counts for no row; one that a row does not have counts as the mean distance in that column.
    """
    neighbours = min(neighbours, len(rows))
    nearest = np.full((len(records), neighbours), -1, dtype=np.int64)
    distances = np.full(nearest.shape, np.inf)
    costs = np.array([_mean_distance(a, b, c) for a, b, c in zip(records.T, rows.T, categorical, strict=True)])
    one, other = np.ascontiguousarray(records), np.ascontiguousarray(rows)
    over_row_blocks(
        len(records),
        lambda start, stop: _nearest(one, other, categorical, costs, priority, start, stop, nearest, distances),
        BLOCK,
    )
    return Neighbours(nearest, distances)


def _mean_distance(records: NDArray[np.float64], rows: NDArray[np.float64], categorical: bool) -> float:
    """The mean distance of the values that there are, of every record from every row."""
    one, other = records[~np.isnan(records)], rows[~np.isnan(rows)]
    if not len(one) or not len(other):
        return 0.0
    if categorical:
        codes, counts = np.unique(other, return_counts=True)
        share = dict(zip(codes.tolist(), (counts / len(other)).tolist(), strict=True))
        return float(1 - np.mean([share.get(code, 0.0) for code in one.tolist()]))
    ordered = np.sort(other)
    sums = np.concatenate([[0.0], np.cumsum(ordered)])
    below = np.searchsorted(ordered, one)
    total = one * (2 * below - len(ordered)) - 2 * sums[below] + sums[-1]
    return float(total.mean() / len(ordered))


@njit(cache=True)
def _nearest(
    records: NDArray[np.float64],
    rows: NDArray[np.float64],
    categorical: NDArray[np.bool_],
    costs: NDArray[np.float64],
    priority: NDArray[np.int64],
    start: int,
    stop: int,
    nearest: NDArray[np.int64],
    all_distances: NDArray[np.float64],
) -> None:
    most = nearest.shape[1]
    for record in range(start, stop):
        distances = all_distances[record]
        found = 0
        for row in range(rows.shape[0]):
            distance = 0.0
            for j in range(rows.shape[1]):
                mine, theirs = records[record, j], rows[row, j]
                if np.isnan(mine):
                    continue
                if np.isnan(theirs):
                    distance += costs[j]
                elif categorical[j]:
                    distance += 1.0 if mine != theirs else 0.0
                else:
                    distance += abs(mine - theirs)
                if distance > distances[most - 1]:
                    break
            last = most - 1
            if distance > distances[last] or (
                found == most and distance == distances[last] and priority[row] > priority[nearest[record, last]]
            ):
                continue
            position = min(found, last)
            while position > 0 and (
                distance < distances[position - 1]
                or (distance == distances[position - 1] and priority[row] < priority[nearest[record, position - 1]])
            ):
                distances[position] = distances[position - 1]
                nearest[record, position] = nearest[record, position - 1]
                position -= 1
            distances[position] = distance
            nearest[record, position] = row
            found = min(found + 1, most)
