import numpy as np
import pytest

from sdckit.kernels.kd_tree import DEPTH, build_tree
from sdckit.kernels.nearest_of_few import _squared_distances
from sdckit.kernels.priced_rows import NONE, cheapest, list_cheapest, priced, set_price


@pytest.mark.parametrize("width", [1, 5, 40])
def test_the_cheapest_rows_equal_brute_force_while_prices_change(width):
    rng = np.random.default_rng(width)
    tree = build_tree(np.round(rng.normal(size=(300, 3)), 1))
    rows = len(tree.rows)
    prices = priced(tree, rng.normal(size=rows))
    known = rng.normal(size=(1, 3))
    listed, cost = np.full(width, NONE), np.empty(width)
    for _ in range(30):
        for row in rng.integers(rows, size=20):
            set_price(tree, prices, row, rng.normal(scale=2))
        bound = cheapest(tree, prices, known, 0, listed, cost, np.empty(DEPTH, np.int64))
        distance = ((tree.rows - known) ** 2).sum(axis=1)
        expected = np.sort(distance + prices.row)[:width]
        assert len(np.unique(listed)) == width
        assert cost == pytest.approx(distance[listed])
        assert distance[listed] + prices.row[listed] == pytest.approx(expected)
        assert bound == pytest.approx(expected[-1])


def test_a_list_longer_than_the_file_leaves_nothing_out():
    tree = build_tree(np.array([[0.0], [1.0]]))
    listed, cost = np.full(4, NONE), np.empty(4)
    prices = priced(tree, np.zeros(2))
    assert cheapest(tree, prices, np.array([[0.2]]), 0, listed, cost, np.empty(DEPTH, np.int64)) == np.inf
    assert listed[2:].tolist() == [NONE, NONE]


def test_every_node_has_the_least_price_under_it():
    rng = np.random.default_rng(0)
    tree = build_tree(rng.normal(size=(200, 2)))
    prices = priced(tree, rng.normal(size=200))
    for row in rng.integers(200, size=500):
        set_price(tree, prices, row, rng.normal())
    least = [prices.row[start:stop].min() for start, stop in zip(tree.start, tree.stop, strict=True)]
    assert prices.node.tolist() == least


@pytest.mark.parametrize("width", [2, 5])
def test_no_row_left_out_of_a_list_is_cheaper_than_the_last_listed(width):
    rng = np.random.default_rng(width)
    tree = build_tree(rng.normal(size=(90, 2)))
    for record in rng.normal(size=(25, 1, 2)):
        prices = priced(tree, rng.normal(size=90))
        listed, cost = np.full(width, NONE), np.empty(width)
        bound = cheapest(tree, prices, record, 0, listed, cost, np.empty(DEPTH, np.int64))
        keys = ((tree.rows - record) ** 2).sum(axis=1) + prices.row
        assert listed.tolist() == np.argsort(keys)[:width].tolist()
        assert bound == pytest.approx(np.sort(keys)[width - 1])


def test_lists_of_some_records_are_those_of_all_prices_also_with_holes():
    for seed in range(12):
        rng = np.random.default_rng(seed)
        released = rng.integers(0, 9, (int(rng.integers(2, 40)), 2)).astype(float)
        released[rng.random(released.shape) < (0.2 if seed % 2 else 0)] = np.nan
        tree = build_tree(released)
        known = rng.normal(4, 3, (4, 2))
        prices = priced(tree, rng.integers(0, 6, len(tree.rows)).astype(float))
        width = int(rng.integers(1, len(tree.rows) + 1))
        listed, cost, bound = np.full((4, width), NONE), np.empty((4, width)), np.full(4, -7.0)
        list_cheapest.py_func(tree, prices, known, 1, 3, listed, cost, bound)
        assert bound[[0, 3]].tolist() == [-7, -7] and (listed[[0, 3]] == NONE).all()
        distance = _squared_distances(known, released)[:, tree.first]
        for record in (1, 2):
            keys = distance[record] + prices.row
            assert sorted(keys[listed[record]].tolist()) == pytest.approx(np.sort(keys)[:width].tolist())
            assert cost[record] == pytest.approx(distance[record, listed[record]])
            assert bound[record] == pytest.approx(np.sort(keys)[width - 1])
            assert len(set(listed[record].tolist())) == width


def test_a_price_changes_only_the_nodes_above_it():
    rng = np.random.default_rng(3)
    tree = build_tree(rng.normal(size=(60, 2)))
    prices = priced(tree, np.ones(60))
    for node, right in enumerate(tree.right):
        children = [] if right < 0 else [node + 1, right]
        assert [prices.parent[child] for child in children] == [node] * len(children)
    assert prices.parent[0] == NONE
    for row in range(60):
        assert tree.start[prices.leaf[row]] <= row < tree.stop[prices.leaf[row]] and tree.right[prices.leaf[row]] < 0
    for row, price in ((5, 0.5), (5, 3.0), (59, 0.1), (0, 0.05), (59, 2.0)):
        set_price(tree, prices, row, price)
        least = [prices.row[start:stop].min() for start, stop in zip(tree.start, tree.stop, strict=True)]
        assert prices.node.tolist() == least and prices.row[row] == price
