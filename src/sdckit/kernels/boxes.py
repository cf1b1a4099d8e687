"""Range queries: the released rows inside each known record's box, and the nearest of them."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sdckit.kernels.kd_tree import DEPTH, KdTree, build_tree, rescaling, squared_distance, squared_distance_to_node
from sdckit.kernels.nearest import TOLERANCE
from sdckit.kernels.row_blocks import over_row_blocks

OUTSIDE, ACROSS, INSIDE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class BoxLinks:
    """Per known record: the released rows in its box and who among them is nearest."""

    count: NDArray[np.int64]  # released rows in the box
    nearest: NDArray[np.int64]  # the lowest row at the least distance; the only row where the count is 1; -1 if none
    ties: NDArray[np.int64]  # rows of the box at the least distance
    among: NDArray[np.bool_]  # whether the true row is one of them
    inside: NDArray[np.bool_]  # whether the true row is in the box


def box_links(
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    known: NDArray[np.float64],
    released: NDArray[np.float64],
    truth: NDArray[np.int64],
    *,
    tolerance: float = TOLERANCE,
) -> BoxLinks:
    """Count the released rows within each record's closed box, and link the record to the nearest of them.

    Boxes, known records and released rows share one system of coordinates. A missing value, or a bound that is
    missing, excludes nothing. Distances and ties follow `nearest_links`.
    """
    lower, upper, known = (np.ascontiguousarray(a, dtype=np.float64) for a in (lower, upper, known))
    tree = build_tree(released)
    m = len(known)
    home = np.where(truth >= 0, tree.place[np.maximum(truth, 0)], -1) if len(released) else np.full(m, -1)
    links = BoxLinks(
        np.zeros(m, np.int64), np.full(m, -1), np.zeros(m, np.int64), np.zeros(m, np.bool_), np.zeros(m, np.bool_)
    )
    visits = np.argsort(home, kind="stable")  # neighbours one after the other find their nodes in the cache
    found = (links.count, links.nearest, links.ties, links.among, links.inside)
    over_row_blocks(
        m, lambda start, stop: _link(tree, lower, upper, known, home, visits[start:stop], tolerance, *found)
    )
    return links


@njit(cache=True, nogil=True)
def _link(
    tree: KdTree,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    known: NDArray[np.float64],
    home: NDArray[np.int64],
    visits: NDArray[np.int64],
    tolerance: float,
    count: NDArray[np.int64],
    nearest: NDArray[np.int64],
    ties: NDArray[np.int64],
    among: NDArray[np.bool_],
    inside: NDArray[np.bool_],
) -> None:
    nodes = np.empty(DEPTH, np.int64)
    scales = np.empty(len(tree.roots))
    for record in visits:
        box_lower, box_upper = lower[record], upper[record]
        inside[record] = home[record] >= 0 and _holds(tree.rows[home[record]], box_lower, box_upper)
        least, own = np.inf, np.inf
        for t, root in enumerate(tree.roots):
            scales[t] = rescaling(tree, root, known, record)
            count[record] += _count(tree, root, box_lower, box_upper, nodes)
            if inside[record] and tree.start[root] <= home[record] < tree.stop[root] and scales[t] < np.inf:
                own = squared_distance(tree.rows, home[record], known, record) * scales[t]
                least = own
        if count[record] == 0:
            continue
        for t, root in enumerate(tree.roots):
            if scales[t] < np.inf:
                least = _least_distance(tree, root, scales[t], box_lower, box_upper, known, record, least, nodes)
        limit = least * (1 + tolerance)
        lowest = np.iinfo(np.int64).max
        for t, root in enumerate(tree.roots):
            more, row = _within(tree, root, scales[t], box_lower, box_upper, known, record, limit, nodes)
            ties[record] += more
            lowest = min(lowest, row)
        nearest[record] = lowest
        among[record] = inside[record] and own <= limit


@njit(cache=True, nogil=True)
def _holds(row: NDArray[np.float64], lower: NDArray[np.float64], upper: NDArray[np.float64]) -> bool:
    held = True
    for j in range(len(row)):
        held &= not (row[j] < lower[j] or row[j] > upper[j])
    return held


@njit(cache=True, nogil=True)
def _side(tree: KdTree, node: int, lower: NDArray[np.float64], upper: NDArray[np.float64]) -> int:
    """Whether the rows under the node are all outside the box, all inside, or may be either."""
    side = INSIDE
    for j in range(len(lower)):
        if tree.upper[node, j] < lower[j] or tree.lower[node, j] > upper[j]:
            return OUTSIDE
        if tree.lower[node, j] < lower[j] or tree.upper[node, j] > upper[j]:
            side = ACROSS
    return side


@njit(cache=True, nogil=True)
def _count(
    tree: KdTree, root: int, lower: NDArray[np.float64], upper: NDArray[np.float64], nodes: NDArray[np.int64]
) -> int:
    count = 0
    nodes[0] = root
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        side = _side(tree, node, lower, upper)
        if side == OUTSIDE:
            continue
        if side == INSIDE:
            count += tree.total[node]
        elif tree.right[node] >= 0:
            nodes[waiting], nodes[waiting + 1] = tree.right[node], node + 1
            waiting += 2
        else:
            for row in range(tree.start[node], tree.stop[node]):
                if _holds(tree.rows[row], lower, upper):
                    count += tree.multiplicity[row]
    return count


@njit(cache=True, nogil=True)
def _least_distance(
    tree: KdTree,
    root: int,
    scale: float,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    known: NDArray[np.float64],
    record: int,
    least: float,
    nodes: NDArray[np.int64],
) -> float:
    nodes[0] = root
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        if squared_distance_to_node(tree, node, known, record) * scale >= least:
            continue
        if _side(tree, node, lower, upper) == OUTSIDE:
            continue
        if tree.right[node] >= 0:
            left, right = node + 1, tree.right[node]
            if squared_distance_to_node(tree, left, known, record) < squared_distance_to_node(
                tree, right, known, record
            ):
                left, right = right, left
            nodes[waiting], nodes[waiting + 1] = left, right  # the nearer child is looked at first
            waiting += 2
            continue
        for row in range(tree.start[node], tree.stop[node]):
            if _holds(tree.rows[row], lower, upper):
                least = min(least, squared_distance(tree.rows, row, known, record) * scale)
    return least


@njit(cache=True, nogil=True)
def _within(
    tree: KdTree,
    root: int,
    scale: float,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    known: NDArray[np.float64],
    record: int,
    limit: float,
    nodes: NDArray[np.int64],
) -> tuple[int, int]:
    """How many rows of the box stand within the limit, and the lowest of them."""
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
        if _side(tree, node, lower, upper) == OUTSIDE:
            continue
        if tree.right[node] >= 0:
            nodes[waiting], nodes[waiting + 1] = tree.right[node], node + 1
            waiting += 2
            continue
        for row in range(tree.start[node], tree.stop[node]):
            if not _holds(tree.rows[row], lower, upper):
                continue
            if not comparable or squared_distance(tree.rows, row, known, record) * scale <= limit:
                ties += tree.multiplicity[row]
                nearest = min(nearest, tree.first[row])
    return ties, nearest
