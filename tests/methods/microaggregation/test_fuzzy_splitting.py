import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.methods.files import correlated, masked_matrix

from sdckit.draws import Draws
from sdckit.kernels.mdav import mdav
from sdckit.kernels.partitions import group_sizes, share_of_variation_lost
from sdckit.kernels.standardisation import standardise
from sdckit.methods.microaggregation.fuzzy_splitting import FuzzySplitting

RNG = np.random.default_rng(0)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 80), st.integers(1, 9), st.sampled_from([1.0, 1.5, 2.0]), st.integers(0, 10**6))
def test_every_group_has_the_size_to_twice_the_size(records, group_size, fuzziness, seed):
    values = np.random.default_rng(seed).integers(0, 6, (records, 2)).astype(float)
    if records < group_size:
        return
    sizes = group_sizes(FuzzySplitting(group_size=group_size, fuzziness=fuzziness).partition(values, RNG))
    assert sizes.sum() == records
    assert sizes.min() >= min(group_size, records) and sizes.max() <= 2 * group_size


def test_two_distant_clouds_are_split_first_by_hand():
    values = np.array([[0.0], [1], [2], [100], [101], [102]])
    labels = FuzzySplitting(group_size=2).partition(values, RNG)
    assert len(set(labels[:3])) == len(set(labels[3:])) == 1 and labels[0] != labels[5]


def test_a_small_part_takes_the_records_that_belong_to_it_most():
    """One record is far to the right, and groups need two: it gets the nearest of the others."""
    values = np.array([[0.0], [0.1], [0.2], [0.3], [5.0], [100.0]])
    labels = FuzzySplitting(group_size=2).partition(values, RNG)
    assert labels[4] == labels[5]
    assert labels[3] != labels[5]


def test_means_are_kept_and_the_loss_is_that_of_a_microaggregation():
    values = correlated(400, 3, seed=2)
    masked = masked_matrix(FuzzySplitting(group_size=4), values)
    assert masked.mean(axis=0) == pytest.approx(values.mean(axis=0))
    points = standardise(values)
    lost = share_of_variation_lost(points, FuzzySplitting(group_size=4).partition(values, RNG))
    assert lost < 2.5 * share_of_variation_lost(points, mdav(points, 4))


def test_equal_records_are_still_split():
    sizes = group_sizes(FuzzySplitting(group_size=3).partition(np.ones((20, 2)), RNG))
    assert sizes.min() >= 3 and sizes.max() <= 6


@settings(max_examples=30, deadline=None)
@given(st.integers(6, 60), st.integers(2, 5), st.sampled_from([1.0, 1.5]), st.integers(0, 10**6))
def test_missing_values_stay_missing_and_every_value_is_a_mean_of_enough(records, group_size, fuzziness, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 6, (records, 3)).astype(float)
    values[rng.random(values.shape) < 0.3] = np.nan
    if min((~np.isnan(values)).sum(axis=0)) < group_size:
        return
    masking = FuzzySplitting(group_size=group_size, fuzziness=fuzziness)
    sizes = group_sizes(masking.partition(values, RNG))
    assert sizes.min() >= min(group_size, records) and sizes.max() <= 2 * group_size
    masked = masking.transform(values, Draws.of(1))
    assert np.array_equal(np.isnan(masked), np.isnan(values))
    assert np.nansum(masked, axis=0) == pytest.approx(np.nansum(values, axis=0))
    for column in masked.T:
        assert np.unique(column[~np.isnan(column)].round(9), return_counts=True)[1].min() >= group_size
