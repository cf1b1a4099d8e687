"""Search in a kd-tree: the rows nearest to a record, among all rows or those in a box."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_tree import NO_ROW, KdTree, squared_distance, squared_distance_to_node

OUTSIDE, ACROSS, INSIDE = 0, 1, 2


class Box(NamedTuple):
    """A lower and an upper bound for each attribute, both included; a missing bound excludes nothing."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


@njit(cache=True, nogil=True)
def contains(box: Box | None, row: NDArray[np.float64]) -> bool:
    """Whether the row is in the box; a missing value is inside."""
    if box is None:
        return True
    inside = True
    for j in range(len(row)):
        inside &= not (row[j] < box.lower[j] or row[j] > box.upper[j])
    return inside


@njit(cache=True, nogil=True)
def side(box: Box | None, tree: KdTree, node: int) -> int:
    """Whether the rows under the node are all outside the box, all inside it, or possibly both."""
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
    cost: float,
    box: Box | None,
    known: NDArray[np.float64],
    record: int,
    smallest: float,
    nodes: NDArray[np.int64],
    bounds: NDArray[np.float64],
) -> float:
    """The minimum of a distance found before and those of the rows in the box under the root, nearer child first.

    `cost` is what the missing values of these rows add to every distance.
    """
    nodes[0], bounds[0] = root, squared_distance_to_node(tree, root, known, record) + cost
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        if bounds[waiting] >= smallest:
            continue
        found = side(box, tree, node)
        if found == OUTSIDE:
            continue
        if tree.right[node] < 0:
            for row in range(tree.start[node], tree.stop[node]):
                if found == INSIDE or contains(box, tree.rows[row]):
                    smallest = min(smallest, squared_distance(tree.rows, row, known, record) + cost)
            continue
        left, right = node + 1, tree.right[node]
        to_left = squared_distance_to_node(tree, left, known, record) + cost
        to_right = squared_distance_to_node(tree, right, known, record) + cost
        if to_left < to_right:
            left, right, to_left, to_right = right, left, to_right, to_left
        if to_left < smallest:
            nodes[waiting], bounds[waiting] = left, to_left
            waiting += 1
        if to_right < smallest:
            nodes[waiting], bounds[waiting] = right, to_right
            waiting += 1
    return smallest


@njit(cache=True, nogil=True)
def within(
    tree: KdTree,
    root: int,
    cost: float,
    box: Box | None,
    known: NDArray[np.float64],
    record: int,
    limit: float,
    nodes: NDArray[np.int64],
) -> tuple[int, int]:
    """The number of rows of the box within the limit, and the first of them."""
    ties, nearest = 0, NO_ROW
    nodes[0] = root
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        if squared_distance_to_node(tree, node, known, record) + cost > limit:
            continue
        found = side(box, tree, node)
        if found == OUTSIDE:
            continue
        if tree.right[node] >= 0:
            nodes[waiting], nodes[waiting + 1] = tree.right[node], node + 1
            waiting += 2
            continue
        for row in range(tree.start[node], tree.stop[node]):
            if found == ACROSS and not contains(box, tree.rows[row]):
                continue
            if squared_distance(tree.rows, row, known, record) + cost <= limit:
                ties += tree.multiplicity[row]
                nearest = min(nearest, tree.first[row])
    return ties, nearest
