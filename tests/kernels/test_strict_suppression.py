"""Suppression by the two strict rules: the rule holds afterwards, nothing is invented, and own values are dearer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels import strict_suppression
from sdckit.kernels.equivalence_classes import class_of, wildcard_frequencies
from sdckit.kernels.strict_suppression import (
    _widen,
    possible_rows,
    suppress_to_equal_rows,
    suppress_to_possible_rows,
)
from sdckit.kernels.suppression import losses_by_cost, suppress_to_k_anonymity

from .both_ways import both_ways

way = both_ways(strict_suppression)
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


def tiny_files():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        codes = rng.integers(-(seed % 2), 3, (int(rng.integers(1, 10)), int(rng.integers(1, 4))))
        yield codes, int(rng.integers(1, len(codes) + 1)), rng.integers(1, 3, codes.shape[1]).astype(float)


def equal_rows_by_definition(codes, k, costs):
    """Set after set, whoever is rare loses it together with k rows that are then equal; the rest lose everything."""
    out = codes.tolist()
    rare = [i for i in range(len(out)) if out.count(out[i]) < k]
    for lost in np.concatenate(losses_by_cost(costs, np.array([len(np.unique(column)) for column in codes.T]))):
        tried = {i: [-1 if lost >> key & 1 else code for key, code in enumerate(out[i])] for i in rare}
        others = [row for i, row in enumerate(out) if i not in rare]
        enough = [i for i in rare if [*tried.values(), *others].count(tried[i]) >= k]
        for i in enough:
            out[i] = tried[i]
        rare = [i for i in rare if i not in enough]
    nothing = [-1] * codes.shape[1]
    for i in rare:
        out[i] = nothing
    while rare and out.count(nothing) < k:
        of = class_of(np.array(out)).of
        sizes = np.bincount(of, weights=[row != nothing for row in out])
        members = np.flatnonzero(of == np.argmax(sizes))
        needed = k - out.count(nothing)
        for i in members[:needed] if len(members) - k >= needed else members:
            out[i] = nothing
    return out


def test_equal_rows_are_made_as_defined():
    for codes, k, costs in tiny_files():
        assert suppress_to_equal_rows(codes, k, costs).tolist() == equal_rows_by_definition(codes, k, costs)


def possible_rows_by_definition(codes, k, costs):
    """For each record with too few possible rows, the fewest first, the rows that contradict it most cheaply."""
    out = suppress_to_k_anonymity(codes, k, costs)
    possible = rows_that_fit(codes, out)
    rare = [i for i in range(len(codes)) if possible[i] < k]
    for i in sorted(rare, key=lambda i: possible[i]):

        def contradicting(row, i=i):
            return [j for j in range(len(costs)) if 0 <= codes[i, j] != out[row, j] >= 0]

        def price(row, keys, own, i=i):
            return (
                sum(costs[j] + (costs[j] if own[j] >= 0 else 0) for j in keys)
                + len(keys) * (1 if row in rare else 2) / 1e9
            )

        own = out[i].copy()
        keys = {row: contradicting(row) for row in range(len(codes))}
        prices = {row: price(row, keys[row], own) for row in keys}
        fitting = sum(not each for each in keys.values())
        for row in sorted((row for row in keys if keys[row]), key=lambda row: prices[row])[: max(k - fitting, 0)]:
            for j in contradicting(row):
                out[row, j] = out[i, j] = -1
    return out.tolist()


def test_possible_rows_are_made_as_defined():
    changed = 0
    for codes, k, costs in tiny_files():
        expected = possible_rows_by_definition(codes, k, costs)
        changed += expected != suppress_to_k_anonymity(codes, k, costs).tolist()
        assert suppress_to_possible_rows(codes, k, costs).tolist() == expected
    assert changed > 5
