"""Groups between which records move, with the change of the sum of squared errors, and a journal to undo moves."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import inside_small, njit
from sdckit.kernels.shrinking_set import squared_distance

JOURNAL = 4096  # moves that can be undone
FEW = 20_000  # coordinates


class MovableGroups(NamedTuple):
    """Groups with their members and centroids; a group without members is free."""

    points: NDArray[np.float64]  # (records, dimensions)
    labels: NDArray[np.int64]  # (records,)
    members: NDArray[np.int64]  # (groups, 2k): the records of a group, in the first positions
    size: NDArray[np.int64]  # (groups,)
    centroid: NDArray[np.float64]  # (groups, dimensions)
    moved: NDArray[np.int64]  # (JOURNAL,): the records moved
    origin: NDArray[np.int64]  # (JOURNAL,): the groups they left
    moves: NDArray[np.int64]  # (1,): the number of moves in the journal


def _few(points: NDArray[np.float64], labels: NDArray[np.int64], group_size: int) -> bool:
    """Whether Python makes the groups sooner than the compiler is imported."""
    return points.size <= FEW


@njit(small=_few, cache=True, nogil=True)
def movable_groups(points: NDArray[np.float64], labels: NDArray[np.int64], group_size: int) -> MovableGroups:
    count, dimensions = points.shape
    max_groups = count // group_size
    groups = MovableGroups(
        points,
        np.full(count, -1),
        np.full((max_groups, 2 * group_size), -1),
        np.zeros(max_groups, np.int64),
        np.zeros((max_groups, dimensions)),
        np.empty(JOURNAL, np.int64),
        np.empty(JOURNAL, np.int64),
        np.zeros(1, np.int64),
    )
    for record in range(count):
        _enter(groups, record, labels[record])
    for group in range(max_groups):
        _centre(groups, group)
    return groups


def error(groups: MovableGroups) -> float:
    """The sum of squared distances of the records from their centroids."""
    return float(np.square(groups.points - groups.centroid[groups.labels]).sum())


@njit(cache=True, nogil=True)
def move(groups: MovableGroups, record: int, target: int) -> float:
    """Move a record to another group; returns the change of the error."""
    source = groups.labels[record]
    groups.moved[groups.moves[0]], groups.origin[groups.moves[0]] = record, source
    groups.moves[0] += 1
    change = cost_of_joining(groups, record, target) - gain_of_leaving(groups, record)
    _leave(groups, record)
    _enter(groups, record, target)
    _centre(groups, source)
    _centre(groups, target)
    return change


@njit(cache=True, nogil=True)
def take_back(groups: MovableGroups, moves: int) -> None:
    """Undo the moves after the first `moves` of the journal, the last one first."""
    while groups.moves[0] > moves:
        groups.moves[0] -= 1
        record = groups.moved[groups.moves[0]]
        source, target = groups.labels[record], groups.origin[groups.moves[0]]
        _leave(groups, record)
        _enter(groups, record, target)
        _centre(groups, source)
        _centre(groups, target)


@njit(cache=True, nogil=True)
def gain_of_leaving(groups: MovableGroups, record: int) -> float:
    """The decrease of the error when the record leaves its group."""
    source = groups.labels[record]
    size = groups.size[source]
    if size == 1:
        return 0.0
    return float(size / (size - 1) * squared_distance(groups.points[record], groups.centroid[source]))


@njit(cache=True, nogil=True)
def cost_of_joining(groups: MovableGroups, record: int, group: int) -> float:
    """The increase of the error when the record joins the group."""
    size = groups.size[group]
    return float(size / (size + 1) * squared_distance(groups.points[record], groups.centroid[group]))


@njit(cache=True, nogil=True)
def change_by_swap(groups: MovableGroups, a: int, b: int) -> float:
    """The change of the error when a of group A and b of B are exchanged: 2 u·(c_B - c_A) - |u|² (1/|A| + 1/|B|).

    Here u = x_b - x_a.
    """
    here, there = groups.labels[a], groups.labels[b]
    along, length = 0.0, 0.0
    for axis in range(groups.points.shape[1]):
        u = groups.points[b, axis] - groups.points[a, axis]
        along += u * (groups.centroid[there, axis] - groups.centroid[here, axis])
        length += u * u
    return float(2 * along - length * (1 / groups.size[here] + 1 / groups.size[there]))


@njit(cache=True, nogil=True)
def change_by_replacement(groups: MovableGroups, a: int, b: int) -> float:
    """The change in the groups of a and b when b replaces a, which leaves."""
    here = groups.labels[a]
    there = squared_distance(groups.points[b], groups.centroid[here])
    before = squared_distance(groups.points[a], groups.centroid[here])
    apart = squared_distance(groups.points[a], groups.points[b])
    return float(there - before - apart / groups.size[here] - gain_of_leaving(groups, b))


@njit(small=inside_small, cache=True, nogil=True)
def _enter(groups: MovableGroups, record: int, group: int) -> None:
    groups.members[group, groups.size[group]] = record
    groups.size[group] += 1
    groups.labels[record] = group


@njit(cache=True, nogil=True)
def _leave(groups: MovableGroups, record: int) -> None:
    group = groups.labels[record]
    last = groups.size[group] - 1
    for position in range(last):
        if groups.members[group, position] == record:
            groups.members[group, position] = groups.members[group, last]
            break
    groups.size[group] = last


@njit(small=inside_small, cache=True, nogil=True)
def _centre(groups: MovableGroups, group: int) -> None:
    """Compute the centroid from the members, so that no rounding error builds up."""
    size = groups.size[group]
    centroid = groups.centroid[group]
    centroid[:] = 0.0
    for position in range(size):
        record = groups.members[group, position]
        for axis in range(len(centroid)):
            centroid[axis] += groups.points[record, axis]
    if size > 0:
        for axis in range(len(centroid)):
            centroid[axis] /= size
