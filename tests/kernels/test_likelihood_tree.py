"""Nodes of the forest have the ranges of their items, and bounds are what these ranges allow at best."""

import numpy as np
import pytest
from tests.kernels.whole_leaves import halves

from sdckit.kernels import likelihood_tree
from sdckit.kernels.likelihood_tree import LEAF, Ranges, Tree, bound, build_tree, coordinates, range_peaks, ranges
from sdckit.kernels.log_likelihoods import ANY, UNKNOWN, Evidence, Side
from sdckit.kernels.sorted_positions import sorted_positions


def evidence(records: int, items: int, seed: int) -> Evidence:
    """Every kind of block on small whole numbers, with ties, holes, open intervals and penalties of either sign."""
    rng = np.random.default_rng(seed)
    tables = [rng.integers(-3, 2, (4, 3)).astype(float), rng.integers(-3, 2, (2, 7)).astype(float)]
    tables[0][0, :2] = -np.inf

    def side(count: int, sizes: tuple[int, int], unknown: int) -> Side:
        points = rng.integers(-4, 5, (2, count)) / 2
        points[rng.random(points.shape) < 0.2] = np.nan
        low = rng.integers(0, 4, (2, count)).astype(float)
        high = low + rng.integers(0, 2, (2, count))
        low[rng.random(low.shape) < 0.05] = -np.inf
        high[rng.random(low.shape) < 0.05] = np.inf
        codes = rng.integers(0, 4, (2, count))
        codes[rng.random(codes.shape) < 0.1] = unknown
        return Side(
            np.array([rng.integers(0, size, count) for size in sizes], dtype=np.int32),
            codes.astype(np.int32),
            rng.integers(-3, 2, (2, count)) / 2,
            points,
            rng.integers(-2, 2, 2).astype(float),
            low,
            high,
        )

    queries = side(records, (4, 2), UNKNOWN)
    queries.tables[rng.random(queries.tables.shape) < 0.2] = -1
    entries = np.concatenate([each.ravel() for each in tables])
    return Evidence(entries, np.array([0, 12]), np.array([3, 7]), queries, side(items, (3, 7), ANY))


def ranges_of(given: Evidence, tree: Tree) -> Ranges:
    return ranges(tree.nodes.start, tree.nodes.stop, tree.nodes.right, given.items, tree.order)


def items_below(tree: Tree, node: int) -> np.ndarray:
    return tree.order[tree.nodes.start[node] : tree.nodes.stop[node]]


@pytest.mark.parametrize("sizes", [[1], [LEAF], [LEAF + 1], [3 * LEAF + 1], [5, 0, 2 * LEAF + 1, 1, 5 * LEAF]])
def test_each_bucket_is_a_tree_of_halves(sizes):
    of_item = np.random.default_rng(1).permutation(np.repeat(np.arange(-1, len(sizes)), [2, *sizes]))
    tree = build_tree(evidence(5, len(of_item), 2), of_item, len(sizes))
    nodes, expected, roots, lefts = tree.nodes, [], [], []
    start = 2
    for bucket, size in enumerate(sizes):
        roots.append(len(expected))
        expected += halves(start, start + size, LEAF)
        assert sorted(tree.order[start : start + size]) == np.flatnonzero(of_item == bucket).tolist()
        start += size
    assert list(zip(nodes.start, nodes.stop, strict=True)) == expected
    assert tree.roots.tolist() == roots
    for node, right in enumerate(nodes.right):
        size = nodes.stop[node] - nodes.start[node]
        assert (right < 0) == (size <= LEAF)
        if right >= 0:
            assert (nodes.stop[node + 1], nodes.stop[right]) == (nodes.start[right], nodes.stop[node])
            lefts.append(nodes.stop[node + 1] - nodes.start[node])
    assert all(left % LEAF == 0 for left in lefts)


@pytest.mark.parametrize("seed", range(4))
def test_a_node_has_the_ranges_of_its_items(seed):
    given = evidence(6, 45, seed)
    given.items.low[0, 3], given.items.high[1, 5] = np.nan, np.nan
    items = given.items
    tree = build_tree(given, np.repeat([0, 1, 2], [3, 40, 2]), 3)
    nodes = ranges_of(given, tree)
    for node in range(len(tree.nodes.start)):
        below = items_below(tree, node)
        assert (nodes.table_low[node] == items.tables[:, below].min(axis=1)).all()
        assert (nodes.table_high[node] == items.tables[:, below].max(axis=1)).all()
        anything = (items.codes[:, below] == ANY).any(axis=1)
        limits = np.iinfo(np.int32)
        assert (nodes.code_low[node] == np.where(anything, limits.min, items.codes[:, below].min(axis=1))).all()
        assert (nodes.code_high[node] == np.where(anything, limits.max, items.codes[:, below].max(axis=1))).all()
        assert (nodes.penalty[node] == items.penalty[:, below].max(axis=1)).all()
        points = items.points[:, below]
        assert (nodes.point_low[node] == np.where(np.isnan(points), np.inf, points).min(axis=1)).all()
        assert (nodes.point_high[node] == np.where(np.isnan(points), -np.inf, points).max(axis=1)).all()
        assert (nodes.missing[node] == np.isnan(points).any(axis=1)).all()
        assert (
            nodes.low[node] == np.where(np.isnan(items.low[:, below]), -np.inf, items.low[:, below]).min(axis=1)
        ).all()
        assert (
            nodes.high[node] == np.where(np.isnan(items.high[:, below]), np.inf, items.high[:, below]).max(axis=1)
        ).all()


def test_the_ranges_of_an_empty_bucket_are_empty():
    given = evidence(3, 4, 0)
    tree = build_tree(given, np.array([0, 0, 2, 2]), 3)
    root, nodes = tree.roots[1], ranges_of(given, tree)
    pairs = [(nodes.table_low, nodes.table_high), (nodes.code_low, nodes.code_high)]
    pairs += [(nodes.point_low, nodes.point_high), (nodes.low, nodes.high)]
    assert all((low[root] > high[root]).all() for low, high in pairs)
    assert np.isneginf(nodes.penalty[root]).all() and not nodes.missing[root].any()


def best_by_ranges(given: Evidence, below: np.ndarray, query: int) -> float:
    """The bound by its definition, from the items themselves."""
    queries, items = given.queries, given.items
    if (items.high[:, below].max(axis=1) < queries.low[:, query]).any():
        return -np.inf
    if (items.low[:, below].min(axis=1) > queries.high[:, query]).any():
        return -np.inf
    total = 0.0
    for index, code in enumerate(queries.codes[:, query]):
        codes = items.codes[index, below]
        unequal = items.penalty[index, below].max() + queries.penalty[index, query]
        possible = (codes == ANY).any() or codes.min() <= code <= codes.max()
        if code != UNKNOWN:
            total += max(unequal, 0.0) if possible else unequal
    for index, point in enumerate(queries.points[:, query]):
        points = items.points[index, below]
        there = points[~np.isnan(points)]
        possible = []
        if np.isnan(point):
            possible += [queries.hole[index]] * (len(there) > 0 or len(there) == len(points))
            possible += [0.0, queries.hole[index]] * (len(there) < len(points))
        else:
            possible += [-0.5 * max(there.min() - point, point - there.max(), 0.0) ** 2] * (len(there) > 0)
            possible += [items.hole[index]] * (len(there) < len(points))
        total += max(possible)
    for index, line in enumerate(queries.tables[:, query]):
        if line >= 0:
            columns = items.tables[index, below]
            table = given.entries[given.starts[index] :][: given.lines[index] * given.widths[index]]
            total += table.reshape(-1, given.widths[index])[line, columns.min() : columns.max() + 1].max()
    return total


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("levels", [1, 2, 9])
def test_a_bound_is_the_best_that_the_ranges_allow(seed, levels, monkeypatch):
    """Also where memory allows tables of maxima for short ranges only."""
    given = evidence(10, 30, seed)
    monkeypatch.setattr(likelihood_tree, "PEAKS", levels * len(given.entries))
    tree, peaks = build_tree(given, np.arange(30) // 3 * (np.arange(30) < 12), 4), range_peaks(given)
    for node in range(len(tree.nodes.start)):
        for query in range(10):
            found = bound(peaks, given.starts, given.widths, given.queries, given.items.hole, tree.nodes, query, node)
            assert found == best_by_ranges(given, items_below(tree, node), query)


@pytest.mark.parametrize("most", [0, 26, 52, 78, 10**6])
def test_peaks_are_the_largest_of_powers_of_two(most, monkeypatch):
    given = evidence(3, 3, 4)
    monkeypatch.setattr(likelihood_tree, "PEAKS", most)
    peaks = range_peaks(given)
    assert peaks.shape == (min(max(most // 26, 1), 3), 26)
    for level, found in enumerate(peaks):
        for start, stop, width in ((0, 12, 3), (12, 26, 7)):
            for line in range(start, stop, width):
                for entry in range(line, line + width - 2**level + 1):
                    assert found[entry] == given.entries[entry : entry + 2**level].max()


def share_of_likely(given: Evidence, some: list[int]) -> list[tuple[float, np.ndarray]]:
    """For each coordinate the share of the items that a query finds likely, over some queries, and its values."""
    queries, items = given.queries, given.items
    found = []
    for low, high, own_low, own_high in zip(items.low, items.high, queries.low, queries.high, strict=True):
        fits = [np.mean((low <= own_high[query]) & (high >= own_low[query])) for query in some]
        ends = [[end for end in pair if np.isfinite(end)] or [0.0] for pair in zip(low, high, strict=True)]
        found.append((np.mean(fits), np.array([(pair[0] + pair[-1]) / 2 for pair in ends])))
    for points, own in zip(items.points, queries.points, strict=True):
        near = [1.0 if np.isnan(own[query]) else np.mean(np.abs(points - own[query]) <= 2) for query in some]
        found.append((np.mean(near), np.nan_to_num(points)))
    for codes, penalty in zip(items.codes, items.penalty, strict=True):
        known = np.maximum(codes, 0)
        equal = np.mean([np.mean(known == code) for code in known])
        unlike = np.exp(min(penalty.mean(), 0.0))
        found.append((equal + (1 - equal) * unlike, codes.astype(float)))
    for index, columns in enumerate(items.tables):
        table = given.entries[given.starts[index] :][: given.lines[index] * given.widths[index]]
        odds = np.exp(table.reshape(-1, given.widths[index]))[:, columns]
        likely = np.divide(
            odds.mean(axis=1) ** 2, (odds**2).mean(axis=1), out=np.zeros(len(odds)), where=odds.any(axis=1)
        )
        lines = queries.tables[index]
        found.append(
            (np.mean([1.0 if lines[query] < 0 else likely[lines[query]] for query in some]), columns.astype(float))
        )
    return found


@pytest.mark.parametrize("records", [1, 2, 9])
@pytest.mark.parametrize("seed", range(8))
def test_coordinates_are_ranks_in_units_of_what_is_likely(records, seed, monkeypatch):
    monkeypatch.setattr(likelihood_tree, "SAMPLE", 3)
    items = [1, 2, 7, 12][seed % 4]
    given = evidence(records, items, seed)
    found = coordinates(given)
    shares = share_of_likely(given, sorted({0, (records - 1) // 2, records - 1}))
    telling = sorted((each for each in shares if each[0] < 0.9), key=lambda each: each[0])
    assert found.shape == (items, max(len(telling), 1))
    if not telling:
        assert not found.any()
    for axis, (share, _) in enumerate(telling):
        alike = [values for other, values in telling if other == pytest.approx(share)]
        expected = [np.add(*sorted_positions(np.sort(values), values)) / 2 / items for values in alike]
        assert any(found[:, axis] * max(share, 1 / items) == pytest.approx(ranks, rel=1e-6) for ranks in expected)


def test_the_coordinates_that_distinguish_most_are_taken(monkeypatch):
    given = evidence(9, 40, 1)
    every = coordinates(given)
    assert every.shape[1] > 2
    monkeypatch.setattr(likelihood_tree, "COORDINATES", 2)
    assert (coordinates(given) == every[:, :2]).all()


@pytest.mark.parametrize(("records", "items"), [(0, 3), (3, 0), (0, 0)])
def test_nothing_is_distinguished_where_there_is_no_query_or_no_item(records, items):
    assert (coordinates(evidence(records, items, 0)) == np.zeros((items, 1))).all()


def test_the_order_of_another_tree_is_taken_for_one_bucket_of_as_many_items():
    given, other = evidence(5, 40, 1), evidence(5, 40, 2)
    one, two = np.zeros(40, np.int64), np.arange(40) % 2
    like = build_tree(other, one, 1)
    own, borrowed = build_tree(given, one, 1), build_tree(given, one, 1, like)
    assert (own.order != like.order).any() and (borrowed.order == like.order).all()
    for node in range(len(borrowed.nodes.start)):
        below = items_below(borrowed, node)
        assert (ranges_of(given, borrowed).table_high[node] == given.items.tables[:, below].max(axis=1)).all()
    assert (build_tree(given, two, 2, like).order == build_tree(given, two, 2).order).all()
    fewer = evidence(5, 39, 1)
    assert (build_tree(fewer, one[1:], 1, like).order == build_tree(fewer, one[1:], 1).order).all()
    of_two = build_tree(other, two, 2)
    assert (build_tree(given, one, 1, of_two).order == own.order).all()
