"""What a partition says of its groups."""

import numpy as np
import pytest

from sdckit.kernels.partitions import (
    group_means,
    group_medians,
    group_modes,
    group_sizes,
    share_of_variation_lost,
    within_group_sum_of_squares,
)

LABELS = np.array([0, 1, 0, 1, 1, 0, 0])


def test_sizes_by_hand():
    assert group_sizes(LABELS).tolist() == [4, 3]


def test_means_leave_out_what_is_missing():
    values = np.array([[1.0, np.nan], [5, 1], [2, np.nan], [6, 2], [10, 3], [3, np.nan], [np.nan, np.nan]])
    assert np.array_equal(group_means(values, LABELS), [[2, np.nan], [7, 2]], equal_nan=True)
    assert group_means(values[:, 0], LABELS).tolist() == [2, 7]


def test_means_at_a_large_level_keep_their_digits():
    labels = np.repeat(np.arange(50_000), 2)
    values = 1e12 + np.tile([0.0, 1.0], 50_000)
    assert (group_means(values, labels) == 1e12 + 0.5).all()


def test_medians_are_the_lower_of_two_middle_values():
    values = np.array([4.0, 9, 1, 7, 8, 2, 3])
    assert group_medians(values, LABELS).tolist() == [2, 8]
    values[0] = np.nan
    assert group_medians(values, LABELS).tolist() == [2, 8]
    assert np.isnan(group_medians(np.full(7, np.nan), LABELS)).all()


def test_modes_break_ties_towards_the_first_category():
    codes = np.array([[2, -1], [0, 1], [1, -1], [0, 1], [3, 0], [2, -1], [1, -1]])
    assert group_modes(codes, LABELS).tolist() == [[1, -1], [0, 1]]
    assert group_modes(codes[:, 0], LABELS).tolist() == [1, 0]


def test_the_optimal_groups_of_the_eleven_firms_lose_the_printed_share(firms):
    """Surface and employees of eleven firms (handbook on statistical disclosure control): SSE/SST = 0.3402."""
    points = (firms - firms.mean(axis=0)) / firms.std(axis=0)
    labels = np.array([0, 0, 0, 1, 1, 2, 2, 2, 1, 0, 2])
    assert (points**2).sum() == pytest.approx(22)
    assert share_of_variation_lost(points, labels) == pytest.approx(0.3402, abs=5e-5)


def test_nothing_is_lost_within_groups_of_equals():
    values = np.array([[1.0, 2], [5, 1], [1, 2], [5, 1], [5, 1], [1, 2], [1, 2]])
    assert within_group_sum_of_squares(values, LABELS) == 0
    assert share_of_variation_lost(np.ones((7, 2)), LABELS) == 0


def test_a_single_group_loses_all():
    values = np.random.default_rng(0).normal(size=(30, 3))
    assert share_of_variation_lost(values, np.zeros(30, dtype=np.int64)) == pytest.approx(1)
