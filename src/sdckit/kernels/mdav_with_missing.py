"""MDAV where coordinates are missing: a plain scan over the records that remain."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

UNASSIGNED = -1


@njit(cache=True, nogil=True)
def mdav_with_missing(points: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """Group as MDAV does, over the coordinates both records have.

    A distance over some of the coordinates is scaled up to all of them. Records that share none are neither near nor
    far: they come after all others, whichever is asked for.
    """
    labels = np.full(len(points), UNASSIGNED)
    remaining = np.arange(len(points))
    group = 0
    while len(remaining) >= 2 * group_size:
        extreme = _farthest(points, remaining, _mean_of_observed(points, remaining))
        if len(remaining) < 3 * group_size:
            remaining = _form_group(points, labels, remaining, extreme, group_size, group)
            group += 1
            continue
        rest = _form_group(points, labels, remaining, extreme, group_size, group)
        opposite = _farthest(points, rest, points[extreme])
        remaining = _form_group(points, labels, rest, opposite, group_size, group + 1)
        group += 2
    labels[remaining] = group
    return labels


@njit(cache=True, nogil=True)
def _mean_of_observed(points: NDArray[np.float64], records: NDArray[np.int64]) -> NDArray[np.float64]:
    dimensions = points.shape[1]
    total, observed = np.zeros(dimensions), np.zeros(dimensions)
    for record in records:
        for axis in range(dimensions):
            if not np.isnan(points[record, axis]):
                total[axis] += points[record, axis]
                observed[axis] += 1
    return total / observed  # 0/0: missing where nobody is observed


@njit(cache=True, nogil=True)
def _distance_or(a: NDArray[np.float64], b: NDArray[np.float64], nothing_shared: float) -> float:
    total, shared = 0.0, 0
    for axis in range(len(a)):
        gap = a[axis] - b[axis]
        if not np.isnan(gap):
            total += gap * gap
            shared += 1
    return total * (len(a) / shared) if shared else nothing_shared


@njit(cache=True, nogil=True)
def _farthest(points: NDArray[np.float64], records: NDArray[np.int64], query: NDArray[np.float64]) -> int:
    farthest, farthest_at = int(records[0]), -np.inf
    for record in records:
        distance = _distance_or(points[record], query, -1.0)
        if distance > farthest_at:
            farthest, farthest_at = int(record), distance
    return farthest


@njit(cache=True, nogil=True)
def _form_group(
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    records: NDArray[np.int64],
    seed: int,
    group_size: int,
    group: int,
) -> NDArray[np.int64]:
    """Label the seed and its nearest records; returns the others, in their order."""
    labels[seed] = group
    others = records[records != seed]
    distances = np.empty(len(others))
    for place, record in enumerate(others):
        distances[place] = _distance_or(points[record], points[seed], np.inf)
    nearest = np.argsort(distances, kind="mergesort")[: group_size - 1]
    labels[others[nearest]] = group
    rest: NDArray[np.int64] = others[labels[others] == UNASSIGNED]
    return rest
