"""Associations: cases by hand, the limits, and no association where there is none."""

import numpy as np
import pytest

from sdckit.kernels.associations import correlation_ratio, cramers_v


def test_a_two_by_two_table_by_hand():
    """10, 5, 5, 10 of 30: χ² = 30 · 75² / 15⁴, φ² = 1/9; corrected by 1 / 29, over 2 − 1/29 − 1."""
    one = np.repeat([0, 0, 1, 1], [10, 5, 5, 10])
    other = np.repeat([0, 1, 0, 1], [10, 5, 5, 10])
    assert cramers_v(one, other) == pytest.approx(np.sqrt((1 / 9 - 1 / 29) / (1 - 1 / 29)))


def test_a_column_that_three_codes_determine_by_hand():
    """φ² = 1; corrected by 2 · 1 / 7, over the smaller of 3 − 4/7 − 1 and 2 − 1/7 − 1."""
    three = np.repeat([0, 1, 2], [2, 2, 4])
    two = (three == 2).astype(np.int64)
    expected = np.sqrt((1 - 2 / 7) / (1 - 1 / 7))
    assert cramers_v(three, two) == pytest.approx(expected)
    assert cramers_v(two, three) == pytest.approx(expected)


def test_groups_of_numbers_by_hand():
    """Within 1 of total 9 of four records in two groups: ε² = 1 − 1/9 · 3/2."""
    values = np.array([0.0, 1.0, 3.0, 4.0])
    total, within = ((values - 2) ** 2).sum(), 1.0
    assert correlation_ratio(np.array([0, 0, 1, 1]), values) == pytest.approx(np.sqrt(1 - within / total * 3 / 2))


@pytest.mark.parametrize("constant", [np.zeros(9, np.int64), np.full(9, -1)])
def test_a_constant_or_empty_column_is_related_to_nothing(constant):
    assert cramers_v(constant, np.arange(9) % 2) == 0
    assert correlation_ratio(constant, np.arange(9.0)) == 0
    assert correlation_ratio(np.arange(9) % 2, np.ones(9)) == 0


def test_unrelated_columns_with_many_codes_have_almost_no_association():
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 30, 2000), rng.integers(0, 30, 2000)
    assert cramers_v(one, other) < 0.06
    assert correlation_ratio(one, rng.normal(size=2000)) < 0.12


def test_a_missing_value_leaves_its_record_out():
    rng = np.random.default_rng(2)
    one, other, values = rng.integers(0, 3, 50), rng.integers(0, 3, 50), rng.normal(size=50)
    gaps = np.where(np.arange(50) < 10, -1, one)
    assert cramers_v(gaps, other) == cramers_v(one[10:], other[10:])
    assert correlation_ratio(gaps, values) == pytest.approx(correlation_ratio(one[10:], values[10:]))
