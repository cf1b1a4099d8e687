"""Nearest rows of numbers and categories by the distances of all pairs, in numpy, with the bits of a compiled search.

For small files, for which nothing is compiled, and for those in which a tree excludes little.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.missing_costs import missing_costs
from sdckit.kernels.mixed_tree import ABSENT, MIXED, MixedRecords, MixedTree, Trees, category_distances
from sdckit.kernels.nearest_of_few import PAIRS, nearest_by

SAMPLE = 32  # known records that show whether a tree is faster
MANY = 20  # times as many records as in the sample, so that looking takes little of the time
VISITED = 0.2  # share of the rows that a search visits beyond which all pairs are faster, with holes too


def mixed_links_in_blocks(
    known: MixedRecords, released: MixedRecords, trees: Trees, truth: NDArray[np.int64], tolerance: float
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """The least distance of each record, the number of rows at it, whether its own is one of them, and the lowest."""
    step = max(PAIRS // len(released.nodes), 1)
    blocks = np.split(np.arange(len(truth)), range(step, len(truth), step))
    parts = [
        nearest_by(mean_distances(known.take(block), released, trees), truth[block], tolerance) for block in blocks
    ]
    least, ties, truth_tied, nearest = (np.concatenate(part) for part in zip(*parts, strict=True))
    return least, ties, truth_tied, nearest


def mean_distances(known: MixedRecords, released: MixedRecords, trees: Trees) -> NDArray[np.float64]:
    """The distances of all pairs, attribute after attribute."""
    costs, numbers = missing_costs(known, released, trees), known.numbers.shape[1]
    total = np.zeros((len(known.nodes), len(released.nodes)))
    for j in range(numbers):
        mine, theirs = known.numbers[:, j, None], released.numbers[:, j]
        gap = np.abs(mine - theirs)
        if np.isnan(theirs).any() or np.isnan(mine).any():
            gap = np.where(np.isnan(gap), costs[:, j, None], gap)
            gap = np.where(np.isnan(mine), 0.0, gap)
        total += gap
    for j in range(known.nodes.shape[1]):
        categories, of_row = np.unique(released.nodes[:, j], return_inverse=True)
        table = _category_table(known, trees, j, categories)
        table[:, categories < 0] = costs[:, numbers + j, None]
        table[known.nodes[:, j] < 0] = 0.0
        total += np.take(table, of_row, axis=1)
    distance: NDArray[np.float64] = total / _observed(known)
    return distance


def tree_excludes_little(
    tree: MixedTree, released: int, known: MixedRecords, costs: NDArray[np.float64], trees: Trees
) -> bool:
    """Whether a search would visit a large share of the rows, equal ones once, by a sample of the records."""
    if len(known.nodes) < MANY * SAMPLE:
        return False
    some = np.arange(0, len(known.nodes), len(known.nodes) // SAMPLE)
    sample, rows = known.take(some), MixedRecords(tree.numbers, tree.nodes)
    least, *_ = mixed_links_in_blocks(sample, rows, trees, np.full(len(some), -1), 0.0)
    visited = _least_distances_to_leaves(tree, sample, costs[some], trees) < least[:, None]
    return bool(visited.mean() * len(rows.nodes) > VISITED * released)


def _least_distances_to_leaves(
    tree: MixedTree, known: MixedRecords, costs: NDArray[np.float64], trees: Trees
) -> NDArray[np.float64]:
    """The bound of the distance to every row of each leaf, for all records: that of `distance_to_box`."""
    leaves = tree.right < 0
    missing, numbers = tree.missing[leaves], known.numbers.shape[1]
    total = np.zeros((len(known.nodes), int(leaves.sum())))
    for j in range(numbers + known.nodes.shape[1]):
        if j < numbers:
            mine = known.numbers[:, j, None]
            gap = np.maximum(np.maximum(tree.low[leaves, j] - mine, mine - tree.high[leaves, j]), 0.0)
            absent = np.isnan(known.numbers[:, j])
        else:
            categories, of_leaf = np.unique(tree.shared_category[leaves, j - numbers], return_inverse=True)
            table = _category_table(known, trees, j - numbers, categories)
            table[:, categories == MIXED], table[:, categories == ABSENT] = 0.0, np.inf
            gap, absent = table[:, of_leaf], known.nodes[:, j - numbers] < 0
        gap = np.where(missing[:, j], np.minimum(gap, costs[:, j, None]), gap)
        total += np.where(absent[:, None], 0.0, gap)
    return total / _observed(known)


def _category_table(
    known: MixedRecords, trees: Trees, attribute: int, categories: NDArray[np.integer]
) -> NDArray[np.float64]:
    """The distances of each record's category of an attribute from these; negative ones have no meaning."""
    nodes, of_record = np.unique(known.nodes[:, attribute], return_inverse=True)
    table = [category_distances(trees, node, np.maximum(categories, 0), attribute) for node in nodes]
    return np.array(table)[of_record]


def _observed(known: MixedRecords) -> NDArray[np.int64]:
    """The number of observed attributes of each record, at least 1 because it is a divisor, as a column."""
    seen = (~np.isnan(known.numbers)).sum(axis=1) + (known.nodes >= 0).sum(axis=1)
    divisor: NDArray[np.int64] = np.maximum(seen, 1)[:, None]
    return divisor
