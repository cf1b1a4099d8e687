"""Fuzzy measures, their Möbius transform, Shapley values and interactions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.fuzzy.measures import (
    additive_measure,
    from_mobius,
    interaction_indices,
    mobius,
    number_of_attributes,
    shapley_values,
    symmetric_measure,
    violation,
)
from sdckit.fuzzy.quantifiers import power

weights = st.integers(1, 5).flatmap(lambda d: arrays(float, d, elements=st.floats(0.05, 1)))
measures = st.integers(1, 4).flatmap(lambda d: arrays(float, 1 << d, elements=st.floats(0, 1)))


@given(weights)
def test_the_shapley_values_of_an_additive_measure_are_its_weights(raw):
    shares = raw / raw.sum()
    measure = additive_measure(shares)
    assert shapley_values(measure) == pytest.approx(shares)
    assert interaction_indices(measure) == pytest.approx(np.zeros((len(raw), len(raw))), abs=1e-12)


@given(measures)
def test_the_mobius_transform_and_its_inverse_cancel(measure):
    assert from_mobius(mobius(measure)) == pytest.approx(measure)


@given(measures)
def test_the_mobius_transform_is_the_signed_sum_over_subsets(measure):
    sets = range(len(measure))
    twin = [sum((-1) ** (a & ~b).bit_count() * measure[b] for b in sets if b & a == b) for a in sets]
    assert mobius(measure) == pytest.approx(np.array(twin))


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


def test_what_is_not_a_measure_is_named():
    assert violation(symmetric_measure(power(2), 3)) is None
    assert "empty set" in str(violation(np.array([0.5, 1.0])))
    assert "together weigh" in str(violation(np.array([0, 0.5])))
    assert "lowers its weight" in str(violation(np.array([0, 0.6, 0.2, 0.4, 0.1, 0.7, 0.3, 1.0])))
    with pytest.raises(ValueError, match="power of two"):
        number_of_attributes(np.zeros(3))
