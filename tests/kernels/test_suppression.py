"""Local suppression on arrays of codes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.conftest import columns, reference_file

from sdckit.kernels import suppression
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.kernels.suppression import losses_by_cost, suppress_to_k_anonymity


def random_codes(records: int, sizes: tuple[int, ...], seed: int, missing: float) -> NDArray[np.int64]:
    rng = np.random.default_rng(seed)
    codes = np.column_stack([rng.integers(0, size, records) ** 2 // max(size - 1, 1) for size in sizes])
    codes[rng.random(codes.shape) < missing] = -1
    return codes


def by_the_book(codes: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """The plain heuristic: while a record is too rare, lose the first key that adds to its frequency."""

    def frequency(row: NDArray[np.int64]) -> int:
        return int(((codes == row) | (codes < 0) | (row < 0)).all(axis=1).sum())

    codes = codes.copy()
    order = np.argsort([-len(np.unique(column)) for column in codes.T], kind="stable")
    for record in np.flatnonzero(wildcard_frequencies(codes) < k):
        while frequency(codes[record]) < k:
            left = [key for key in order if codes[record, key] >= 0]
            for key in left:
                tried = codes[record].copy()
                tried[key] = -1
                if frequency(tried) > frequency(codes[record]):
                    break
            codes[record, key] = -1
    return codes


@given(st.integers(2, 60), st.integers(1, 4), st.integers(1, 8), st.integers(0, 999), st.sampled_from([0.0, 0.2]))
def test_afterwards_enough_records_agree_with_each_and_nothing_else_changed(records, keys, k, seed, missing):
    codes = random_codes(records, (2, 5, 9, 3)[:keys], seed, missing)
    k = min(k, records)
    masked = suppress_to_k_anonymity(codes, k, np.ones(keys))
    assert wildcard_frequencies(masked).min() >= k
    assert ((masked == codes) | (masked == -1)).all()
    frequent = wildcard_frequencies(codes) >= k
    assert np.array_equal(masked[frequent], codes[frequent])


def test_one_value_is_enough_by_hand():
    codes = np.array([[0, 0], [0, 0], [0, 0], [0, 1]])
    assert suppress_to_k_anonymity(codes, 2, np.ones(2)).tolist() == [[0, 0], [0, 0], [0, 0], [0, -1]]


def test_the_more_costly_key_is_kept():
    codes = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0]] + [[1, 0, 0]] * 2)
    cheap_last = suppress_to_k_anonymity(codes, 2, np.array([5.0, 5.0, 1.0]))
    assert not (cheap_last[:, 0] < 0).any() and (cheap_last[:, 2] < 0).any()


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize(
    "keys", [("urbrur", "roof", "walls", "water", "sex"), ("urbrur", "roof", "sex", "age", "relat")]
)
def test_a_survey_loses_no_more_than_by_the_book(keys, k):
    table = columns(reference_file("data", "testdata.csv"))
    codes = np.column_stack([np.unique(table[key], return_inverse=True)[1] for key in keys])
    masked = suppress_to_k_anonymity(codes, k, np.ones(len(keys)))
    assert wildcard_frequencies(masked).min() >= k
    assert (masked < 0).sum() <= (by_the_book(codes, k) < 0).sum()


def test_sets_taken_by_cost_do_as_well(monkeypatch):
    codes = random_codes(200, (2, 6, 12, 4), 5, 0.05)
    monkeypatch.setattr(suppression, "SETS_AT_ONCE", 1)
    assert wildcard_frequencies(suppress_to_k_anonymity(codes, 4, np.ones(4))).min() >= 4


def test_limits_all_alike_all_unique_and_all_needed():
    assert (suppress_to_k_anonymity(np.zeros((4, 2)), 4, np.ones(2)) == 0).all()
    unique = suppress_to_k_anonymity(np.arange(6)[:, None], 3, np.ones(1))
    assert wildcard_frequencies(unique).min() >= 3
    assert suppress_to_k_anonymity(np.zeros((1, 2)), 1, np.ones(2)).tolist() == [[0, 0]]


def one_record_after_the_other(
    codes: NDArray[np.int64], k: int, sets: list[int], one_by_one: bool
) -> NDArray[np.int64]:
    """The rarest first: the first set that suffices, or one key after the other; all frequencies counted anew."""
    codes = codes.copy()

    def frequency(row: NDArray[np.int64]) -> int:
        return int(((codes == row) | (codes < 0) | (row < 0)).all(axis=1).sum())

    def without(row: NDArray[np.int64], lost: int) -> NDArray[np.int64]:
        return np.where((lost >> np.arange(len(row))) & 1 == 1, -1, row)

    def has(row: NDArray[np.int64], lost: int) -> bool:
        return all(row[key] >= 0 for key in range(len(row)) if lost >> key & 1)

    before = np.array([frequency(row) for row in codes])
    for record in sorted(np.flatnonzero(before < k), key=lambda each: before[each]):
        row = codes[record]
        if one_by_one:
            while (now := frequency(row)) < k:
                tried = [without(row, lost) for lost in sets if lost.bit_count() == 1 and has(row, lost)]
                row = next((each for each in tried if frequency(each) > now), tried[0])
        elif frequency(row) < k:
            tried = [without(row, lost) for lost in sets if has(row, lost)]
            row = next(each for each in tried if frequency(each) >= k)
        codes[record] = row
    return codes


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("seed", range(6))
def test_the_cheaper_of_two_ways_is_taken_each_as_counted_record_by_record(seed, missing):
    codes, k = random_codes(40, (3, 6, 4), seed, missing), 3
    costs = np.array([1.0, 1.0, 1.5])
    (sets,) = losses_by_cost(costs, np.array([len(np.unique(column)) for column in codes.T]))
    ways = [one_record_after_the_other(codes, k, sets.tolist(), way) for way in (False, True)]
    for way, expected in enumerate(ways):
        assert suppression._suppressed(codes, k, [sets], one_by_one=bool(way)).tolist() == expected.tolist()
    lost = [float(((way < 0) & (codes >= 0)).sum(axis=0) @ costs) for way in ways]
    assert suppress_to_k_anonymity(codes, k, costs).tolist() == ways[lost.index(min(lost))].tolist()


def test_each_way_is_the_cheaper_one_at_times():
    cheaper = set()
    for seed in range(5):
        codes = random_codes(20, (2, 3, 4, 3), seed, 0.0)
        (sets,) = losses_by_cost(np.ones(4), np.array([len(np.unique(column)) for column in codes.T]))
        lost = [(suppression._suppressed(codes, 4, [sets], one_by_one=way) < 0).sum() for way in (False, True)]
        assert (suppress_to_k_anonymity(codes, 4, np.ones(4)) < 0).sum() == min(lost)
        cheaper.add(int(np.sign(lost[0] - lost[1])))
    assert {-1, 1} <= cheaper


def test_a_larger_table_finds_the_same_counts():
    rng = np.random.default_rng(2)
    table, counts = np.zeros(16, dtype=np.uint64), np.zeros(16, dtype=np.int32)
    known = {np.uint64(each | 1): number for number, each in enumerate(rng.integers(1, 2**62, 9), start=1)}
    for fingerprint, number in known.items():
        slot = suppression._slot(table, fingerprint)
        table[slot], counts[slot] = fingerprint, number
    larger, moved = suppression._larger(table, counts)
    assert len(larger) == len(moved) == 32
    assert {each: int(moved[suppression._slot(larger, each)]) for each in known} == known
    assert (larger > 0).sum() == 9 and moved.sum() == sum(known.values())


@pytest.mark.parametrize("one_by_one", [False, True])
@pytest.mark.parametrize("slots", [2, 16])
def test_tiny_files_are_suppressed_record_by_record_in_a_table_that_grows(one_by_one, slots, monkeypatch):
    monkeypatch.setattr(suppression, "SLOTS", slots)
    for seed in range(25):
        rng = np.random.default_rng(seed)
        codes = rng.integers(-(seed % 2), 3, (int(rng.integers(1, 9)), int(rng.integers(1, 4))))
        k = int(rng.integers(1, len(codes) + 1))
        costs = rng.integers(1, 3, codes.shape[1]).astype(float)
        (sets,) = losses_by_cost(costs, np.array([len(np.unique(column)) for column in codes.T]))
        expected = one_record_after_the_other(codes, k, sets.tolist(), one_by_one)
        assert suppression._suppressed(codes, k, [sets], one_by_one=one_by_one).tolist() == expected.tolist()


def test_what_one_list_of_sets_leaves_rare_is_left_to_the_next(monkeypatch):
    """Records are rare again and again until a list has a set that suffices; all frequencies are counted anew."""
    for seed in range(25):
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 3, (int(rng.integers(1, 9)), 3))
        k, costs = int(rng.integers(1, len(codes) + 1)), rng.integers(1, 3, 3).astype(float)
        monkeypatch.setattr(suppression, "SETS_AT_ONCE", 7)
        levels = losses_by_cost(costs, np.array([len(np.unique(column)) for column in codes.T]))
        assert len(levels) > 1
        expected, before = codes.copy(), wildcard_frequencies(codes)

        def frequency(row, expected=expected):
            return int(((expected == row) | (expected < 0) | (row < 0)).all(axis=1).sum())

        rare = sorted(np.flatnonzero(before < k), key=lambda record: before[record])
        for sets in levels:
            left = []
            for record in rare:
                row = expected[record]
                if frequency(row) >= k:
                    continue
                tried = [np.where((lost >> np.arange(3)) & 1 == 1, -1, row) for lost in sets.tolist()]
                found = next((each for each in tried if frequency(each) >= k), None)
                if found is None:
                    left.append(record)
                else:
                    expected[record] = found
            rare = left
        assert suppress_to_k_anonymity(codes, k, costs).tolist() == expected.tolist()


@pytest.mark.parametrize("together", [True, False])
def test_sets_of_keys_are_ordered_by_cost_then_by_categories(together, monkeypatch):
    monkeypatch.setattr(suppression, "SETS_AT_ONCE", 8 if together else 7)
    costs, categories = np.array([0.1, 0.2, 0.3]), np.array([4, 9, 9])
    levels = losses_by_cost(costs, categories)
    expected = [[0b001], [0b010], [0b011, 0b100], [0b101], [0b110], [0b111]]  # 0.1 + 0.2 is 0.3 but for rounding
    assert [level.tolist() for level in levels] == (
        [[each for level in expected for each in level]] if together else expected
    )


@pytest.mark.usefixtures("interpreted")
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_fingerprints_differ_where_values_keys_patterns_or_salts_do():
    seen = set()
    for salt in (1, 2, 3):
        for pattern in range(4):
            for keys in range(pattern + 1):
                if keys & pattern == keys:
                    for one in range(3 if keys & 1 else 1):
                        for other in range(3 if keys & 2 else 1):
                            fingerprint = suppression._fingerprint.py_func(
                                np.array([one, other]), keys, pattern, np.uint64(salt)
                            )
                            assert fingerprint % 2 == 1 and fingerprint not in seen
                            seen.add(fingerprint)
    values = np.array([1, 2])
    assert suppression._fingerprint.py_func(values, 1, 3, np.uint64(1)) == suppression._fingerprint.py_func(
        np.array([1, 0]), 1, 3, np.uint64(1)
    )


def test_a_slot_is_that_of_the_fingerprint_or_the_next_empty_one():
    table = np.zeros(8, dtype=np.uint64)
    full = [np.uint64(2 * slot + 1) for slot in (6, 14, 22)]  # all of them belong to the same slot
    for fingerprint, expected in zip(full, (6, 7, 0), strict=True):
        assert suppression._slot(table, fingerprint) == expected
        table[expected] = fingerprint
    assert [suppression._slot(table, each) for each in full] == [6, 7, 0]
