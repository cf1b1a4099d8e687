"""Predicates: counted record by record, and their union."""

from math import comb

import numpy as np
import pytest

from sdckit.kernels import predicates
from sdckit.kernels.predicates import Predicates, matches, probability_of_one


def drawn(rng, count, attributes, width):
    """Predicates on `width` columns: intervals of whole numbers, single values and missing ones."""
    low = rng.integers(0, 3, (count, width)).astype(float)
    high = low + rng.integers(0, 2, (count, width))
    missing = rng.random((count, width)) < 0.2
    low[missing] = high[missing] = np.nan
    return Predicates(rng.integers(0, attributes, (count, width)), low, high)


def meets(predicate, record):
    return all(
        np.isnan(record[column]) if np.isnan(low) else low <= record[column] <= high
        for column, low, high in zip(*predicate, strict=True)
    )


@pytest.mark.parametrize("batch", [1, 3, 256])
def test_records_are_counted_one_by_one_up_to_a_limit(batch, monkeypatch):
    monkeypatch.setattr(predicates, "BATCH", batch)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        values = rng.integers(0, 3, (rng.integers(0, 7), 2)).astype(float)
        values[rng.random(values.shape) < 0.2] = np.nan
        asked = drawn(rng, int(rng.integers(0, 8)), 2, int(rng.integers(1, 3)))
        for at_most in (None, 1, 2):
            counts, first = matches(asked, values, at_most=at_most)
            for number, predicate in enumerate(zip(asked.columns, asked.low, asked.high, strict=True)):
                who = [record for record, row in enumerate(values) if meets(predicate, row)]
                assert counts[number] == min(len(who), at_most or len(values))
                assert first[number] == (who[0] if who else -1)


def test_a_union_has_each_predicate_once_in_the_order_of_its_first():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        one, other = (drawn(rng, int(rng.integers(1, 5)), 2, 1) for _ in range(2))
        other.low[0] = -0.0 if other.low[0] == 0 else other.low[0]
        union = one.with_more(other)
        listed = [
            (int(column[0]), *(None if np.isnan(end[0]) else float(end[0]) for end in (low, high)))
            for each in (one, other)
            for column, low, high in zip(each.columns, each.low, each.high, strict=True)
        ]
        expected = list(dict.fromkeys(listed))
        assert len(union) == len(expected)
        assert [
            (int(column[0]), *(None if np.isnan(end[0]) else float(end[0]) for end in (low, high)))
            for column, low, high in zip(union.columns, union.low, union.high, strict=True)
        ] == expected


def test_some_predicates_by_their_numbers():
    asked = drawn(np.random.default_rng(1), 5, 2, 2)
    some = asked.take(np.array([3, 0]))
    assert len(some) == 2
    for taken, all_of_them in ((some.columns, asked.columns), (some.low, asked.low), (some.high, asked.high)):
        assert np.array_equal(taken, all_of_them[[3, 0]], equal_nan=True)


def test_the_probability_of_exactly_one_is_that_of_all_subsets():
    for records in range(1, 7):
        for drawn_records in range(1, records + 1):
            expected = [
                met * comb(records - met, drawn_records - 1) / comb(records, drawn_records)
                for met in range(records + 1)
            ]
            found = probability_of_one(np.arange(records + 1), records, drawn_records)
            assert found.tolist() == pytest.approx(expected)


def test_a_predicate_on_no_column_is_met_by_everybody():
    nothing = Predicates(np.empty((2, 0), dtype=np.int64), np.empty((2, 0)), np.empty((2, 0)))
    counts, first = matches(nothing, np.zeros((3, 1)))
    assert counts.tolist() == [3, 3] and first.tolist() == [0, 0]
