"""Fuzzy measures, their Shapley values and interactions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.fuzzy.measures import (
    additive_measure,
    interaction_indices,
    number_of_attributes,
    shapley_values,
)

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
