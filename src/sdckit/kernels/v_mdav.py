"""V-MDAV: groups of variable size, extended while a record is nearer to them than to the rest (Solanas &
Martínez-Ballesté 2006)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.mdav import mdav
from sdckit.kernels.partitions import group_means, group_sizes, require_enough_records
from sdckit.kernels.shrinking_set import ShrinkingSet, nearest, remove, shrinking_set, squared_distance

UNASSIGNED = -1
REBUILD_BELOW = 0.75  # share of a set still present when its boxes are rebuilt, so that searches stay quick
SCANS = 8  # of all records for a group, beside one for each member


def v_mdav(points: NDArray[np.float64], group_size: int, gain: float) -> NDArray[np.int64]:
    """V-MDAV with groups of k to 2k-1 records: a group that leftover records made larger is split by MDAV."""
    labels = v_mdav_as_published(points, group_size, gain)
    groups = int(labels.max()) + 1
    for group in np.flatnonzero(group_sizes(labels) >= 2 * group_size):
        inside = np.flatnonzero(labels == group)
        parts = mdav(points[inside], group_size)
        labels[inside[parts > 0]] = groups - 1 + parts[parts > 0]
        groups += int(parts.max())
    return labels


def v_mdav_as_published(points: NDArray[np.float64], group_size: int, gain: float) -> NDArray[np.int64]:
    """Group the record farthest from the centroid with its nearest records, and extend the group by near ones.

    A record is added while its distance to the group is below `gain` (the paper's gamma) times its distance to the
    other unassigned records. Fewer than k leftover records join the groups of the nearest centroids, which may then
    exceed 2k-1 records. Points are standardised, without missing values; ties go to the lowest record.
    """
    require_enough_records(len(points), group_size)
    points = np.ascontiguousarray(points)
    outward = np.argsort(-((points - points.mean(axis=0)) ** 2).sum(axis=1), kind="stable")
    records, attributes = points.shape
    few = spared(_grow_groups, (group_size + SCANS) * records * records // group_size * attributes)
    labels = (grow_groups_by_scans if few else _grow_groups)(points, group_size, gain, outward)
    assigned = labels != UNASSIGNED
    centroids = group_means(points[assigned], labels[assigned])
    for record in np.flatnonzero(~assigned):
        labels[record] = np.argmin(((centroids - points[record]) ** 2).sum(axis=1))
    return labels


def grow_groups_by_scans(
    points: NDArray[np.float64], group_size: int, gain: float, outward: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The same groups as by the kernel, to the last tie, for files so small that compiling it takes longer."""
    columns = np.ascontiguousarray(points.T)
    labels = np.full(len(points), UNASSIGNED)

    def nearest_of(record: int, count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The nearest records without a group other than the given one, and their squared distances."""
        others = np.flatnonzero(labels == UNASSIGNED)
        others = others[others != record]
        distance = np.zeros(len(others))
        for column in columns:
            gap = column[record] - column[others]
            distance += gap * gap
        order = np.argsort(distance, kind="stable")[:count]
        return others[order], distance[order]

    group = 0
    for extreme in outward:
        if np.count_nonzero(labels == UNASSIGNED) < group_size:
            break
        if labels[extreme] != UNASSIGNED:
            continue
        inside = [int(extreme), *nearest_of(int(extreme), group_size - 1)[0].tolist()]
        labels[inside] = group
        while len(inside) < 2 * group_size - 1 and (labels == UNASSIGNED).any():
            ways = [nearest_of(member, 1) for member in inside]
            distance, newcomer = min((float(far[0]), int(near[0])) for near, far in ways)
            _, beyond = nearest_of(newcomer, 1)
            if not np.sqrt(distance) < gain * (np.sqrt(beyond[0]) if len(beyond) else np.inf):
                break
            inside.append(newcomer)
            labels[newcomer] = group
        group += 1
    return labels


@njit(cache=True, nogil=True)
def _grow_groups(
    points: NDArray[np.float64], group_size: int, gain: float, outward: NDArray[np.int64]
) -> NDArray[np.int64]:
    labels = np.full(len(points), UNASSIGNED)
    remaining = np.arange(len(points))
    members = shrinking_set(points, remaining)
    left = len(points)
    group = 0
    for extreme in outward:
        if left < group_size:
            break
        if labels[extreme] != UNASSIGNED:
            continue
        if left < REBUILD_BELOW * len(remaining):
            remaining = remaining[labels[remaining] == UNASSIGNED]
            members = shrinking_set(points, remaining)
        remove(members, extreme)
        inside = np.empty(2 * group_size - 1, np.int64)
        inside[0] = extreme
        inside[1:group_size] = nearest(members, points[extreme], group_size - 1)
        for record in inside[1:group_size]:
            remove(members, record)
        size = _extend(points, members, inside, group_size, gain, left - group_size)
        labels[inside[:size]] = group
        left -= size
        group += 1
    return labels


@njit(cache=True, nogil=True)
def _extend(
    points: NDArray[np.float64],
    members: ShrinkingSet,
    inside: NDArray[np.int64],
    size: int,
    gain: float,
    left: int,
) -> int:
    """Add the record nearest to any member while it is near enough; returns the size of the group."""
    neighbour = np.full(len(inside), UNASSIGNED)  # the nearest unassigned record of each member
    distance = np.full(len(inside), np.inf)
    while size < len(inside) and left > 0:
        for index in range(size):
            if neighbour[index] == UNASSIGNED:
                neighbour[index] = nearest(members, points[inside[index]], 1)[0]
                distance[index] = squared_distance(points[inside[index]], points[neighbour[index]])
        closest = 0
        for index in range(1, size):
            if (distance[index], neighbour[index]) < (distance[closest], neighbour[closest]):
                closest = index
        newcomer = neighbour[closest]
        beyond = np.inf
        if left > 1:
            others = nearest(members, points[newcomer], 2)
            other = others[1] if others[0] == newcomer else others[0]
            beyond = np.sqrt(squared_distance(points[newcomer], points[other]))
        if not np.sqrt(distance[closest]) < gain * beyond:
            break
        remove(members, newcomer)
        inside[size] = newcomer
        neighbour[:size][neighbour[:size] == newcomer] = UNASSIGNED
        size += 1
        left -= 1
    return size
