"""Fuzzy measures, their Shapley values and interactions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.fuzzy.measures import (
    additive_measure,
    check_measure,
    distorted_probability,
    interaction_indices,
    interaction_strength,
    lambda_measure,
    members,
    number_of_attributes,
    shapley_values,
    symmetric_measure,
)
from sdckit.fuzzy.moebius import additivity_order, k_additive_measure, measure_from_moebius, moebius_transform
from sdckit.fuzzy.quantifiers import AtLeast, Linear, Power, Smooth

weights = st.integers(1, 5).flatmap(lambda d: arrays(float, d, elements=st.floats(0.05, 1)))
measures = st.integers(1, 4).flatmap(lambda d: arrays(float, 1 << d, elements=st.floats(0, 1)))


@given(weights)
def test_the_shapley_values_of_an_additive_measure_are_its_weights(raw):
    shares = raw / raw.sum()
    measure = additive_measure(shares)
    assert shapley_values(measure) == pytest.approx(shares)
    assert interaction_indices(measure) == pytest.approx(np.zeros((len(raw), len(raw))), abs=1e-12)


@given(measures)
def test_shapley_values_share_out_the_whole(measure):
    assert shapley_values(measure).sum() == pytest.approx(measure[-1] - measure[0])


def test_two_attributes_that_count_only_together_interact_positively():
    together = np.array([0, 0, 0, 1.0])
    instead_of_each_other = np.array([0, 1.0, 1.0, 1.0])
    assert interaction_indices(together)[0, 1] == pytest.approx(1)
    assert interaction_indices(instead_of_each_other)[0, 1] == pytest.approx(-1)


def test_the_shapley_values_of_a_majority_of_three_by_hand():
    """Two of three decide: by symmetry each attribute adds a third."""
    majority = np.array([0, 0, 0, 1, 0, 1, 1, 1.0])
    assert shapley_values(majority) == pytest.approx([1 / 3] * 3)


def test_an_array_without_a_power_of_two_of_weights_is_refused():
    with pytest.raises(ValueError, match="power of two"):
        number_of_attributes(np.zeros(3))


@given(measures)
def test_the_moebius_transform_adds_up_to_the_measure_over_subsets(measure):
    transform = moebius_transform(measure)
    assert measure_from_moebius(transform) == pytest.approx(measure, abs=1e-12)
    for index in range(len(measure)):
        subsets = [inner for inner in range(len(measure)) if inner & index == inner]
        assert measure[index] == pytest.approx(transform[subsets].sum(), abs=1e-9)


@given(measures)
def test_the_shapley_value_shares_each_moebius_mass_among_its_members(measure):
    """φ_i = Σ m(A) / |A| over the sets that contain i."""
    transform = moebius_transform(measure)
    for attribute, value in enumerate(shapley_values(measure)):
        sets = [index for index in range(1, len(measure)) if index >> attribute & 1]
        assert value == pytest.approx(sum(transform[index] / len(members(index)) for index in sets), abs=1e-9)


@given(measures)
def test_the_interaction_of_a_pair_follows_from_the_moebius_transform(measure):
    """I_ij = Σ m(A) / (|A| − 1) over the sets that contain both."""
    transform = moebius_transform(measure)
    found = interaction_indices(measure)
    for i in range(len(found)):
        for j in range(i):
            sets = [index for index in range(len(measure)) if index >> i & 1 and index >> j & 1]
            assert found[i, j] == pytest.approx(
                sum(transform[index] / (len(members(index)) - 1) for index in sets), abs=1e-9
            )


def test_additive_measures_are_1_additive_and_a_pair_that_interacts_makes_them_2_additive():
    additive = additive_measure(np.array([0.2, 0.3, 0.5]))
    assert additivity_order(additive) == 1
    transform = moebius_transform(additive)
    transform[3] += 0.1
    transform[1] -= 0.1
    pair = measure_from_moebius(transform)
    assert additivity_order(pair) == 2
    assert k_additive_measure(pair, 2) == pytest.approx(pair)
    assert additivity_order(k_additive_measure(symmetric_measure(Power(2), 4), 1)) == 1
    with pytest.raises(ValueError, match="from 1 to 3"):
        k_additive_measure(pair, 4)


@given(st.lists(st.floats(0.01, 0.99), min_size=2, max_size=5))
def test_a_lambda_measure_is_a_measure_and_follows_its_rule(densities):
    densities = np.array(densities)
    measure, strength = lambda_measure(densities), interaction_strength(densities)
    check_measure(measure, tolerance=1e-7)
    d = len(densities)
    for i in range(d):
        assert measure[1 << i] == pytest.approx(densities[i])
        for j in range(i):
            joint = densities[i] + densities[j] + strength * densities[i] * densities[j]
            assert measure[1 << i | 1 << j] == pytest.approx(min(joint, 1.0), abs=1e-6)


def test_lambda_is_zero_for_densities_that_add_up_and_has_their_sign_otherwise():
    assert interaction_strength(np.array([0.4, 0.6])) == 0
    assert interaction_strength(np.array([0.2, 0.3])) == pytest.approx((1 - 0.5) / 0.06)  # from 1 = g + h + λ g h
    assert -1 < interaction_strength(np.array([0.9, 0.8])) < 0
    with pytest.raises(ValueError, match="density 1"):
        lambda_measure(np.array([0.5, 0.0]))


def test_a_distorted_probability_is_symmetric_with_equal_weights_and_additive_undistorted():
    assert distorted_probability(Power(2), np.ones(3)) == pytest.approx(symmetric_measure(Power(2), 3))
    assert distorted_probability(Power(1), np.array([1.0, 3])) == pytest.approx(
        additive_measure(np.array([0.25, 0.75]))
    )


@pytest.mark.parametrize("quantifier", [Power(0.5), Linear(0.3, 0.8), Linear(0, 0.5), AtLeast(0.5), Smooth(0.2, 0.9)])
def test_a_quantifier_rises_from_0_to_1_and_makes_a_measure(quantifier):
    truth = quantifier(np.linspace(0, 1, 101))
    assert truth[0] == 0 and truth[-1] == 1 and (np.diff(truth) >= 0).all()
    check_measure(symmetric_measure(quantifier, 4))


@pytest.mark.parametrize(
    ("measure", "fault"),
    [
        ([0.1, 0.5, 0.5, 1], "empty set is 0"),
        ([0, 0.5, 0.5, 0.9], "all attributes is 1"),
        ([0, 0.5, 0.2, 1, 0.3, 0.4, 0.3, 1], r"\{0, 2\} weighs 0.4, less than its subset \{0\}, which weighs 0.5"),
    ],
)
def test_weights_that_are_no_measure_are_refused_with_the_set_at_fault(measure, fault):
    with pytest.raises(ValueError, match=fault):
        check_measure(np.array(measure, dtype=float))
