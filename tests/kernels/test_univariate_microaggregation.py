"""Optimal univariate microaggregation: cases by hand, all partitions tried, the published losses."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels import ordered_partition, stable_order
from sdckit.kernels.partitions import group_sizes, share_of_variation_lost, within_group_sum_of_squares
from sdckit.kernels.univariate_microaggregation import optimal_univariate, partition_sorted

from .both_ways import both_ways

way = both_ways(ordered_partition, stable_order)


def least_sum_of_squares(values, group_size):
    """Every way of cutting the sorted values into groups of at least `group_size`."""
    ordered = np.sort(values)

    @cache
    def least(stop):
        if stop == 0:
            return 0.0
        starts = [start for start in range(stop - group_size + 1) if start == 0 or start >= group_size]
        return min(least(start) + len(ordered[start:stop]) * ordered[start:stop].var() for start in starts)

    return least(len(values))


def groups_of(values, group_size):
    labels = optimal_univariate(np.array(values, dtype=float), group_size)
    return [sorted(np.array(values)[labels == group].tolist()) for group in range(labels.max() + 1)]


def test_small_cases_by_hand():
    assert groups_of([1, 2, 3, 10, 11, 12, 30], 3) == [[1, 2, 3], [10, 11, 12, 30]]
    assert groups_of([5, 1, 8, 2, 10, 9, 30, 31], 2) == [[1, 2], [5, 8], [9, 10], [30, 31]]
    assert optimal_univariate(np.array([6, 2, 0.7, 1.1, 5, 1, 5.1]), 3).tolist() == [1, 0, 0, 0, 1, 0, 1]


def test_among_equals_the_last_group_starts_first():
    assert partition_sorted(np.arange(1.0, 11.0), 3).tolist() == [0, 3, 6]


values = arrays(np.float64, st.integers(4, 14), elements=st.floats(-100, 100, width=32))


@given(values, st.integers(1, 4))
def test_no_partition_has_a_smaller_sum_of_squares(values, group_size):
    labels = optimal_univariate(values, group_size)
    least = least_sum_of_squares(values, group_size)
    assert within_group_sum_of_squares(values, labels) == pytest.approx(least, rel=1e-9, abs=1e-7)
    assert group_sizes(labels).min() >= group_size
    assert group_sizes(labels).max() <= 2 * group_size - 1


@given(values, st.integers(1, 4))
def test_groups_are_runs_of_the_sorted_values(values, group_size):
    order = np.argsort(values, kind="stable")
    assert (np.diff(optimal_univariate(values, group_size)[order]) >= 0).all()


@pytest.mark.parametrize("level", [1e9, -1e9])
def test_a_large_common_level_changes_nothing(level):
    steps = np.random.default_rng(0).integers(0, 4000, size=3000).astype(float)
    assert np.array_equal(optimal_univariate(steps + level, 5), optimal_univariate(steps, 5))


def test_groups_reach_over_the_ends_of_blocks():
    """Clusters of known size far apart: the only sensible partition, over several blocks of the recursion."""
    sizes = np.random.default_rng(0).integers(4, 8, size=900)
    values = np.repeat(np.arange(900) * 100.0, sizes) + np.random.default_rng(1).random(sizes.sum())
    assert np.array_equal(optimal_univariate(values, 4), np.repeat(np.arange(900), sizes))


@pytest.mark.parametrize(("group_size", "percent"), [(3, 0.10292), (5, 0.33135), (10, 0.89056)])
def test_individual_ranking_of_census_loses_the_printed_share(census, group_size, percent):
    shares = [share_of_variation_lost(column, optimal_univariate(column, group_size)) for column in census.T]
    assert 100 * np.mean(shares) == pytest.approx(percent, abs=5e-6)


@pytest.mark.parametrize(("group_size", "percent"), [(3, 0.01499), (5, 0.04423), (10, 0.15930)])
def test_individual_ranking_of_eia_loses_the_printed_share(eia, group_size, percent):
    shares = [share_of_variation_lost(column, optimal_univariate(column, group_size)) for column in eia.T]
    assert 100 * np.mean(shares) == pytest.approx(percent, abs=5e-6)


@pytest.mark.parametrize("count", [5, 9])
def test_too_few_for_two_groups_make_one(count):
    assert not optimal_univariate(np.random.default_rng(0).normal(size=count), 5).any()


def test_a_constant_column_still_gives_full_groups():
    sizes = group_sizes(optimal_univariate(np.full(23, 3.5), 5))
    assert sizes.sum() == 23 and sizes.min() >= 5 and sizes.max() <= 9


def test_groups_of_one_leave_every_value_unchanged():
    assert np.array_equal(optimal_univariate(np.array([3.0, 1.0, 2.0]), 1), [2, 0, 1])


def test_fewer_records_than_a_group_is_an_error():
    with pytest.raises(ValueError, match="2 records cannot fill a group of 3"):
        optimal_univariate(np.array([1.0, 2.0]), 3)
    with pytest.raises(ValueError, match="2 records cannot fill a group of 3"):
        partition_sorted(np.array([1.0, 2.0]), 3)
