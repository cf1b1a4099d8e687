"""Learning finds the true most links of small files, keeps to its bound, and nests with the families."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.linear_distances import (
    OWA,
    Bilinear,
    BilinearMetric,
    Choquet,
    ChoquetMetric,
    NonNegativeBilinear,
    Proof,
    WeightedMean,
    WeightedMeanMetric,
    learn,
    learn_on_a_share,
    recount,
)

from .exhaustive import most_links

pytestmark = pytest.mark.slow  # the kernels that learn take long to compile

FAMILIES = [
    WeightedMean(),
    WeightedMeanMetric(),
    OWA(),
    Choquet(),
    ChoquetMetric(),
    Bilinear(),
    NonNegativeBilinear(),
    BilinearMetric(),
]
by_name = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def masked_file(seed, records=7, attributes=2, noise=0.7):
    rng = np.random.default_rng(seed)
    original = rng.normal(size=(records, attributes))
    return original + noise * rng.normal(size=original.shape), original, np.arange(records)


def quickly(queries, targets, truth, family, budget=0.6, **more):
    return learn(queries, targets, truth, family, budget=budget, rng=np.random.default_rng(0), **more)


@pytest.mark.slow
@pytest.mark.parametrize(
    "family", [WeightedMean(), OWA(), Choquet(), ChoquetMetric(), Bilinear()], ids=lambda f: f.name
)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_most_links_of_a_small_file_are_found(family, seed):
    queries, targets, truth = masked_file(seed)
    true_most = most_links(
        queries, targets, truth, lambda difference: family.features(difference[None])[0],
        family.inequalities(2), free=isinstance(family, Bilinear),
    )  # fmt: skip
    learned = quickly(queries, targets, truth, family)
    assert learned.found == true_most
    assert learned.bound >= true_most


@by_name
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_what_is_found_is_counted_in_long_double_allowed_and_below_the_bound(family, seed):
    queries, targets, truth = masked_file(seed, records=30, attributes=3)
    learned = quickly(queries, targets, truth, family, budget=0.5)
    np.testing.assert_array_equal(recount(queries, targets, truth, family, learned.parameters), learned.linked)
    assert learned.found == learned.linked.sum() <= learned.bound <= len(queries)
    assert (family.inequalities(3) @ learned.parameters >= -1e-9).all()
    if isinstance(family, NonNegativeBilinear | BilinearMetric):
        distances = family.features(queries[:, None] - targets[None]) @ learned.parameters
        assert distances.min() >= -1e-9 * np.abs(distances).max()
    if isinstance(family, BilinearMetric):
        matrix = np.zeros((3, 3))
        matrix[np.triu_indices(3)] = learned.parameters
        assert np.linalg.eigvalsh(matrix + np.triu(matrix, 1).T).min() >= -1e-9


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_larger_family_links_at_least_as_many(seed):
    queries, targets, truth = masked_file(seed, records=40, attributes=3)
    mean = recount(queries, targets, truth, WeightedMean(), WeightedMean().arithmetic_mean(3)).sum()
    weighted = quickly(queries, targets, truth, WeightedMean(), 0.3)
    ordered = quickly(queries, targets, truth, OWA(), 0.3)
    metric = quickly(queries, targets, truth, ChoquetMetric(), 0.3, starts=[weighted])
    choquet = quickly(queries, targets, truth, Choquet(), 0.3, starts=[weighted, ordered, metric])
    definite = quickly(queries, targets, truth, BilinearMetric(), 0.3, starts=[weighted])
    bilinear = quickly(queries, targets, truth, Bilinear(), 0.3, starts=[weighted, definite])
    assert mean <= weighted.found <= metric.found <= choquet.found
    assert ordered.found <= choquet.found
    assert weighted.found <= definite.found <= bilinear.found


@pytest.mark.parametrize("family", [WeightedMean(), Bilinear()], ids=lambda family: family.name)
def test_rescaling_the_attributes_does_not_change_the_most_links(family):
    queries, targets, truth = masked_file(3, records=15, attributes=2, noise=0.4)
    units = np.array([1000.0, 0.01])
    one = quickly(queries, targets, truth, family, 2.0)
    other = quickly(queries * units, targets * units, truth, family, 2.0)
    assert one.found == other.found


def test_a_weight_that_must_be_found():
    """Attribute 1 is kept, attribute 2 is noise: only small weights on it link all."""
    rng = np.random.default_rng(0)
    targets = np.column_stack([np.arange(30.0), rng.normal(size=30)])
    queries = np.column_stack([np.arange(30.0) + 0.2, 100 * rng.normal(size=30)])
    learned = quickly(queries, targets, np.arange(30), WeightedMean())
    assert learned.found == 30 and learned.proven
    assert learned.model.importance(learned.parameters, 2)[0] > 0.9


@by_name
def test_identical_queries_bound_the_links_by_the_distinct_ones(family):
    rng = np.random.default_rng(1)
    targets = rng.normal(size=(20, 2))
    queries = np.repeat(targets.reshape(10, 2, 2).mean(axis=1), 2, axis=0)  # groups of two, each replaced by its mean
    learned = quickly(queries, targets, np.arange(20), family)
    assert learned.found <= learned.bound <= 10


@by_name
def test_one_record_is_linked(family):
    learned = quickly(np.zeros((1, 3)), np.ones((1, 3)), np.zeros(1, dtype=np.int64), family, 0.3)
    assert learned.found == learned.bound == 1


@by_name
def test_one_attribute_leaves_nothing_to_learn(family):
    queries, targets = np.array([[0.1], [1.2], [1.9]]), np.array([[0.0], [1.0], [2.0]])
    learned = quickly(queries, targets, np.arange(3), family, 0.5)
    assert learned.found == learned.bound == 3


@by_name
def test_a_constant_attribute_does_no_harm(family):
    queries, targets, truth = masked_file(5, records=15, attributes=2, noise=0.05)
    constant = np.ones((15, 1))
    with_it = quickly(np.hstack([queries, constant]), np.hstack([targets, constant]), truth, family)
    assert with_it.found == 15


@by_name
def test_duplicated_targets_are_never_linked(family):
    targets = np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 1.0], [5.0, 7.0]])
    learned = quickly(targets + 0.1, targets, np.arange(4), family, 0.5)
    np.testing.assert_array_equal(learned.linked, [False, False, True, True])
    assert learned.bound == 2


@by_name
def test_without_strictness_identical_targets_share_a_link(family):
    targets = np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 1.0]])
    learned = quickly(targets + np.array([[0.1], [0.2], [0.1]]), targets, np.arange(3), family, 0.5, strict=False)
    np.testing.assert_allclose(learned.credits, [0.5, 0.5, 1])
    assert learned.found == pytest.approx(2) and learned.proven


@by_name
def test_fewer_candidates_never_cost_a_link_of_a_true_target(family):
    queries, targets, truth = masked_file(8, records=25, attributes=2)
    everyone = quickly(queries, targets, truth, family, 0.5)
    near = np.abs(queries[:, None] - targets[None]).max(axis=2) < 1.5
    near[truth, truth] = True
    restricted = quickly(queries, targets, truth, family, 0.5, candidates=near, starts=[everyone])
    assert restricted.found >= everyone.found
    expected = recount(queries, targets, truth, family, restricted.parameters, near)
    np.testing.assert_array_equal(restricted.linked, expected)


@by_name
def test_a_single_candidate_that_is_true_links_and_one_that_is_false_does_not(family):
    queries, targets, truth = masked_file(8, records=10, attributes=2, noise=3.0)
    lists = [np.array([i if i < 6 else (i + 1) % 10]) for i in range(10)]
    learned = quickly(queries, targets, truth, family, 0.5, candidates=lists)
    assert learned.found == learned.bound == 6


@by_name
def test_the_same_seed_gives_the_same_bound_on_an_easy_file(family):
    queries, targets, truth = masked_file(2, records=12, attributes=2, noise=0.01)
    learned = quickly(queries, targets, truth, family)
    assert learned.found == learned.bound == 12
    assert learned.proof is Proof.DISTINCT_RECORDS and learned.margin == 0


def test_the_trail_only_rises():
    queries, targets, truth = masked_file(4, records=40, attributes=3)
    learned = quickly(queries, targets, truth, Bilinear())
    found = [step.found for step in learned.trail]
    assert found == sorted(set(found)) and found[-1] == learned.found


def test_an_interruption_gives_what_was_found():
    queries, targets, truth = masked_file(4, records=40, attributes=3)

    class Interrupting(WeightedMean):
        calls = 0

        def features(self, differences):
            Interrupting.calls += 1
            if Interrupting.calls == 30:
                raise KeyboardInterrupt
            return super().features(differences)

    learned = quickly(queries, targets, truth, Interrupting(), budget=20.0)
    mean = recount(queries, targets, truth, WeightedMean(), WeightedMean().arithmetic_mean(3)).sum()
    assert mean <= learned.found <= learned.bound


def test_links_on_held_out_records_are_those_of_the_learned_parameters():
    queries, targets, truth = masked_file(9, records=60, attributes=3, noise=0.3)
    result = learn_on_a_share(
        queries, targets, truth, WeightedMean(), share=0.5, budget=0.5, rng=np.random.default_rng(0)
    )
    assert len(result.others) == 30 and len(result.learned.linked) == 30
    again = recount(queries, targets, truth, WeightedMean(), result.learned.parameters)
    np.testing.assert_array_equal(result.credits, again[result.others])
    assert 0 <= result.share <= 1


@by_name
def test_no_time_at_all_still_gives_equal_importance(family):
    queries, targets, truth = masked_file(4, records=20, attributes=3)
    learned = quickly(queries, targets, truth, family, budget=0.0)
    mean = recount(queries, targets, truth, WeightedMean(), WeightedMean().arithmetic_mean(3)).sum()
    assert mean <= learned.found <= learned.bound


@by_name
def test_an_empty_file_has_no_links(family):
    nothing = np.empty((0, 2))
    learned = quickly(nothing, np.ones((3, 2)), np.empty(0, dtype=np.int64), family, 0.2)
    assert learned.found == learned.bound == 0
