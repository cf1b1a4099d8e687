from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels import equivalence_classes
from sdckit.kernels.equivalence_classes import (
    _by_sorting,
    _hashed_rows,
    _packed,
    _ranges,
    class_of,
    distinct_flags,
    distinct_rows,
    equal_rows,
    sums_over_matching_classes,
    wildcard_frequencies,
    wildcard_sums,
)

shapes = st.tuples(st.integers(0, 30), st.integers(1, 4))
codes = arrays(np.int64, shapes, elements=st.integers(0, 2))
codes_with_holes = arrays(np.int32, shapes, elements=st.integers(-1, 2))


@given(codes)
def test_two_records_share_a_class_exactly_when_they_agree_on_all_keys(rows):
    classes = class_of(rows)
    agree = (rows[:, None, :] == rows[None, :, :]).all(axis=2)
    assert np.array_equal(classes.of[:, None] == classes.of[None, :], agree)
    assert np.array_equal(classes.sizes[classes.of], agree.sum(axis=1))


def test_classes_are_numbered_as_they_appear():
    classes = class_of(np.array([[5, 1], [2, 2], [5, 1], [0, 0]]))
    assert classes.of.tolist() == [0, 1, 0, 2]
    assert classes.sizes.tolist() == [2, 1, 1]
    assert classes.first().tolist() == [0, 1, 3]


def test_without_keys_all_records_are_one_class():
    assert class_of(np.empty((4, 0), dtype=np.int64)).sizes.tolist() == [4]


def test_many_distinct_codes_stay_apart():
    rows = np.random.default_rng(0).permutation(5_000)[:, None] * np.array([1 << 40, -3])
    assert len(class_of(rows).sizes) == 5_000


def test_equal_numbers_share_a_class_whatever_their_sign_of_zero():
    classes = equal_rows(np.array([[0.0, np.nan], [-0.0, np.nan], [0.0, 1.0]]))
    assert classes.of.tolist() == [0, 0, 1]


def test_a_missing_key_matches_everything_by_hand():
    rows = np.array([[1, 1], [1, -1], [2, 1], [-1, -1]])
    assert wildcard_frequencies(rows).tolist() == [3, 3, 2, 4]


@given(codes_with_holes)
def test_frequencies_with_missing_keys_count_the_agreeing_records(rows):
    agree = ((rows[:, None] == rows[None]) | (rows[:, None] == -1) | (rows[None] == -1)).all(axis=2)
    assert np.array_equal(wildcard_frequencies(rows), agree.sum(axis=1))


@settings(max_examples=20, deadline=None)
@given(codes)
def test_without_missing_keys_the_frequency_is_the_class_size(rows):
    classes = class_of(rows)
    assert np.array_equal(wildcard_frequencies(rows), classes.sizes[classes.of])


@given(codes_with_holes)
def test_weights_are_summed_over_the_agreeing_records(rows):
    weights = np.arange(1.0, len(rows) + 1)
    agree = ((rows[:, None] == rows[None]) | (rows[:, None] == -1) | (rows[None] == -1)).all(axis=2)
    assert np.allclose(wildcard_sums(rows, weights), agree @ weights)


@given(codes, st.sampled_from([1, 10**6, 10**15]))
def test_classes_do_not_depend_on_how_far_the_codes_lie_apart(rows, apart):
    near, far = class_of(rows), class_of(rows * apart)
    assert np.array_equal(near.of, far.of) and np.array_equal(near.sizes, far.sizes)


@given(arrays(np.int64, st.tuples(st.integers(0, 30), st.integers(0, 4)), elements=st.integers(-2, 2)))
def test_sorting_gives_the_classes_of_hashing(rows):
    of, sizes = _hashed_rows(rows)
    classes = _by_sorting(rows)
    assert np.array_equal(classes.of, of)
    assert np.array_equal(classes.sizes, sizes)


@settings(max_examples=30, deadline=None)
@given(codes_with_holes)
def test_totals_of_distinct_rows_are_summed_over_those_that_agree(rows):
    rows = np.unique(rows, axis=0)
    agree = ((rows[:, None] == rows[None]) | (rows[:, None] == -1) | (rows[None] == -1)).all(axis=2)
    totals = np.arange(1, len(rows) + 1) ** 2
    assert np.array_equal(sums_over_matching_classes(rows, totals), agree @ totals)


def test_the_codes_of_a_large_file_are_packed_by_their_ranges():
    rows = np.random.default_rng(1).integers(-5, 6, (40, 3)).astype(np.int16) * np.array([1, 3, 900], dtype=np.int16)
    low, high = _ranges(rows)
    assert (low.tolist(), high.tolist()) == (rows.min(axis=0).tolist(), rows.max(axis=0).tolist())
    one = rows[:1]
    assert [each.tolist() for each in _ranges(one)] == [one[0].tolist()] * 2
    strides = np.array([10**6, 10**5, 1])
    assert np.array_equal(_packed(rows, low, strides)[:, 0], (rows.astype(np.int64) - low) @ strides)


@given(st.integers(0, 70), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_distinct_rows_of_flags_are_those_of_a_sort(width, records, seed):
    rng = np.random.default_rng(seed)
    flags = rng.random((3, width))[rng.integers(0, 3, records)] < 0.5
    rows, of = distinct_flags(flags)
    assert (rows[of] == flags).all()
    if width:
        expected, expected_of = np.unique(flags, axis=0, return_inverse=True)
        assert (rows == expected).all() and (of == expected_of.ravel()).all()


@given(arrays(np.float64, st.tuples(st.integers(1, 30), st.integers(1, 3)), elements=st.integers(-2, 2)))
def test_distinct_rows_of_numbers_are_those_of_a_sort(values):
    rows, of = distinct_rows(values)
    expected, expected_of = np.unique(values, axis=0, return_inverse=True)
    assert (rows == expected).all() and (of == expected_of.ravel()).all()


PATHS = {
    "SMALL": (0, 1 << 20),
    "PACKED": (20, 1 << 62),
    "CELLS": (-(10**9), 1024),
    "spared": (lambda *_: False, lambda *_: True),
}


@pytest.mark.parametrize("path", list(product(*PATHS.values())))
def test_every_way_to_find_classes_gives_the_same(path, monkeypatch):
    """By a table, by hashing whole rows or packed numbers, and by sorting; of small and of large files."""
    for name, value in zip(PATHS, path, strict=True):
        monkeypatch.setattr(equivalence_classes, name, value)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        rows = rng.integers(-2, 2, (rng.integers(1, 10), rng.integers(1, 4)))
        labels = {row: number for number, row in enumerate(dict.fromkeys(map(tuple, rows.tolist())))}
        expected = [labels[row] for row in map(tuple, rows.tolist())]
        found = class_of(rows)
        assert found.of.tolist() == expected
        assert found.sizes.tolist() == [expected.count(label) for label in range(len(labels))]
        assert found.first().tolist() == [expected.index(label) for label in range(len(labels))]
        assert found.representatives().tolist() == [expected.index(label) for label in expected]
    for shape in ((0, 2), (3, 0), (0, 0)):
        nothing = class_of(np.empty(shape, dtype=np.int64))
        assert nothing.of.tolist() == [0] * shape[0] and nothing.sizes.tolist() == [shape[0]] * (shape[0] > 0)


@pytest.mark.parametrize("spared", [False, True])
def test_codes_as_far_apart_as_integers_allow_stay_apart(spared, monkeypatch):
    """More combinations than an integer has are compared as rows."""
    monkeypatch.setattr(equivalence_classes, "spared", lambda *_: spared)
    largest = np.iinfo(np.int64).max // 2
    rows = np.array([[-largest, 1], [largest, 1], [-largest, 0], [largest, 1], [0, 0]])
    assert class_of(rows).of.tolist() == [0, 1, 2, 1, 3]


def test_rows_are_sorted_where_the_kernel_is_spared(monkeypatch):
    asked = []
    monkeypatch.setattr(equivalence_classes, "spared", lambda _, work: asked.append(work) or len(asked) == 1)
    assert equivalence_classes._sorted_sooner(np.zeros((4, 1), np.int64)) is True
    assert equivalence_classes._sorted_sooner(np.zeros((4, 3), np.int64)) is False
    alone, together = equivalence_classes.SORTED
    assert asked == [4 * alone, 12 * together]


def test_rows_without_flags_are_all_alike():
    rows, of = distinct_flags(np.zeros((3, 0), dtype=bool))
    assert rows.shape == (1, 0) and of.tolist() == [0, 0, 0]


@pytest.mark.parametrize("width", [7, 8, 9, 63, 64, 65, 130])
def test_flags_that_differ_in_one_position_are_distinct(width):
    flags = np.eye(width, dtype=bool)
    rows, of = distinct_flags(flags)
    assert len(rows) == width and (rows[of] == flags).all()


@given(codes_with_holes)
def test_each_ordered_pair_of_rows_is_compared_once(rows):
    rows = np.unique(rows, axis=0)
    agree = ((rows[:, None] == rows[None]) | (rows[:, None] == -1) | (rows[None] == -1)).all(axis=2)
    met, found = np.zeros(agree.shape, dtype=int), np.zeros(agree.shape, dtype=bool)
    for each in equivalence_classes.comparisons(rows):
        met[np.ix_(each.members, each.others)] += 1
        found[np.ix_(each.members, each.others)] = each.of_members[:, None] == each.of_others
        assert max(each.of_members.max(), each.of_others.max()) < each.cells
    assert (met == 1).all() and (found == agree).all()


@pytest.mark.slow
@pytest.mark.parametrize(("records", "keys", "codes", "holes"), [(300, 3, 3, 0.3), (400, 6, 5, 0.1), (200, 10, 2, 0.5)])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("apart", [1, 10**9])
def test_scans_of_patterns_of_holes_give_the_bits_of_comparisons(
    records, keys, codes, holes, weighted, apart, monkeypatch
):
    """Also where rows repeat, where a row has no key at all, and where codes lie far apart."""
    rng = np.random.default_rng(records)
    rows = np.where(rng.random((records, keys)) < holes, -1, apart * rng.integers(0, codes, (records, keys)))
    rows[0], rows[1] = -1, rows[2]
    weights = rng.uniform(2, 40, records)
    found = []
    for scanned in (0, 10**9):
        monkeypatch.setattr(equivalence_classes, "SCANNED", scanned)
        found.append(wildcard_sums(rows, weights) if weighted else wildcard_frequencies(rows))
    agree = ((rows[:, None] == rows[None]) | (rows[:, None] < 0) | (rows[None] < 0)).all(axis=2)
    assert found[0].dtype == found[1].dtype and (found[0] == found[1]).all()
    assert found[0] == pytest.approx(agree @ (weights if weighted else np.ones(records)))
