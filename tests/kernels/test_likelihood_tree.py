"""Bounds of a tree of items: exact where a node leaves nothing open, and never below the value of an item."""

import numpy as np
import pytest
from tests.kernels.test_tree_search import evidence

from sdckit.kernels import likelihood_tree
from sdckit.kernels.likelihood_tree import bound, build_tree, range_peaks
from sdckit.kernels.log_likelihoods import Evidence, Side, log_likelihood


def bounded(given: Evidence, tree, query: int, node: int) -> float:
    peaks = range_peaks(given)
    return bound(peaks, given.starts, given.widths, given.queries, given.items.hole, tree.nodes, query, node)


def value(given: Evidence, query: int, item: int) -> float:
    return log_likelihood(given.entries, given.starts, given.widths, given.queries, given.items, query, item)


def only_tables(table: np.ndarray, lines: list[int], columns: list[int]) -> Evidence:
    def side(codes: list[int]) -> Side:
        nothing = np.empty((0, len(codes)))
        return Side(
            np.array([codes], np.int32), nothing.astype(np.int32), nothing, nothing, np.empty(0), nothing, nothing
        )

    return Evidence(table.ravel(), np.array([0]), np.array([table.shape[1]]), side(lines), side(columns))


def test_the_bound_of_a_single_item_is_its_log_likelihood():
    given = evidence(20, 20, seed=3)
    tree = build_tree(given, np.arange(20), 20)
    for item in range(20):
        for query in range(20):
            assert bounded(given, tree, query, tree.roots[item]) == value(given, query, item)


def test_no_item_below_a_node_has_a_larger_log_likelihood():
    given = evidence(12, 60, seed=4)
    tree = build_tree(given, np.zeros(60, dtype=np.int64), 1)
    assert sorted(tree.order.tolist()) == list(range(60)) and len(tree.nodes.start) > 3
    for query in range(12):
        values = [value(given, query, item) for item in tree.order]
        for node, (start, stop) in enumerate(zip(tree.nodes.start, tree.nodes.stop, strict=True)):
            assert bounded(given, tree, query, node) >= max(values[start:stop])


@pytest.mark.parametrize("levels", [1, 2, 3, 9])
def test_the_bound_of_a_range_of_a_table_is_its_largest_entry(levels, monkeypatch):
    """Also where memory allows tables of maxima for short ranges only."""
    rng = np.random.default_rng(levels)
    table = rng.normal(size=(3, 13))
    monkeypatch.setattr(likelihood_tree, "PEAKS", levels * table.size)
    for first in range(13):
        for last in range(first, 13):
            given = only_tables(table, [0, 1, 2], [last, first, (first + last) // 2])
            tree = build_tree(given, np.zeros(3, dtype=np.int64), 1)
            assert len(range_peaks(given)) == min(levels, 4)
            for line in range(3):
                assert bounded(given, tree, line, 0) == table[line, first : last + 1].max()
