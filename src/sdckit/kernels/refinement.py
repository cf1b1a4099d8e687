"""Local search: move and exchange records between neighbouring groups while the sum of squared errors falls."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_order import kd_order
from sdckit.kernels.movable_groups import (
    JOURNAL,
    MovableGroups,
    change_by_replacement,
    change_by_swap,
    cost_of_joining,
    error,
    gain_of_leaving,
    movable_groups,
    move,
    take_back,
)
from sdckit.kernels.near_neighbours import near_neighbours
from sdckit.kernels.partitions import group_sizes, require_enough_records

NEIGHBOURS = 20  # near records whose groups a record may join, or with which it may be exchanged
NOISE = 1e-10  # a gain below this share of the mean error of a record may be rounding
ENOUGH = 1e-3  # another round follows if the error fell by more than this share
LOCALITY = 64  # records per leaf of the order in which records are stored


def refine(
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    group_size: int,
    rng: np.random.Generator,
    rounds: int = 10,
) -> NDArray[np.int64]:
    """Lower the sum of squared errors of a partition by local search; groups have k to 2k-1 records before and after.

    First the records settle: each takes the best of these steps until none lowers the error: join the group of a near
    record, be exchanged with a near record, or move to another group while a record of a third group replaces it. Then
    follow at most `rounds` rounds. In a round every group, in random order, is dissolved and its surroundings settle
    again, possibly with a new group among them; what does not lower the error is undone. Settling without rounds is for
    large files. The points have no missing values; groups are renumbered.
    """
    require_enough_records(len(points), group_size)
    sizes = group_sizes(labels)
    if sizes.min() < group_size or sizes.max() >= 2 * group_size:
        raise ValueError(
            f"groups of {sizes.min()} to {sizes.max()} records, not of {group_size} to {2 * group_size - 1}"
        )
    if group_size == 1 or len(sizes) == 1:
        return labels.copy()
    order = kd_order(np.ascontiguousarray(points), LOCALITY)  # near records are near in memory: faster
    neighbours = near_neighbours(points[order], min(NEIGHBOURS, len(points) - 1))
    groups = movable_groups(points[order], labels[order], group_size)
    queue = Queue(np.arange(len(points)), np.ones(len(points), np.bool_), np.array([0, len(points)]))
    _search(groups, neighbours, group_size, rng.permutation(len(groups.size)), rounds, queue, error(groups))
    refined = np.empty_like(labels)
    refined[order] = groups.labels
    return np.unique(refined, return_inverse=True)[1].astype(np.int64)


class Queue(NamedTuple):
    """The records still to be visited, first in, first out, each at most once."""

    records: NDArray[np.int64]  # a ring
    waiting: NDArray[np.bool_]
    ends: NDArray[np.int64]  # (first, length)


@njit(cache=True, nogil=True)
def _push_members(queue: Queue, groups: MovableGroups, group: int) -> None:
    for position in range(groups.size[group]):
        record = groups.members[group, position]
        if not queue.waiting[record]:
            queue.records[(queue.ends[0] + queue.ends[1]) % len(queue.records)] = record
            queue.waiting[record] = True
            queue.ends[1] += 1


@njit(cache=True, nogil=True)
def _pop(queue: Queue) -> int:
    record = int(queue.records[queue.ends[0]])
    queue.ends[0] = (queue.ends[0] + 1) % len(queue.records)
    queue.ends[1] -= 1
    queue.waiting[record] = False
    return record


@njit(cache=True, nogil=True)
def _search(
    groups: MovableGroups,
    neighbours: NDArray[np.int64],
    group_size: int,
    order_of_groups: NDArray[np.int64],
    rounds: int,
    queue: Queue,
    left: float,
) -> None:
    noise = NOISE * left / len(groups.labels)
    while queue.ends[1] > 0:
        groups.moves[0] = 0  # these moves are never undone
        left += _settle(groups, neighbours, group_size, queue, noise)
    for _ in range(rounds):
        before = left
        for group in order_of_groups:
            if groups.size[group] > 0:
                left += _shake(groups, neighbours, group_size, queue, group, noise)
        if before - left <= ENOUGH * left:
            return


@njit(cache=True, nogil=True)
def _settle(groups: MovableGroups, neighbours: NDArray[np.int64], group_size: int, queue: Queue, noise: float) -> float:
    """Let the records of the queue, and those of the groups that change, take their best steps.

    Returns the change of the error. Stops when the queue is empty or the journal full.
    """
    change = 0.0
    while queue.ends[1] > 0 and groups.moves[0] < JOURNAL - 4 * group_size:
        record = _pop(queue)
        source = groups.labels[record]
        target, partner = _best_step(groups, neighbours, group_size, record, noise)
        if target < 0:
            continue
        if partner >= 0:
            third = groups.labels[partner]
            change += move(groups, partner, source)
            _push_members(queue, groups, third)
        change += move(groups, record, target)
        _push_members(queue, groups, source)
        _push_members(queue, groups, target)
    return change


@njit(cache=True, nogil=True)
def _best_step(
    groups: MovableGroups, neighbours: NDArray[np.int64], group_size: int, record: int, noise: float
) -> tuple[int, int]:
    """The group to move to, and the record that replaces it; -1 for none."""
    labels, size = groups.labels, groups.size
    source = labels[record]
    leaving = gain_of_leaving(groups, record)
    best, target, partner = -noise, -1, -1
    best_move, best_target = -noise, -1
    for near in range(neighbours.shape[1]):
        other = int(neighbours[record, near])
        there = labels[other] if other >= 0 else source
        if there == source:
            continue
        if size[there] < 2 * group_size - 1:
            change = cost_of_joining(groups, record, there) - leaving
            if change < best_move:
                best_move, best_target = change, there
        change = change_by_swap(groups, record, other)
        if change < best:
            best, target, partner = change, there, other
    if best_target >= 0 and size[source] > group_size:
        return (best_target, -1) if best_move < best else (target, partner)
    if best_target >= 0:
        joining = best_move + leaving
        for position in range(size[source]):
            member = groups.members[source, position]
            for near in range(neighbours.shape[1]):
                other = int(neighbours[member, near])
                there = labels[other] if other >= 0 else source
                if there != source and there != best_target and size[there] > group_size:
                    change = joining + change_by_replacement(groups, record, other)
                    if change < best:
                        best, target, partner = change, best_target, other
    return target, partner


@njit(cache=True, nogil=True)
def _shake(
    groups: MovableGroups, neighbours: NDArray[np.int64], group_size: int, queue: Queue, group: int, noise: float
) -> float:
    """Dissolve a group and let its surroundings settle; returns the change of the error, 0 if undone."""
    groups.moves[0] = 0
    change = _dissolve(groups, neighbours, group_size, queue, group)
    whole = groups.size[group] == 0
    if whole:
        change += _settle(groups, neighbours, group_size, queue, noise)
        change += _form(groups, neighbours, group_size, queue, group, noise)
        change += _settle(groups, neighbours, group_size, queue, noise)
    while queue.ends[1] > 0:
        _pop(queue)
    if whole and change < -noise:
        return change
    take_back(groups, 0)
    return 0.0


@njit(cache=True, nogil=True)
def _gather(groups: MovableGroups, neighbours: NDArray[np.int64], group_size: int, seed: int, free: int) -> float:
    """Move a record, and the nearest ones that their groups can spare, to a free group; there may be too few."""
    change = move(groups, seed, free)
    for near in range(neighbours.shape[1]):
        other = int(neighbours[seed, near])
        if groups.size[free] == group_size:
            break
        if other >= 0 and groups.size[groups.labels[other]] > group_size:
            change += move(groups, other, free)
    return change


@njit(cache=True, nogil=True)
def _dissolve(groups: MovableGroups, neighbours: NDArray[np.int64], group_size: int, queue: Queue, group: int) -> float:
    """Send each member to the cheapest group of a near record that has room; some may remain."""
    change = 0.0
    for record in groups.members[group, : groups.size[group]].copy():
        cheapest, target = np.inf, -1
        for near in range(neighbours.shape[1]):
            other = int(neighbours[record, near])
            there = groups.labels[other] if other >= 0 else group
            if there != group and groups.size[there] < 2 * group_size - 1:
                cost = cost_of_joining(groups, record, there)
                if cost < cheapest:
                    cheapest, target = cost, there
        if target >= 0:
            change += move(groups, record, target)
            _push_members(queue, groups, target)
    return change


@njit(cache=True, nogil=True)
def _form(
    groups: MovableGroups, neighbours: NDArray[np.int64], group_size: int, queue: Queue, free: int, noise: float
) -> float:
    """Let a moved record, and the nearest ones that their groups can spare, form a group if this lowers the error."""
    for number in range(groups.moves[0]):
        record = groups.moved[number]
        if groups.size[groups.labels[record]] <= group_size:
            continue
        moves = groups.moves[0]
        change = _gather(groups, neighbours, group_size, record, free)
        if groups.size[free] == group_size and change < -noise:
            _push_members(queue, groups, free)
            return change
        take_back(groups, moves)
    return 0.0
