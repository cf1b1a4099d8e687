"""Near neighbours of every record, found among the records of the leaves close to its own."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.shrinking_set import LEAF, NO_RECORD, ShrinkingSet, nearest_in_leaves, shrinking_set

LEAVES_TRIED = 32  # with 64 records per leaf, the neighbours are exactly the nearest ones up to 2048 records


def near_neighbours(points: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """The `count` nearest other records that lie in the leaves with the closest centres; -1 where there are fewer.

    They are not always the nearest of all records, which a local search does not need; the time is O(n) apart from
    comparing leaves with each other.
    """
    if len(points) <= LEAVES_TRIED * LEAF and spared(_near_neighbours, points.size * len(points)):
        return _of_few(points, count)
    members = shrinking_set(np.ascontiguousarray(points), np.arange(len(points)))
    return _near_neighbours(members, _closest_leaves(members.centre.astype(np.float64)), len(points), count)


def _of_few(points: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """The same in numpy, where all leaves are searched: the nearest of all other records, ties to the lowest."""
    neighbours = np.full((len(points), count), NO_RECORD, np.int64)
    for record, point in enumerate(points):
        distances = np.zeros(len(points))
        for axis, value in enumerate(point):
            gap = points[:, axis] - value
            distances += gap * gap
        nearest = np.argsort(distances, kind="stable")[: count + 1]
        found = nearest[nearest != record][:count]
        neighbours[record, : len(found)] = found
    return neighbours


def _closest_leaves(centres: NDArray[np.float64]) -> NDArray[np.int64]:
    """For the records of each leaf, the leaves to be searched: itself, then those with the closest centres."""
    most = min(LEAVES_TRIED + 1, centres.shape[1])
    closest = np.empty((centres.shape[1], most), np.int64)
    for leaf in range(len(closest)):
        distances = np.square(centres - centres[:, leaf, None]).sum(axis=0)
        distances[leaf] = -1.0
        reach = np.partition(distances, most - 1)[most - 1]
        near = np.flatnonzero(distances <= reach)
        closest[leaf] = near[np.argsort(distances[near], kind="stable")][:most]
    return closest


@njit(cache=True, nogil=True)
def _near_neighbours(members: ShrinkingSet, closest: NDArray[np.int64], records: int, count: int) -> NDArray[np.int64]:
    neighbours = np.full((records, count), NO_RECORD, np.int64)
    for leaf in range(len(closest)):
        for position in range(members.filled[leaf]):
            record = members.members[leaf, position]
            found_count = 0
            for found in nearest_in_leaves(members, members.points[record], count + 1, closest[leaf]):
                if found != record and found != NO_RECORD and found_count < count:
                    neighbours[record, found_count] = found
                    found_count += 1
    return neighbours
