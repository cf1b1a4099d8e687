"""The nearest rivals and the links agree with a look at every pair."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.linear_distances import OWA, Bilinear, BilinearMetric, Choquet, WeightedMean, recount, recounted_credits
from sdckit.linear_distances.linkage import Linkage

pytestmark = pytest.mark.slow  # the kernels that learn take long to compile

FAMILIES = [WeightedMean(), OWA(), Choquet(), Bilinear(), BilinearMetric()]


def some_parameters(family, attributes, rng):
    if isinstance(family, BilinearMetric):
        root = rng.normal(size=(attributes, attributes))
        return (root @ root.T)[np.triu_indices(attributes)]
    if isinstance(family, Bilinear):
        return rng.normal(size=family.size(attributes))
    if isinstance(family, Choquet):
        return family.embed(rng.random(attributes)) ** rng.uniform(0.3, 3)  # monotone, not additive
    return rng.random(attributes)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("grid", [True, False], ids=["ties", "continuous"])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_links_found_with_the_tree_are_those_of_a_recount_in_long_double(family, grid, seed):
    rng = np.random.default_rng(seed)
    targets = rng.integers(0, 3, (40, 3)).astype(float) if grid else rng.normal(size=(40, 3))
    queries = targets + (rng.integers(-1, 2, targets.shape) if grid else 0.3 * rng.normal(size=targets.shape))
    truth = rng.permutation(40)
    parameters = some_parameters(family, 3, rng)
    for strict in (True, False):
        linkage = Linkage(queries, targets, truth, family, strict=strict)
        credits = linkage.credits(linkage.linked(family.onto_axes(parameters, linkage.axes)))
        expected = recounted_credits(queries, targets, truth, family, parameters, strict=strict)
        if not grid:
            np.testing.assert_allclose(credits, expected)
        else:  # a tie in exact arithmetic may be none in long double
            assert (credits <= expected + 1e-12).all()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_nearest_rivals_are_those_of_a_full_sort(family):
    rng = np.random.default_rng(5)
    queries, targets = rng.normal(size=(30, 3)), rng.normal(size=(60, 3))
    truth = rng.integers(0, 60, 30)
    linkage = Linkage(queries, targets, truth, family)
    parameters = some_parameters(family, 3, rng)
    found = linkage.rivals(family.onto_axes(parameters, linkage.axes), 4)
    for i in range(30):
        distance = family.features(queries[i] - targets) @ parameters
        distance[truth[i]] = np.inf
        np.testing.assert_array_equal(np.sort(found[i]), np.sort(np.argsort(distance)[:4]))


def test_candidates_as_a_mask_and_as_lists_are_the_same():
    rng = np.random.default_rng(1)
    queries, targets = rng.normal(size=(20, 2)), rng.normal(size=(20, 2))
    mask = rng.random((20, 20)) < 0.3
    lists = [np.flatnonzero(row) for row in mask]
    family, parameters = WeightedMean(), np.array([0.5, 0.5])
    both = [Linkage(queries, targets, np.arange(20), family, each) for each in (mask, lists)]
    by_mask, by_lists = (each.linked(family.onto_axes(parameters, each.axes)) for each in both)
    np.testing.assert_array_equal(by_mask, by_lists)
    np.testing.assert_array_equal(by_mask, recount(queries, targets, np.arange(20), family, parameters, mask))


def test_a_query_whose_true_target_is_no_candidate_is_not_linked():
    values = np.array([[0.0], [10.0]])
    linkage = Linkage(values, values, np.arange(2), WeightedMean(), [np.array([1]), np.array([1])])
    np.testing.assert_array_equal(linkage.linked(np.ones(1)), [False, True])


def test_identical_targets_share_a_link_that_the_strict_rule_refuses():
    targets = np.array([[0.0, 1.0], [0.0, 1.0], [5.0, 5.0]])
    queries = targets + 0.1
    for strict, expected in ((True, [0, 0, 1]), (False, [0.5, 0.5, 1])):
        linkage = Linkage(queries, targets, np.arange(3), WeightedMean(), strict=strict)
        np.testing.assert_array_equal(linkage.credits(linkage.linked(np.ones(2))), expected)


def test_identical_queries_make_a_group_unless_they_share_their_target():
    queries = np.array([[0.0], [0.0], [1.0], [2.0], [2.0]])
    linkage = Linkage(queries, np.arange(4.0)[:, None], np.array([0, 1, 2, 3, 3]), WeightedMean())
    assert linkage.groups[0] == linkage.groups[1]
    assert len(np.unique(linkage.groups)) == 4
