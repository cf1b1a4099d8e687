"""Search in a kd-tree: the rows that are nearest to a record, of all or of those in a box."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sdckit.kernels.kd_tree import KdTree, squared_distance, squared_distance_to_node

OUTSIDE, ACROSS, INSIDE = 0, 1, 2


class Box(NamedTuple):
    """A lower and an upper bound for each attribute, both included; one that is missing excludes nothing."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


@njit(cache=True, nogil=True)
def holds(box: Box | None, row: NDArray[np.float64]) -> bool:
    """Whether the row is in the box; a value that is missing is."""
    if box is None:
        return True
    held = True
    for j in range(len(row)):
        held &= not (row[j] < box.lower[j] or row[j] > box.upper[j])
    return held


@njit(cache=True, nogil=True)
def side(box: Box | None, tree: KdTree, node: int) -> int:
    """Whether the rows under the node are all outside the box, all inside, or may be either."""
    if box is None:
        return INSIDE
    found = INSIDE
    for j in range(len(box.lower)):
        if tree.upper[node, j] < box.lower[j] or tree.lower[node, j] > box.upper[j]:
            return OUTSIDE
        if tree.lower[node, j] < box.lower[j] or tree.upper[node, j] > box.upper[j]:
            found = ACROSS
    return found


@njit(cache=True, nogil=True)
def least_distance(
    tree: KdTree,
    root: int,
    scale: float,
    box: Box | None,
    known: NDArray[np.float64],
    record: int,
    least: float,
    nodes: NDArray[np.int64],
    bounds: NDArray[np.float64],
) -> float:
    """The least of a distance already found and those of the box under the root, nearer child first."""
    nodes[0], bounds[0] = root, squared_distance_to_node(tree, root, known, record) * scale
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        if bounds[waiting] >= least:
            continue
        found = side(box, tree, node)
        if found == OUTSIDE:
            continue
        if tree.right[node] < 0:
            for row in range(tree.start[node], tree.stop[node]):
                if found == INSIDE or holds(box, tree.rows[row]):
                    least = min(least, squared_distance(tree.rows, row, known, record) * scale)
            continue
        left, right = node + 1, tree.right[node]
        to_left = squared_distance_to_node(tree, left, known, record) * scale
        to_right = squared_distance_to_node(tree, right, known, record) * scale
        if to_left < to_right:
            left, right, to_left, to_right = right, left, to_right, to_left
        if to_left < least:
            nodes[waiting], bounds[waiting] = left, to_left
            waiting += 1
        if to_right < least:
            nodes[waiting], bounds[waiting] = right, to_right
            waiting += 1
    return least


@njit(cache=True, nogil=True)
def within(
    tree: KdTree,
    root: int,
    scale: float,
    box: Box | None,
    known: NDArray[np.float64],
    record: int,
    limit: float,
    nodes: NDArray[np.int64],
) -> tuple[int, int]:
    """How many rows of the box stand within the limit, and the lowest of them; with nothing to compare, all are far."""
    ties, nearest = 0, np.iinfo(np.int64).max
    comparable = scale < np.inf
    if not comparable and limit < np.inf:
        return ties, nearest
    nodes[0] = root
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        if comparable and squared_distance_to_node(tree, node, known, record) * scale > limit:
            continue
        found = side(box, tree, node)
        if found == OUTSIDE:
            continue
        if found == INSIDE and not comparable:
            ties += tree.total[node]
            nearest = min(nearest, tree.lowest[node])
            continue
        if tree.right[node] >= 0:
            nodes[waiting], nodes[waiting + 1] = tree.right[node], node + 1
            waiting += 2
            continue
        for row in range(tree.start[node], tree.stop[node]):
            if found == ACROSS and not holds(box, tree.rows[row]):
                continue
            if not comparable or squared_distance(tree.rows, row, known, record) * scale <= limit:
                ties += tree.multiplicity[row]
                nearest = min(nearest, tree.first[row])
    return ties, nearest
