"""Distances of distributions: by hand, and against counts of every cell."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import ks_2samp

from sdckit.kernels.table_distances import (
    binned,
    expected_total_variation,
    joint_counts,
    kolmogorov_distance,
    quantile_bins,
    total_variation,
)


def test_the_total_variation_by_hand():
    assert total_variation(np.array([2.0, 2.0]), np.array([1.0, 0.0])) == 0.5
    assert total_variation(np.array([1.0, 0.0]), np.array([0.0, 7.0])) == 1
    assert total_variation(np.array([1.0, 3.0]), np.array([10.0, 30.0])) == 0


def test_the_expected_total_variation_is_that_of_samples_from_one_distribution():
    rng, shares = np.random.default_rng(1), [0.5, 0.3, 0.2]
    drawn = [
        total_variation(rng.multinomial(400, shares).astype(float), rng.multinomial(900, shares).astype(float))
        for _ in range(3000)
    ]
    expected = expected_total_variation(400 * np.array(shares), 900 * np.array(shares))
    assert expected == pytest.approx(np.mean(drawn), rel=0.05)
    assert expected_total_variation(np.full(400, 0.01), np.full(400, 0.01)) == 1


def test_the_kolmogorov_distance_is_that_of_the_library():
    rng = np.random.default_rng(2)
    for one, other in ((rng.normal(size=40), rng.normal(0.5, 1, 70)), (rng.integers(0, 4, 30), rng.integers(0, 5, 9))):
        found = kolmogorov_distance(one.astype(float), other.astype(float))
        assert found == pytest.approx(ks_2samp(one, other).statistic)


def test_a_missing_number_is_lower_than_all_others():
    assert kolmogorov_distance(np.array([np.nan, 1.0]), np.array([1.0, 1.0])) == 0.5
    assert kolmogorov_distance(np.array([np.nan, np.nan]), np.array([-1e300, 1.0])) == 1


def test_bins_have_equally_many_values_and_ties_stay_together():
    values = np.arange(12.0)
    assert np.bincount(binned(values, quantile_bins(values, 4))).tolist() == [0, 3, 3, 3, 3]
    holes = np.array([np.nan, 5.0, 5.0, 5.0, 7.0])
    edges = quantile_bins(holes, 4)
    assert edges.tolist() == [5.0]
    assert binned(holes, edges).tolist() == [0, 1, 1, 1, 2]
    assert binned(np.array([4.0, 6.0, np.nan]), edges).tolist() == [1, 2, 0]
    assert quantile_bins(np.array([np.nan]), 3).tolist() == []


@pytest.mark.parametrize("widths", [(2, 9), (9, 2)])
def test_the_cells_of_two_columns_are_counted_in_both_files(widths):
    rng = np.random.default_rng(3)
    one, other = (tuple(rng.integers(0, width, (2, number))) for width, number in zip(widths, (50, 30), strict=True))
    counts = [Counter(zip(*(column.tolist() for column in file), strict=True)) for file in (one, other)]
    cells = sorted(counts[0] | counts[1])
    assert [each.tolist() for each in joint_counts(one, other)] == [[count[cell] for cell in cells] for count in counts]
