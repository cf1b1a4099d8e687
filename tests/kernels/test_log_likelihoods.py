"""The log-likelihood of a pair by its definition, from either side, and the likeliest of them by a sort of all."""

import numpy as np
import pytest
from tests.kernels.test_likelihood_tree import evidence

from sdckit.kernels.likeliest_rows import insert, likeliest_rows
from sdckit.kernels.log_likelihoods import ANY, UNKNOWN, Evidence, log_likelihoods_at, transposed


def plain(given: Evidence, query: int, item: int) -> float:
    queries, items = given.queries, given.items
    apart = (items.high[:, item] < queries.low[:, query]) | (items.low[:, item] > queries.high[:, query])
    if apart.any():
        return -np.inf
    total = 0.0
    for index, code in enumerate(queries.codes[:, query]):
        other = items.codes[index, item]
        if code != UNKNOWN and other not in (code, ANY):
            total += items.penalty[index, item] + queries.penalty[index, query]
    for index, point in enumerate(queries.points[:, query]):
        other = items.points[index, item]
        if np.isnan(point) and not np.isnan(other):
            total += queries.hole[index]
        elif not np.isnan(point):
            total += items.hole[index] if np.isnan(other) else -((point - other) ** 2) / 2
    starts = [*given.starts.tolist(), len(given.entries)]
    for index, line in enumerate(queries.tables[:, query]):
        table = given.entries[starts[index] : starts[index + 1]].reshape(-1, given.widths[index])
        total += table[line, items.tables[index, item]] if line >= 0 else 0.0
    return total


def table_of(given: Evidence) -> np.ndarray:
    shape = given.queries.codes.shape[1], given.items.codes.shape[1]
    return np.array([[plain(given, query, item) for item in range(shape[1])] for query in range(shape[0])])


def values(given: Evidence, query: int, items: list[int]) -> list[float]:
    found, positions = np.full(len(items) + 1, 7.0), np.array([*items, -1])
    tables = given.entries, given.starts, given.widths
    log_likelihoods_at(*tables, given.queries, given.items, query, positions, len(items), found)
    assert found[len(items)] == 7.0
    return found[: len(items)].tolist()


def exchangeable(given: Evidence) -> Evidence:
    """Only queries that were exchanged are items that equal every code."""
    codes = np.where(given.items.codes == ANY, np.int32(-1), given.items.codes)
    return given._replace(items=given.items._replace(codes=codes))


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(12))
def test_a_pair_has_the_same_log_likelihood_from_either_side(seed):
    """A query whose code is unknown says nothing; exchanged, it is an item that equals every code."""
    given = exchangeable(evidence(5, 6, seed))
    back, whole = transposed(given), table_of(given)
    assert back.lines.tolist() == given.widths.tolist() and back.widths.tolist() == (given.lines + 1).tolist()
    for query in range(5):
        assert values(given, query, [4, 0, 0, 5, 1]) == whole[query, [4, 0, 0, 5, 1]].tolist()
        for item in range(6):
            assert values(given, query, [item]) == [whole[query, item]]
            assert values(back, item, [query]) == [whole[query, item]] == [plain(back, item, query)]


@pytest.mark.usefixtures("interpreted")
def test_without_tables_there_is_nothing_to_exchange():
    given = exchangeable(evidence(3, 4, 0))
    none = np.empty(0, np.int64)
    queries, items = (side._replace(tables=side.tables[:0]) for side in (given.queries, given.items))
    given = Evidence(np.empty(0), none, none, queries, items)
    back = transposed(given)
    assert len(given.lines) == len(back.entries) == len(back.starts) == len(back.widths) == 0
    assert back.items.tables.shape == (0, 3)
    assert values(given, 1, [2]) == values(back, 2, [1])


def test_some_of_a_side_are_taken_in_order():
    side = evidence(3, 6, 1).items
    some = np.array([4, 0, 4])
    taken = side.taken(some)
    for name in ("tables", "codes", "penalty", "points", "low", "high"):
        assert np.array_equal(getattr(taken, name), getattr(side, name)[:, some], equal_nan=True)
    assert taken.hole is side.hole
    shared = side._replace(high=side.low).taken(some)
    assert shared.high is shared.low and taken.high is not taken.low


@pytest.mark.parametrize("most", [1, 2, 3, 9])
def test_the_likeliest_rows_of_a_bucket_are_those_of_a_sort(most):
    for seed in range(12):
        check_likeliest(seed, most)


def check_likeliest(seed, most):
    given, rng = evidence(6, 8, seed), np.random.default_rng(seed)
    bucket, starts, rows = rng.integers(-1, 3, 6), np.array([0, 3, 3, 8]), rng.permutation(8)
    found, whole = likeliest_rows(given, bucket, starts, rows, most), table_of(given)
    for record, number in enumerate(bucket):
        mine = rows[starts[number] : starts[number + 1]] if number >= 0 else rows[:0]
        possible = [row for row in mine if whole[record, row] > -np.inf]
        order = sorted(possible, key=lambda row: (-whole[record, row], row))
        listed = found.rows[record][found.rows[record] >= 0]
        assert sorted(listed) == sorted(order[:most])
        assert found.log_likelihood[record, : len(listed)] == pytest.approx(whole[record, order[:most]])
        assert (np.diff(found.log_likelihood[record, : len(listed)]) <= 0).all()
        assert whole[record, listed] == pytest.approx(found.log_likelihood[record, : len(listed)])
        assert np.isneginf(found.log_likelihood[record, len(listed) :]).all()
        rest = np.exp(whole[record, order[most:]]).sum()
        assert np.exp(found.left_out[record]) == pytest.approx(rest)
        assert np.isneginf(found.left_out[record]) == (len(order) <= most)
    assert (found.estimate == found.left_out).all()
    some = found.taken(np.array([3, 1]))
    assert (some.rows == found.rows[[3, 1]]).all() and (some.left_out == found.left_out[[3, 1]]).all()
    assert (some.log_likelihood == found.log_likelihood[[3, 1]]).all() and (some.estimate == some.left_out).all()


def test_what_is_left_out_far_below_the_last_of_the_list_adds_nothing():
    given = evidence(1, 3, 0)
    nothing, no_codes, none = np.empty((0, 3)), np.empty((0, 3), np.int32), np.empty(0)
    for gap, expected in ((30.0, -30.0), (50.0, -np.inf)):
        queries = given.queries._replace(
            tables=np.zeros((1, 1), np.int32), codes=no_codes[:, :1], penalty=nothing[:, :1], points=nothing[:, :1]
        )
        queries = queries._replace(hole=none, low=nothing[:, :1], high=nothing[:, :1])
        items = given.items._replace(tables=np.arange(3, dtype=np.int32)[None], codes=no_codes, penalty=nothing)
        items = items._replace(points=nothing, hole=none, low=nothing, high=nothing)
        table = Evidence(np.array([0.0, 0.0, -gap]), np.array([0]), np.array([3]), queries, items)
        found = likeliest_rows(table, np.array([0]), np.array([0, 3]), np.arange(3), 2)
        assert found.left_out[0] == pytest.approx(expected, abs=1e-2)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(40))
def test_a_heap_keeps_the_largest_and_of_equal_ones_the_first(seed):
    rng = np.random.default_rng(seed)
    most, count = int(rng.integers(1, 8)), int(rng.integers(0, 16))
    values, items = rng.integers(0, 4, count).astype(float), rng.permutation(count)
    heap, listed, size = np.full(most, -np.inf), np.full(most, -1), 0
    kept: list[tuple[float, int]] = []
    for value_of, item in zip(values, items, strict=True):
        size, out = insert(heap, listed, size, most, value_of, item)
        kept = sorted([*kept, (-value_of, int(item))])
        gone = kept[most:]
        kept = kept[:most]
        assert size == len(kept)
        assert out == (-gone[0][0] if gone else -np.inf)
        assert sorted(zip(-heap[:size], listed[:size].tolist(), strict=True)) == kept
        worst = kept[-1]
        assert (-heap[0], listed[0]) == worst
