"""Near neighbours of every record, found among the records of the leaves close to its own."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.shrinking_set import NO_RECORD, ShrinkingSet, nearest_in_leaves, shrinking_set

LEAVES_TRIED = 32  # with 64 records per leaf, the neighbours are exactly the nearest ones up to 2048 records


def near_neighbours(points: NDArray[np.float64], count: int) -> NDArray[np.int32]:
    """The `count` nearest other records that lie in the leaves with the closest centres; -1 where there are fewer.

    They are not always the nearest of all records, which a local search does not need; the time is O(n) apart from
    comparing leaves with each other.
    """
    members = shrinking_set(np.ascontiguousarray(points), np.arange(len(points)))
    return _near_neighbours(members, len(points), count)


@njit(cache=True, nogil=True)
def _near_neighbours(members: ShrinkingSet, records: int, count: int) -> NDArray[np.int32]:
    leaves, dimensions = len(members.filled), members.points.shape[1]
    centres = np.zeros((dimensions, leaves))
    for leaf in range(leaves):
        for axis in range(dimensions):
            for position in range(members.filled[leaf]):
                centres[axis, leaf] += members.points[members.members[leaf, position], axis]
            centres[axis, leaf] /= members.filled[leaf]
    neighbours = np.full((records, count), NO_RECORD, np.int32)
    for leaf in range(leaves):
        close = _closest_leaves(centres, leaf)
        for position in range(members.filled[leaf]):
            record = members.members[leaf, position]
            found_count = 0
            for found in nearest_in_leaves(members, members.points[record], count + 1, close):
                if found != record and found != NO_RECORD and found_count < count:
                    neighbours[record, found_count] = found
                    found_count += 1
    return neighbours


@njit(cache=True, nogil=True)
def _closest_leaves(centres: NDArray[np.float64], leaf: int) -> NDArray[np.int64]:
    dimensions, leaves = centres.shape
    distances = np.zeros(leaves)
    for axis in range(dimensions):
        here = centres[axis, leaf]
        for other in range(leaves):
            gap = centres[axis, other] - here
            distances[other] += gap * gap
    distances[leaf] = -1.0
    if leaves <= LEAVES_TRIED:
        return np.argsort(distances)
    reach = np.partition(distances, LEAVES_TRIED)[LEAVES_TRIED]
    closer = np.flatnonzero(distances < reach)
    tied = np.flatnonzero(distances == reach)[: LEAVES_TRIED + 1 - len(closer)]
    close = np.concatenate((closer, tied))
    return close[np.argsort(distances[close])]
