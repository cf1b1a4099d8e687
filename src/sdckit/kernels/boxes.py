"""Range queries: the released rows inside each known record's box, and the nearest of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_search import INSIDE, OUTSIDE, Box, contains, least_distance, side, within
from sdckit.kernels.kd_tree import DEPTH, NO_ROW, KdTree, build_tree, missing_cost, squared_distance, true_rows
from sdckit.kernels.nearest import TOLERANCE
from sdckit.kernels.row_blocks import over_row_blocks


@dataclass(frozen=True, slots=True)
class BoxLinks:
    """Per known record: the released rows in its box and the nearest of them."""

    count: NDArray[np.int64]  # released rows in the box
    nearest: NDArray[np.int64]  # the lowest row at the least distance; the only row where the count is 1; -1 if none
    ties: NDArray[np.int64]  # rows of the box at the least distance
    truth_tied: NDArray[np.bool_]  # whether the true row is one of them
    truth_covered: NDArray[np.bool_]  # whether the true row is in the box

    @classmethod
    def empty(cls, m: int) -> "BoxLinks":
        """The links of m records whose boxes contain no row."""
        return cls(
            np.zeros(m, np.int64), np.full(m, -1), np.zeros(m, np.int64), np.zeros(m, np.bool_), np.zeros(m, np.bool_)
        )


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

    Boxes, known records and released rows share one system of coordinates. A missing value or a missing
    bound excludes nothing. Distances and ties follow `nearest_links`.
    """
    lower, upper, known = (np.ascontiguousarray(a, dtype=np.float64) for a in (lower, upper, known))
    tree = build_tree(released)
    m = len(known)
    true_row = true_rows(tree, truth)
    links = BoxLinks.empty(m)
    visits = np.argsort(true_row, kind="stable")  # visiting neighbours in turn keeps their nodes in the cache
    found = (links.count, links.nearest, links.ties, links.truth_tied, links.truth_covered)
    over_row_blocks(
        m, lambda start, stop: _link(tree, lower, upper, known, true_row, visits[start:stop], tolerance, *found)
    )
    return links


@njit(cache=True, nogil=True)
def _link(
    tree: KdTree,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    known: NDArray[np.float64],
    true_row: NDArray[np.int64],
    visits: NDArray[np.int64],
    tolerance: float,
    count: NDArray[np.int64],
    nearest: NDArray[np.int64],
    ties: NDArray[np.int64],
    truth_tied: NDArray[np.bool_],
    truth_covered: NDArray[np.bool_],
) -> None:
    nodes, bounds = np.empty(DEPTH, np.int64), np.empty(DEPTH)
    costs = np.empty(len(tree.roots))
    for record in visits:
        box = Box(lower[record], upper[record])
        truth_covered[record] = true_row[record] >= 0 and contains(box, tree.rows[true_row[record]])
        least, own = np.inf, np.inf
        for t, root in enumerate(tree.roots):
            costs[t] = missing_cost(tree, root, known, record)
            count[record] += _count(tree, root, box, nodes)
            if truth_covered[record] and tree.start[root] <= true_row[record] < tree.stop[root]:
                own = squared_distance(tree.rows, true_row[record], known, record) + costs[t]
                least = own
        if count[record] == 0:
            continue
        for t, root in enumerate(tree.roots):
            least = least_distance(tree, root, costs[t], box, known, record, least, nodes, bounds)
        limit = least * (1 + tolerance)
        lowest = NO_ROW
        for t, root in enumerate(tree.roots):
            more, row = within(tree, root, costs[t], box, known, record, limit, nodes)
            ties[record] += more
            lowest = min(lowest, row)
        nearest[record] = lowest
        truth_tied[record] = truth_covered[record] and own <= limit


@njit(cache=True, nogil=True)
def _count(tree: KdTree, root: int, box: Box, nodes: NDArray[np.int64]) -> int:
    count = 0
    nodes[0] = root
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        found = side(box, tree, node)
        if found == OUTSIDE:
            continue
        if found == INSIDE:
            count += tree.total[node]
        elif tree.right[node] >= 0:
            nodes[waiting], nodes[waiting + 1] = tree.right[node], node + 1
            waiting += 2
        else:
            for row in range(tree.start[node], tree.stop[node]):
                if contains(box, tree.rows[row]):
                    count += tree.multiplicity[row]
    return count
