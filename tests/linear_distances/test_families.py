"""What the families of distances are: their features, cones, embeddings and meaning."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.linear_distances import (
    OWA,
    Bilinear,
    BilinearMetric,
    Choquet,
    ChoquetMetric,
    WeightedMean,
    WeightedMeanMetric,
)

FAMILIES = [WeightedMean(), WeightedMeanMetric(), OWA(), Choquet(), ChoquetMetric(), Bilinear(), BilinearMetric()]
DIFFERENCES = arrays(np.float64, (5, 3), elements=st.floats(-8, 8, width=16))


@given(DIFFERENCES)
def test_equal_importance_is_the_mean_of_the_squared_differences(differences):
    for family in FAMILIES:
        distance = family.features(differences) @ family.arithmetic_mean(3)
        np.testing.assert_allclose(distance, (differences**2).mean(axis=1), atol=1e-12)


def test_an_owa_weighs_the_largest_difference_first():
    weights = np.array([0.5, 0.3, 0.2])
    assert OWA().features(np.array([[1.0, -3.0, 2.0]]))[0] @ weights == pytest.approx(0.5 * 9 + 0.3 * 4 + 0.2 * 1)


def test_a_choquet_integral_by_hand():
    measure = np.array([0.1, 0.2, 0.5, 0.3, 0.6, 0.7, 1.0])  # {1}, {2}, {12}, {3}, {13}, {23}, {123}
    squared = np.array([4.0, 1.0, 9.0])  # ascending: 1 (attribute 2), 4 (attribute 1), 9 (attribute 3)
    by_hand = 1 * 1.0 + (4 - 1) * 0.6 + (9 - 4) * 0.3
    assert Choquet().features(np.sqrt(squared)[None])[0] @ measure == pytest.approx(by_hand)


def test_a_bilinear_form_by_hand():
    form = np.array([2.0, 0.5, 3.0])  # [[2, .5], [.5, 3]]
    assert Bilinear().features(np.array([[1.0, 2.0]]))[0] @ form == pytest.approx(2 + 2 * 0.5 * 2 + 3 * 4)


@given(DIFFERENCES, arrays(np.float64, 3, elements=st.floats(0.0625, 1, width=16)))
def test_every_family_that_contains_the_weighted_mean_gives_the_same_distance(differences, weights):
    for family in FAMILIES:
        if "weighted mean" in family.contains:
            member = family.embed_member("weighted mean", weights, 3)
            np.testing.assert_allclose(family.features(differences) @ member, differences**2 @ weights, atol=1e-9)


@given(DIFFERENCES, arrays(np.float64, 3, elements=st.floats(0.0625, 1, width=16)))
def test_an_owa_is_a_choquet_integral_with_a_symmetric_measure(differences, weights):
    member = Choquet().embed_member("owa", weights, 3)
    expected = OWA().features(differences) @ weights
    np.testing.assert_allclose(Choquet().features(differences) @ member, expected, atol=1e-9)


def test_a_family_that_is_not_contained_is_not_embedded():
    assert OWA().embed_member("weighted mean", np.ones(3), 3) is None
    assert BilinearMetric().embed_member("bilinear", np.ones(6), 3) is None


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_interior_satisfies_every_inequality_strictly(family):
    inequalities = family.inequalities(4)
    assert (inequalities @ family.interior(4) > 0).all()


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_a_submodular_measure_gives_a_distance_with_the_triangle_inequality(seed):
    """√ of the Choquet integral of squared differences, for a measure in the cone."""
    rng = np.random.default_rng(seed)
    family = ChoquetMetric()
    weights = rng.random((4, 3))
    measure = np.mean(
        [np.array([max(w[k] for k in range(3) if s >> k & 1) for s in range(1, 8)]) for w in weights], axis=0
    )
    assert (family.inequalities(3) @ measure >= -1e-12).all()  # maxima are monotone and submodular
    points = rng.normal(size=(3, 3))
    for a, b, c in permutations(points):
        ab, bc, ac = np.sqrt(family.features(np.array([a - b, b - c, a - c])) @ measure)
        assert ac <= ab + bc + 1e-12


@pytest.mark.parametrize("family", [WeightedMean(), Bilinear()], ids=lambda family: family.name)
@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_parameters_travel_onto_the_axes_and_back(family, seed):
    rng = np.random.default_rng(seed)
    own, rivals = rng.normal(size=(20, 3)) * [1, 10, 0.1], rng.normal(size=(20, 3))
    axes = family.axes(own, rivals.std(axis=0))
    parameters = rng.random(family.size(3))
    moved = family.onto_axes(parameters, axes)
    np.testing.assert_allclose(
        family.features(rivals @ axes.T) @ moved, family.features(rivals) @ parameters, rtol=1e-6
    )
    np.testing.assert_allclose(family.off_axes(moved, axes), parameters, rtol=1e-6, atol=1e-9)


def test_the_mahalanobis_distance_is_euclidean_on_the_axes():
    own = np.random.default_rng(0).normal(size=(50, 3)) @ np.array([[1, 0.5, 0], [0, 1, 0], [0.3, 0, 2]])
    axes = Bilinear().axes(own, own.std(axis=0))
    mahalanobis = np.linalg.inv(own.T @ own / len(own))
    np.testing.assert_allclose(axes.T @ axes, mahalanobis, rtol=1e-8)


def test_shapley_values_and_interactions_of_an_additive_measure_are_its_weights_and_nothing():
    weights = np.array([0.2, 0.3, 0.5])
    measure = Choquet().embed(weights)
    np.testing.assert_allclose(Choquet().importance(measure, 3), weights)
    np.testing.assert_allclose(Choquet().interactions(measure, 3), 0, atol=1e-15)


def test_too_many_attributes_for_a_fuzzy_measure_are_refused_with_the_limit():
    with pytest.raises(ValueError, match="at most 10"):
        Choquet().size(11)
