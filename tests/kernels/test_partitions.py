"""What a partition says of its groups."""

from statistics import median_low

import numpy as np
import pytest

from sdckit.kernels.partitions import (
    group_means,
    group_medians,
    group_modes,
    group_sizes,
    require_enough_records,
    share_of_variation_lost,
    weighted_group_means,
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


def groups_of(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (int(rng.integers(1, 9)), int(rng.integers(1, 3)))).astype(float)
    values[rng.random(values.shape) < 0.25] = np.nan
    return values, rng.integers(0, 3, len(values)), rng.integers(0, 3, len(values)).astype(float)


def test_every_statistic_of_a_group_is_that_of_its_observed_values():
    for seed in range(60):
        values, labels, weights = groups_of(seed)
        codes = np.where(np.isnan(values), -1, values).astype(np.int64)
        means, medians, modes = group_means(values, labels), group_medians(values, labels), group_modes(codes, labels)
        weighted = weighted_group_means(values, labels, weights)
        for each in (means, medians, modes, weighted):
            assert each.shape == (labels.max() + 1, values.shape[1])
        for group in range(labels.max() + 1):
            for column in range(values.shape[1]):
                inside = (labels == group) & ~np.isnan(values[:, column])
                members, weight = values[inside, column].tolist(), weights[inside]
                mode = min(set(members), key=lambda code: (-members.count(code), code), default=-1)
                assert modes[group, column] == mode
                found = means[group, column], weighted[group, column], medians[group, column]
                if not members:
                    assert np.isnan(found).all()
                    continue
                mean = sum(members) / len(members)
                of_weights = float(weight @ members / weight.sum()) if weight.any() else mean
                assert found == pytest.approx((mean, of_weights, median_low(members)))


def test_the_sum_of_squares_is_about_the_mean_of_each_group():
    for seed in range(30):
        values, labels, _ = groups_of(seed)
        within, total = 0.0, 0.0
        for column in values.T:
            for group in range(3):
                members = column[(labels == group) & ~np.isnan(column)]
                within += ((members - members.mean()) ** 2).sum() if len(members) else 0.0
            seen = column[~np.isnan(column)]
            total += ((seen - seen.mean()) ** 2).sum() if len(seen) else 0.0
        assert within_group_sum_of_squares(values, labels) == pytest.approx(within)
        assert share_of_variation_lost(values, labels) == pytest.approx(within / total if total else 0.0)


@pytest.mark.parametrize(("records", "size"), [(0, 1), (2, 3), (5, 0), (5, -1)])
def test_too_few_records_or_groups_of_nobody_are_refused(records, size):
    with pytest.raises(ValueError, match="group"):
        require_enough_records(records, size)


def test_enough_records_are_accepted():
    require_enough_records(1, 1)
    require_enough_records(3, 3)
