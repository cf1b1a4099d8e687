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


@pytest.mark.parametrize("seed", range(60))
def test_an_association_of_codes_is_that_of_all_cells(seed):
    """Bergsma 2013: φ² less its expectation, over the smaller dimension less its own."""
    rng = np.random.default_rng(seed)
    n, categories = int(rng.integers(1, 12)), int(rng.integers(1, 5))
    one, other = (rng.integers(-1, categories, n) * 3 for _ in range(2))
    one[one < 0], other[other < 0] = -1, -1
    pairs = [(a, b) for a, b in zip(one.tolist(), other.tolist(), strict=True) if a >= 0 and b >= 0]
    rows, columns = ({pair[side] for pair in pairs} for side in range(2))
    n = len(pairs)
    expected = 0.0
    if len(rows) > 1 and len(columns) > 1:
        phi_squared = 0.0
        for row in rows:
            for column in columns:
                together = pairs.count((row, column)) / n
                alone = sum(a == row for a, _ in pairs) / n * sum(b == column for _, b in pairs) / n
                phi_squared += (together - alone) ** 2 / alone
        height, width = (len(each) - (len(each) - 1) ** 2 / (n - 1) for each in (rows, columns))
        over = max(phi_squared - (len(rows) - 1) * (len(columns) - 1) / (n - 1), 0.0)
        smaller = min(height, width) - 1
        expected = np.sqrt(min(over / smaller, 1.0)) if smaller > 1e-12 else 0.0
    assert cramers_v(one, other) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("seed", range(60))
def test_a_correlation_ratio_is_that_of_the_variances(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 10))
    codes, values = rng.integers(-1, 4, n), rng.integers(0, 4, n).astype(float) + rng.choice([0.0, 100.0])
    values[rng.random(n) < 0.1] = np.nan
    seen = (codes >= 0) & ~np.isnan(values)
    codes_seen, values_seen = codes[seen], values[seen]
    groups, n = len(set(codes_seen)), int(seen.sum())
    expected = 0.0
    if n > 2 and 1 < groups < n and len(set(values_seen)) > 1:
        within = sum(
            ((part - part.mean()) ** 2).sum() for part in (values_seen[codes_seen == c] for c in set(codes_seen))
        )
        total = ((values_seen - values_seen.mean()) ** 2).sum()
        expected = np.sqrt(max(1 - within / (n - groups) / (total / (n - 1)), 0.0))
    assert correlation_ratio(codes, values) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(("change", "related"), [(1e-14, False), (1e-10, True)])
def test_numbers_that_differ_by_rounding_only_are_constant(change, related):
    values = np.array([1.0, 1.0, 1.0, 1.0 + change])
    assert (correlation_ratio(np.array([0, 0, 0, 1]), values) > 0) == related
