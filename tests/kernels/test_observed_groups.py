"""Groups are merged until no mean is of too few observed values."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.observed_groups import merged_by_all_observed, merged_by_observed


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
