"""Distance-based linkage: each known record's nearest released rows, ties included."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sdckit.kernels.kd_tree import DEPTH, KdTree, build_tree, rescaling, squared_distance, squared_distance_to_node
from sdckit.kernels.row_blocks import over_row_blocks

TOLERANCE = 1e-12


class Links(NamedTuple):
    """Per known record: the least squared distance and who stands at it."""

    distance: NDArray[np.float64]
    ties: NDArray[np.int64]  # released rows at the least distance
    among: NDArray[np.bool_]  # whether the true row is one of them
    nearest: NDArray[np.int64]  # the lowest of them


def nearest_links(
    known: NDArray[np.float64],
    released: NDArray[np.float64],
    truth: NDArray[np.int64],
    *,
    tolerance: float = TOLERANCE,
) -> Links:
    """Link each known record to the released rows at the least squared Euclidean distance.

    Rows tie when their distances differ by at most a relative `tolerance`. Attributes missing on either side are left
    out and the sum is rescaled to the full number of attributes; with nothing to compare, every row ties at an infinite
    distance. `truth` names each record's own released row, -1 if it has none.
    """
    known = np.ascontiguousarray(known, dtype=np.float64)
    tree = build_tree(released)
    m = len(known)
    home = np.where(truth >= 0, tree.place[np.maximum(truth, 0)], -1) if len(released) else np.full(m, -1)
    links = Links(np.empty(m), np.zeros(m, np.int64), np.zeros(m, np.bool_), np.full(m, -1))
    visits = np.argsort(home, kind="stable")  # neighbours one after the other find their nodes in the cache
    over_row_blocks(m, lambda start, stop: _link(tree, known, home, visits[start:stop], tolerance, links))
    return links


@njit(cache=True, nogil=True)
def _link(
    tree: KdTree,
    known: NDArray[np.float64],
    home: NDArray[np.int64],
    visits: NDArray[np.int64],
    tolerance: float,
    links: Links,
) -> None:
    nodes, bounds = np.empty(DEPTH, np.int64), np.empty(DEPTH)
    scales = np.empty(len(tree.roots))
    for record in visits:
        least = np.inf
        own = np.inf
        for t, root in enumerate(tree.roots):
            scales[t] = rescaling(tree, root, known, record)
            # The distance to the true row bounds the least one from the start.
            if tree.start[root] <= home[record] < tree.stop[root] and scales[t] < np.inf:
                own = squared_distance(tree.rows, home[record], known, record) * scales[t]
                least = own
        for t, root in enumerate(tree.roots):
            if scales[t] < np.inf:
                least = _least_distance(tree, root, scales[t], known, record, least, nodes, bounds)
        limit = least * (1 + tolerance)
        ties, nearest = 0, np.iinfo(np.int64).max
        for t, root in enumerate(tree.roots):
            if scales[t] < np.inf:
                more, row = _within(tree, root, scales[t], known, record, limit, nodes)
            else:
                more, row = (tree.total[root], tree.lowest[root]) if limit == np.inf else (0, nearest)
            ties += more
            nearest = min(nearest, row)
        links.distance[record] = least
        links.ties[record] = ties
        links.among[record] = home[record] >= 0 and own <= limit
        links.nearest[record] = nearest if ties > 0 else -1


@njit(cache=True, nogil=True)
def _least_distance(
    tree: KdTree,
    root: int,
    scale: float,
    known: NDArray[np.float64],
    record: int,
    least: float,
    nodes: NDArray[np.int64],
    bounds: NDArray[np.float64],
) -> float:
    """The least of a distance already found and those under the root, nearer child first."""
    nodes[0], bounds[0] = root, squared_distance_to_node(tree, root, known, record) * scale
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        if bounds[waiting] >= least:
            continue
        if tree.right[node] < 0:
            for row in range(tree.start[node], tree.stop[node]):
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
def _within(
    tree: KdTree,
    root: int,
    scale: float,
    known: NDArray[np.float64],
    record: int,
    limit: float,
    nodes: NDArray[np.int64],
) -> tuple[int, int]:
    """How many rows stand within the limit, and the lowest of them."""
    ties, nearest = 0, np.iinfo(np.int64).max
    nodes[0] = root
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        if squared_distance_to_node(tree, node, known, record) * scale > limit:
            continue
        if tree.right[node] >= 0:
            nodes[waiting], nodes[waiting + 1] = tree.right[node], node + 1
            waiting += 2
            continue
        for row in range(tree.start[node], tree.stop[node]):
            if squared_distance(tree.rows, row, known, record) * scale <= limit:
                ties += tree.multiplicity[row]
                nearest = min(nearest, tree.first[row])
    return ties, nearest
