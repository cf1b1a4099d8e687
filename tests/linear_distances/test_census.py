"""The microaggregated Census files of the literature, small budgets: the orders the published table shows."""

import numpy as np
import pytest

from sdckit.kernels.mdav import mdav
from sdckit.linear_distances import Bilinear, ChoquetMetric, WeightedMean, learn, recount
from sdckit.linear_distances.linkage import Linkage

pytestmark = pytest.mark.slow  # the kernels that learn take long to compile


def standardised(values):
    return (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)


@pytest.fixture(scope="module")
def m4_33(census):
    """400 records, four attributes, microaggregated in two pairs with k = 3 (on the raw values)."""
    original = census[np.random.default_rng(6).choice(len(census), 400, replace=False), :4]
    masked = original.copy()
    for pair in (slice(0, 2), slice(2, 4)):
        groups = mdav(np.ascontiguousarray(original[:, pair]), 3)
        for group in np.unique(groups):
            masked[groups == group, pair] = original[groups == group, pair].mean(axis=0)
    return standardised(masked), standardised(original), np.arange(400)


@pytest.fixture(scope="module")
def weighted(m4_33):
    return learn(*m4_33, WeightedMean(), budget=8.0, rng=np.random.default_rng(0))


def test_the_best_weights_link_far_more_than_equal_ones(m4_33, weighted):
    """Published: arithmetic mean 84.00 %, Mahalanobis 94.00 %, weighted mean 95.50 %."""
    equal = recount(*m4_33, WeightedMean(), WeightedMean().arithmetic_mean(4)).sum()
    linkage = Linkage(*m4_33, Bilinear())
    mahalanobis = linkage.linked(Bilinear().embed(np.ones(4))).sum()
    assert equal < mahalanobis < weighted.found
    assert weighted.found / 400 == pytest.approx(0.955, abs=0.035)  # draws differ by a few points


def test_the_most_links_of_the_weighted_mean_are_proven(weighted):
    assert weighted.proven


def test_larger_families_start_where_the_weighted_mean_ends(m4_33, weighted):
    distinct = len(np.unique(m4_33[0], axis=0))
    for family in (ChoquetMetric(), Bilinear()):
        learned = learn(*m4_33, family, budget=2.0, rng=np.random.default_rng(0), starts=[weighted])
        assert weighted.found <= learned.found <= learned.bound <= distinct
        np.testing.assert_array_equal(recount(*m4_33, family, learned.parameters), learned.linked)
