"""A search in the tree lists what an evaluation of all pairs lists, and its bound of the rest holds."""

import warnings

import numpy as np
import pytest

from sdckit.kernels import likelihood_tree, tree_search
from sdckit.kernels.likeliest_rows import likeliest_rows
from sdckit.kernels.likelihood_tree import bound, build_tree, range_peaks
from sdckit.kernels.log_likelihoods import Evidence, Side, log_likelihoods_at, transposed
from sdckit.kernels.tree_search import LikelihoodIndex


def evidence(records: int, rows: int, seed: int = 0) -> Evidence:
    """Every kind of block, with ties, unknown values, holes and impossible pairs."""
    rng = np.random.default_rng(seed)
    tables = [rng.normal(size=(9, 12)), np.where(rng.random((3, 4)) < 0.3, -np.inf, rng.normal(size=(3, 4)))]

    def holes(values: np.ndarray, missing: float) -> np.ndarray:
        return np.where(rng.random(values.shape) < 0.1, missing, values)

    values = np.round(rng.normal(size=(1, rows)), 1)
    centre = rng.normal(size=(1, records))
    return Evidence(
        np.concatenate([each.ravel() for each in tables]),
        np.array([0, tables[0].size]),
        np.array([12, 4]),
        Side(
            holes(np.array([rng.integers(0, 9, records), rng.integers(0, 3, records)]), -1).astype(np.int32),
            holes(rng.integers(0, 5, (2, records)), -1).astype(np.int32),
            np.zeros((2, records)),
            holes(np.round(rng.normal(size=(2, records)), 1), np.nan),
            np.zeros(2),
            centre - 1.5,
            centre + 1.5,
        ),
        Side(
            np.array([rng.integers(0, 12, rows), rng.integers(0, 4, rows)], dtype=np.int32),
            holes(rng.integers(0, 5, (2, rows)), -1).astype(np.int32),
            np.array([rng.uniform(-3, 0, rows), np.full(rows, -np.inf)]),
            holes(np.round(rng.normal(size=(2, rows)), 1), np.nan),
            np.array([-2.0, -np.inf]),
            values,
            values,
        ),
    )


def by_pairs(given: Evidence, buckets: np.ndarray, of_item: np.ndarray, most: int):
    order = np.argsort(of_item, kind="stable")
    starts = np.searchsorted(of_item[order], np.arange(of_item.max() + 2))
    return likeliest_rows(given, buckets, starts, order, most)


def searched_by_definition(given: Evidence, tree, query: int, most: int, patience: int, effort: int, negligible: float):
    """The search with plain lists: the node of the largest bound first, until what is left is small or time is up."""
    peaks, items = range_peaks(given), given.items.taken(tree.order)
    nodes = tree.nodes

    def limit_of(node: int) -> float:
        return bound(peaks, given.starts, given.widths, given.queries, items.hole, nodes, query, node)

    def value_at(position: int) -> float:
        return value_of(given._replace(items=items), query, position)

    found: list[tuple[float, int]] = []  # value and item, worst last
    pending = [(limit_of(tree.roots[0]), tree.roots[0])]
    evaluated, left_out, estimate = 0, 0.0, 0.0
    small = np.log(negligible / len(tree.order)) if negligible else -np.inf
    while pending:
        limit, node = max(pending)
        if limit == -np.inf:
            break
        total = sum(np.exp(value) for value, _ in found)
        skipped = evaluated >= effort or (total > 0 and limit < np.log(total) + small)
        if not skipped and len(found) >= most and limit < found[most - 1][0]:
            skipped = evaluated >= patience
        if skipped:
            for limit, node in pending:
                start, count = nodes.start[node], nodes.stop[node] - nodes.start[node]
                left_out += count * np.exp(limit)
                if found and limit < found[0][0] + small:
                    estimate += count * np.exp(limit)
                    continue
                some = min(1 + count // 32, 16)
                places = [start + (2 * sample + 1) * count // (2 * some) for sample in range(some)]
                estimate += sum(count / some * np.exp(value_at(place)) for place in places)
            break
        pending.remove((limit, node))
        if nodes.right[node] >= 0:
            pending += [(limit_of(child), child) for child in (node + 1, nodes.right[node])]
            pending = [each for each in pending if each[0] > -np.inf]
            continue
        for position in range(nodes.start[node], nodes.stop[node]):
            evaluated += 1
            if (value := value_at(position)) > -np.inf:
                found.append((value, int(tree.order[position])))
        found.sort(key=lambda pair: (-pair[0], pair[1]))
    unlisted = sum(np.exp(value) for value, _ in found[most:])
    return found[:most], left_out + unlisted, estimate + unlisted


@pytest.mark.parametrize("most", [1, 5, 200])
@pytest.mark.parametrize(
    ("patience", "effort", "negligible"),
    [(0, 10**6, 0.0), (10**6, 10**6, 0.0), (20, 10**6, 0.0), (10**6, 10**6, 0.05), (10**6, 17, 1e-5), (0, 33, 0.3)],
)
def test_the_search_goes_as_defined(most: int, patience: int, effort: int, negligible: float):
    given = evidence(8, 150, seed=6)
    index = LikelihoodIndex(given, np.zeros(8, np.int64), np.zeros(150, np.int64))
    queries = np.array([7, 0, 3, 5])
    found = index.likeliest(queries, most, patience, effort, negligible=negligible)
    for line, query in enumerate(queries):
        listed, left_out, estimate = searched_by_definition(
            given, index.tree, query, most, patience, effort, negligible
        )
        assert found.rows[line].tolist() == [item for _, item in listed] + [-1] * (most - len(listed))
        assert found.log_likelihood[line, : len(listed)].tolist() == [value for value, _ in listed]
        assert (found.log_likelihood[line, len(listed) :] == -np.inf).all()
        assert np.exp(found.left_out[line]) == pytest.approx(left_out)
        assert np.exp(found.estimate[line]) == pytest.approx(estimate)


def test_a_query_without_a_bucket_has_no_items():
    given = evidence(3, 20)
    index = LikelihoodIndex(given, np.array([0, -1, 0]), np.zeros(20, np.int64))
    found = index.likeliest(np.arange(3), 4)
    assert found.rows[1].tolist() == [-1] * 4
    assert found.left_out[1] == found.estimate[1] == -np.inf and (found.log_likelihood[1] == -np.inf).all()


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("buckets", [1, 3])
def test_the_search_lists_what_all_pairs_give(exchanged: bool, buckets: int):
    given, rng = evidence(70, 900), np.random.default_rng(5)
    of_record, of_row = rng.integers(-1, buckets, 70), rng.integers(0, buckets, 900)
    if exchanged:
        given, of_record, of_row = transposed(given), of_row, np.maximum(of_record, 0)
    expected = by_pairs(given, of_record, of_row, 7)
    index = LikelihoodIndex(given, of_record, of_row)
    found = index.likeliest(np.arange(len(of_record)), 7, negligible=0.0, patience=0)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, abs=0, nan_ok=True)
    assert (np.sort(found.rows) == np.sort(expected.rows)).all()
    assert (found.left_out >= expected.left_out - 1e-9).all()
    patient = index.likeliest(np.arange(len(of_record)), 7, negligible=0.0)
    assert patient.left_out == pytest.approx(expected.left_out)


def test_exchanged_sides_give_the_same_log_likelihoods():
    given = evidence(40, 60)
    forth = by_pairs(given, np.zeros(40, np.int64), np.zeros(60, np.int64), 60)
    back = by_pairs(transposed(given), np.zeros(60, np.int64), np.zeros(40, np.int64), 40)
    one, other = np.full((40, 60), -np.inf), np.full((40, 60), -np.inf)
    for record in range(40):
        listed = forth.rows[record] >= 0
        one[record, forth.rows[record][listed]] = forth.log_likelihood[record][listed]
    for row in range(60):
        listed = back.rows[row] >= 0
        other[back.rows[row][listed], row] = back.log_likelihood[row][listed]
    assert np.isfinite(one).any() and (one == other).all()


def test_what_is_negligible_is_left_out_and_bounded():
    given = evidence(50, 2000, seed=1)
    wide = [side._replace(points=side.points * 8) for side in (given.queries, given.items)]
    given = given._replace(queries=wide[0], items=wide[1])
    nowhere = np.zeros(50, np.int64), np.zeros(2000, np.int64)
    expected = by_pairs(given, *nowhere, 2000)
    found = LikelihoodIndex(given, *nowhere).likeliest(np.arange(50), 2000, negligible=1e-2)
    listed = np.exp(found.log_likelihood).sum(axis=1)
    everything = np.exp(expected.log_likelihood).sum(axis=1)
    some = everything > 0
    assert (everything[some] - listed[some] <= 1e-2 * everything[some] + 1e-12).all()
    assert (np.exp(found.left_out) >= everything - listed - 1e-9 * everything).all()
    assert (found.rows >= 0).sum() < (expected.rows >= 0).sum()


def test_a_search_with_little_effort_still_bounds_the_rest():
    given = evidence(50, 2000, seed=2)
    nowhere = np.zeros(50, np.int64), np.zeros(2000, np.int64)
    expected = by_pairs(given, *nowhere, 2000)
    found = LikelihoodIndex(given, *nowhere).likeliest(np.arange(50), 20, effort=100)
    everything = np.exp(expected.log_likelihood).sum(axis=1)
    assert (np.exp(found.log_likelihood).sum(axis=1) + np.exp(found.left_out) >= everything * (1 - 1e-9)).all()


def test_the_order_of_another_tree_gives_the_same_lists():
    given, other = evidence(50, 900, seed=3), evidence(50, 900, seed=4)
    nowhere = np.zeros(50, np.int64), np.zeros(900, np.int64)
    own = LikelihoodIndex(given, *nowhere).likeliest(np.arange(50), 7, negligible=0.0)
    borrowed = LikelihoodIndex(given, *nowhere, LikelihoodIndex(other, *nowhere).tree)
    found = borrowed.likeliest(np.arange(50), 7, negligible=0.0)
    assert (found.rows == own.rows).all()
    assert (found.log_likelihood == own.log_likelihood).all()


def test_intervals_may_be_open_on_either_side():
    """The middle of an interval from −∞ to ∞ is no number."""
    given = evidence(60, 80)
    low, high = given.queries.low.copy(), given.queries.high.copy()
    low[0, :30], high[0, 20:50] = -np.inf, np.inf
    given = transposed(given._replace(queries=given.queries._replace(low=low, high=high)))
    one = np.zeros(80, np.int64), np.zeros(60, np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        index = LikelihoodIndex(given, *one)
    found = index.likeliest(np.arange(80), 7, negligible=0.0, patience=0)
    assert found.log_likelihood == pytest.approx(by_pairs(given, *one, 7).log_likelihood, abs=0)


@pytest.mark.parametrize(
    ("low", "high", "fits"), [(1, 2, True), (0, 1, True), (2, 3, True), (0, 0.9, False), (2.1, 3, False)]
)
def test_intervals_that_touch_fit_by_hand(low, high, fits):
    """The query may be anything from 1 to 2."""
    nothing = np.empty((0, 1))

    def side(low, high):
        codes = nothing.astype(np.int32)
        return Side(codes, codes, nothing, nothing, np.empty(0), np.array([[low]]), np.array([[high]]))

    no_tables = np.empty(0), np.empty(0, np.int64), np.empty(0, np.int64)
    given = Evidence(*no_tables, side(1.0, 2.0), side(float(low), float(high)))
    one = np.zeros(1, np.int64)
    expected = 0.0 if fits else -np.inf
    for sides in (given, transposed(given)):
        assert value_of(sides, 0, 0) == by_pairs(sides, one, one, 1).log_likelihood[0, 0] == expected


def test_what_a_short_search_leaves_out_is_estimated_and_bounded():
    given = evidence(60, 4_000, seed=3)
    of_record, of_row = np.zeros(60, np.int64), np.zeros(4_000, np.int64)
    everything = by_pairs(given, of_record, of_row, 4_000).log_likelihood
    found = LikelihoodIndex(given, of_record, of_row).likeliest(np.arange(60), 40, 0, 300)
    total, listed = np.exp(everything).sum(axis=1), np.exp(found.log_likelihood).sum(axis=1)
    estimated = np.exp(found.estimate)
    assert (found.estimate <= found.left_out + 1e-9).all()
    assert (np.exp(found.left_out) >= (total - listed) * (1 - 1e-9)).all()
    possible = total > 0
    assert (total - listed)[possible].sum() > 0.3 * total[possible].sum()  # much is left out
    assert estimated[possible].sum() == pytest.approx((total - listed)[possible].sum(), rel=0.1)


def bounded(given: Evidence, tree, query: int, node: int) -> float:
    peaks = range_peaks(given)
    return bound(peaks, given.starts, given.widths, given.queries, given.items.hole, tree.nodes, query, node)


def value_of(given: Evidence, query: int, item: int) -> float:
    found, tables = np.empty(1), (given.entries, given.starts, given.widths)
    log_likelihoods_at(*tables, given.queries, given.items, query, np.array([item]), 1, found)
    return float(found[0])


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
            assert bounded(given, tree, query, tree.roots[item]) == value_of(given, query, item)


def test_no_item_below_a_node_has_a_larger_log_likelihood():
    given = evidence(12, 60, seed=4)
    tree = build_tree(given, np.zeros(60, dtype=np.int64), 1)
    assert sorted(tree.order.tolist()) == list(range(60)) and len(tree.nodes.start) > 3
    for query in range(12):
        values = [value_of(given, query, item) for item in tree.order]
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


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (1, 5), (3, 1), (3, 5)])
def test_items_are_of_one_type_however_few_there_are(shape):
    values = np.arange(np.prod(shape), dtype=np.int32).reshape(shape)
    by_item = tree_search._by_item(values)
    assert by_item.flags.f_contiguous and not by_item.flags.c_contiguous
    assert by_item[: shape[0], : shape[1]].tolist() == values.tolist()
