import numpy as np
import pytest

from sdckit.kernels.kd_tree import DEPTH, build_tree
from sdckit.kernels.priced_rows import NONE, cheapest, priced, set_price


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
