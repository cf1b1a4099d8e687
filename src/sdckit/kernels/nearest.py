"""Distance-based linkage: each known record's nearest released rows, ties included."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.kd_search import least_distance, within
from sdckit.kernels.kd_tree import DEPTH, NO_ROW, KdTree, build_tree, missing_cost, squared_distance, true_rows
from sdckit.kernels.nearest_in_blocks import nearest_in_blocks, tree_excludes_little
from sdckit.kernels.nearest_of_few import PAIRS, nearest_of_few
from sdckit.kernels.row_blocks import over_row_blocks

TOLERANCE = 1e-12


class Links(NamedTuple):
    """Per known record: the least squared distance and the rows at that distance."""

    distance: NDArray[np.float64]
    ties: NDArray[np.int64]  # released rows at the least distance
    truth_tied: NDArray[np.bool_]  # whether the true row is one of them
    nearest: NDArray[np.int64]  # the lowest of them


def nearest_links(
    known: NDArray[np.float64],
    released: NDArray[np.float64],
    truth: NDArray[np.int64],
    *,
    tolerance: float = TOLERANCE,
) -> Links:
    """Link each known record to the released rows at the least squared Euclidean distance.

    Rows tie when their distances differ by at most a relative `tolerance`. A missing value of a row is a share of the
    expected squared difference away (`missing_cost`); an attribute that is not known of a record is left out, so
    that with nothing known every row ties. `truth` is each record's own released row, -1 if it has none.
    """
    known, released = (np.ascontiguousarray(each, dtype=np.float64) for each in (known, released))
    pairs = len(known) * len(released)
    if pairs <= PAIRS or spared(_link, pairs * (known.shape[1] + 1)):
        return Links(*nearest_of_few(known, released, truth, tolerance))
    return links_by_tree(known, released, truth, tolerance)


def links_by_tree(
    known: NDArray[np.float64], released: NDArray[np.float64], truth: NDArray[np.int64], tolerance: float = TOLERANCE
) -> Links:
    """The same links, by a tree that excludes most rows, or by blocks of distances where it would not."""
    m = len(known)
    tree = build_tree(released)
    true_row = true_rows(tree, truth)
    if tree_excludes_little(tree, known):
        return Links(*nearest_in_blocks(tree, known, true_row, tolerance))
    links = Links(np.empty(m), np.zeros(m, np.int64), np.zeros(m, np.bool_), np.full(m, -1))
    visits = np.argsort(true_row, kind="stable")  # visiting neighbours in turn keeps their nodes in the cache
    over_row_blocks(m, lambda start, stop: _link(tree, known, true_row, visits[start:stop], tolerance, links))
    return links


@njit(cache=True, nogil=True)
def _link(
    tree: KdTree,
    known: NDArray[np.float64],
    true_row: NDArray[np.int64],
    visits: NDArray[np.int64],
    tolerance: float,
    links: Links,
) -> None:
    nodes, bounds = np.empty(DEPTH, np.int64), np.empty(DEPTH)
    costs = np.empty(len(tree.roots))
    for record in visits:
        least = np.inf
        own = np.inf
        for t, root in enumerate(tree.roots):
            costs[t] = missing_cost(tree, root, known, record)
            # The distance to the true row bounds the least one from the start.
            if tree.start[root] <= true_row[record] < tree.stop[root]:
                own = squared_distance(tree.rows, true_row[record], known, record) + costs[t]
                least = own
        for t, root in enumerate(tree.roots):
            least = least_distance(tree, root, costs[t], None, known, record, least, nodes, bounds)
        limit = least * (1 + tolerance)
        ties, nearest = 0, NO_ROW
        for t, root in enumerate(tree.roots):
            more, row = within(tree, root, costs[t], None, known, record, limit, nodes)
            ties += more
            nearest = min(nearest, row)
        links.distance[record] = least
        links.ties[record] = ties
        links.truth_tied[record] = true_row[record] >= 0 and own <= limit
        links.nearest[record] = nearest if ties > 0 else -1
