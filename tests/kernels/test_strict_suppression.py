"""Suppression by the two strict rules: the rule holds afterwards, nothing is invented, and own values are dearer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.kernels.strict_suppression import (
    _widen,
    possible_rows,
    suppress_to_equal_rows,
    suppress_to_possible_rows,
)

KEYS = st.tuples(st.integers(1, 30), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-1, 3))
)


def rows_that_fit(records, rows):
    """The definition, one pair at a time."""
    return [
        sum(all(a == b or a < 0 or b < 0 for a, b in zip(record, row, strict=True)) for row in rows.tolist())
        for record in records.tolist()
    ]


def equal(rows):
    return [sum(row == other for other in rows.tolist()) for row in rows.tolist()]


@given(KEYS, KEYS)
def test_possible_rows_are_those_that_contradict_nothing(records, rows):
    rows = np.resize(rows, (max(len(rows), 1), records.shape[1]))
    assert possible_rows(records, rows).tolist() == rows_that_fit(records, rows)


@given(KEYS, st.integers(1, 4))
def test_every_row_has_k_equal_rows(codes, k):
    k = min(k, len(codes))
    out = suppress_to_equal_rows(codes, k, np.ones(codes.shape[1]))
    assert ((out == codes) | (out == -1)).all()
    assert min(equal(out)) >= k


@given(KEYS, st.integers(1, 4))
def test_every_record_has_k_possible_rows(codes, k):
    k = min(k, len(codes))
    out = suppress_to_possible_rows(codes, k, np.ones(codes.shape[1]))
    assert ((out == codes) | (out == -1)).all()
    assert min(rows_that_fit(codes, out)) >= k


@given(KEYS, st.integers(1, 4))
def test_equal_rows_are_possible_rows_and_agree_by_the_usual_rule(codes, k):
    out = suppress_to_equal_rows(codes, min(k, len(codes)), np.ones(codes.shape[1]))
    same, possible, usual = equal(out), rows_that_fit(codes, out), wildcard_frequencies(out)
    assert all(a <= b for a, b in zip(same, possible, strict=True))
    assert all(a <= b for a, b in zip(possible, usual, strict=True))


def test_own_values_cost_more_than_candidates():
    codes = np.random.default_rng(3).integers(0, 5, (200, 4))
    lost = [int((rule(codes, 3, np.ones(4)) < 0).sum()) for rule in (suppress_to_possible_rows, suppress_to_equal_rows)]
    assert 0 < lost[0] < lost[1]


@pytest.mark.parametrize("rule", [suppress_to_equal_rows, suppress_to_possible_rows])
def test_a_dear_key_is_spared(rule):
    codes = np.random.default_rng(4).integers(0, 6, (60, 2))
    dear = rule(codes, 3, np.array([10.0, 1.0]))
    assert (dear[:, 0] < 0).sum() < (dear[:, 1] < 0).sum()


@pytest.mark.parametrize("rule", [suppress_to_equal_rows, suppress_to_possible_rows])
def test_what_is_frequent_enough_stays(rule):
    codes = np.repeat([[0, 1], [2, 3]], 4, axis=0)
    assert np.array_equal(rule(codes, 4, np.ones(2)), codes)


@pytest.mark.parametrize("cheapest", [0, 1, 2, 3])
def test_the_row_that_contradicts_on_the_fewest_keys_loses_them_wherever_it_stands(cheapest):
    """The record 9, 9, 9 needs one more row: all others contradict it on two or three keys, one on a single key."""
    rows = np.array([[1, 1, 1], [2, 2, 2], [3, 3, 3], [4, 4, 4], [9, 9, 9]])
    rows[cheapest, 1:] = 9
    released = rows.copy()
    _widen(rows, released, np.array([4]), np.zeros(5, dtype=bool), 2, np.ones(3))
    expected = rows.copy()
    expected[[cheapest, 4], 0] = -1
    assert released.tolist() == expected.tolist()
