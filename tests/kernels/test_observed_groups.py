"""Groups are merged until no mean is of too few observed values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.observed_groups import means_of_observed, merged_by_all_observed, merged_by_observed


def test_the_only_value_of_a_group_joins_the_nearest_one_by_hand():
    labels = np.array([0, 0, 1, 1, 2, 2])
    values = np.array([1.0, np.nan, 2.0, 3.0, 8.0, 9.0])
    assert merged_by_observed(labels, ~np.isnan(values), values, 2).tolist() == [1, 1, 1, 1, 2, 2]


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_every_group_has_enough_values_or_none_in_each_column_and_groups_stay_together(seed, group_size):
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(8), group_size)
    values = rng.normal(size=(len(labels), 3))
    values[rng.random(values.shape) < 0.5] = np.nan
    merged = merged_by_all_observed(values, labels, group_size)
    assert set(merged) == set(range(merged.max() + 1))
    for column in values.T:
        counts = np.bincount(merged[~np.isnan(column)], minlength=merged.max() + 1)
        enough = group_size if (~np.isnan(column)).sum() >= group_size else 1
        assert ((counts == 0) | (counts >= enough)).all()
    assert all(len(set(merged[labels == group])) == 1 for group in range(8))


def merged_by_lists(labels, values, group_size):
    """Small groups in the order of their means are joined until they have enough; what is left joins the nearest."""
    seen = {group: values[(labels == group) & ~np.isnan(values)].tolist() for group in sorted(set(labels.tolist()))}
    few = sorted((group for group in seen if 0 < len(seen[group]) < group_size), key=lambda group: np.mean(seen[group]))
    target = {group: group for group in seen}
    runs, run = [], []
    for group in few:
        run.append(group)
        if sum(len(seen[each]) for each in run) >= group_size:
            runs.append(run)
            run = []
    for members in runs:
        target |= dict.fromkeys(members, members[0])
    if run:
        centre = np.mean([value for group in run for value in seen[group]])
        whole = [group for group in seen if len(seen[group]) >= group_size or any(group in each for each in runs)]
        nearest = min(whole, key=lambda group: abs(np.mean(seen[group]) - centre), default=None)
        target |= dict.fromkeys(run, run[0] if nearest is None else target[nearest])
    return [target[label] for label in labels.tolist()]


def test_groups_are_merged_as_by_lists_and_means_are_theirs():
    for seed in range(80):
        rng = np.random.default_rng(seed)
        groups, group_size = int(rng.integers(1, 7)), int(rng.integers(1, 5))
        labels = rng.permutation(np.repeat(np.arange(groups), int(rng.integers(1, 5))))
        values = np.where(rng.random(len(labels)) < 0.5, np.nan, rng.normal(size=len(labels)))
        expected = merged_by_lists(labels, values, group_size)
        assert merged_by_observed(labels, ~np.isnan(values), values, group_size).tolist() == expected
        means = means_of_observed(values[:, None], labels, group_size)[:, 0]
        for value, mean, group in zip(values, means, expected, strict=True):
            inside = values[(np.array(expected) == group) & ~np.isnan(values)]
            assert np.isnan(mean) if np.isnan(value) else mean == pytest.approx(inside.mean())
