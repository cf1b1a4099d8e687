"""The two variants of rank swapping that exclude nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.files import correlated, masked_matrix, numeric

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.methods.swapping.rank_swapping_buckets import RankSwappingBuckets
from sdckit.methods.swapping.rank_swapping_distribution import RankSwappingDistribution
from sdckit.recipe import Recipe

BOTH = [RankSwappingBuckets(buckets=4), RankSwappingDistribution(window=0.1)]


@pytest.mark.parametrize("masking", BOTH)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(0, 99))
def test_every_marginal_survives(masking, column, seed):
    values = np.array(column, dtype=float)[:, None]
    assert np.array_equal(np.sort(masked_matrix(masking, values, seed), axis=0), np.sort(values, axis=0))


@pytest.mark.parametrize("masking", BOTH)
def test_a_published_method_excludes_no_record(masking):
    data = numeric(correlated(20, 2, seed=1))
    recipe = Recipe.of(masking)
    released = recipe.protect(data, draws=Draws.of(1))
    possible = recipe.candidates(Candidates.known(data, ["a", "b"], complete=True), released)
    assert possible is not None
    assert all(possible.admits(released, record).all() for record in range(20))


@pytest.mark.slow
def test_a_value_can_travel_across_the_whole_file():
    """Over many seeds the smallest of ten values is seen at every rank, which a window would forbid."""
    values = np.arange(10.0)[:, None]
    for masking in (RankSwappingBuckets(buckets=5), RankSwappingDistribution(window=0.5)):
        got = {float(masked_matrix(masking, values, seed)[0, 0]) for seed in range(3000)}
        assert got >= set(range(1, 10))


def test_more_buckets_swap_nearer_values():
    values = np.arange(400.0)[:, None]
    moved = [
        np.mean(
            [np.abs(masked_matrix(RankSwappingBuckets(buckets=b), values, seed) - values).mean() for seed in range(5)]
        )
        for b in (2, 10, 50)
    ]
    assert moved == sorted(moved, reverse=True)


def test_more_buckets_than_records_are_allowed():
    assert len(masked_matrix(RankSwappingBuckets(buckets=50), np.arange(3.0)[:, None])) == 3
