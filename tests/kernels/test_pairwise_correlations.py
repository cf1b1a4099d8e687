"""Correlations over the records that have both values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.pairwise_correlations import pairwise_correlations

holes = arrays(
    np.float64,
    st.tuples(st.integers(1, 9), st.integers(1, 4)),
    elements=st.one_of(st.just(np.nan), st.integers(-5, 5).map(float), st.just(1e6 + 0.1)),
)


def by_subset(values):
    """The same, one pair after the other."""
    found = np.zeros((values.shape[1],) * 2)
    for j in range(values.shape[1]):
        for other in range(values.shape[1]):
            both = values[~np.isnan(values[:, [j, other]]).any(axis=1)][:, [j, other]]
            if len(both) > 1 and (np.ptp(both, axis=0) > 0).all():
                found[j, other] = np.corrcoef(both.T)[0, 1]
    return found


def test_without_missing_values_they_are_those_of_numpy():
    values = np.random.default_rng(1).normal(size=(50, 4)).cumsum(axis=1)
    assert pairwise_correlations(values) == pytest.approx(np.corrcoef(values.T))


@given(holes)
def test_they_are_those_of_the_common_records_and_never_beyond_one(values):
    found = pairwise_correlations(values)
    assert (np.abs(found) <= 1).all()
    assert found == pytest.approx(by_subset(values), abs=1e-6)


def test_values_that_only_one_attribute_has_do_not_change_its_standard_deviation():
    values = np.column_stack([[1.0, -1.0, *[0.0] * 98], [1.0, -1.0, *[np.nan] * 98]])
    assert pairwise_correlations(values) == pytest.approx(np.ones((2, 2)))


def test_a_constant_attribute_correlates_with_nothing():
    values = np.column_stack([np.full(7, 0.1), np.arange(7.0)])
    assert pairwise_correlations(values).tolist() == [[0.0, 0.0], [0.0, pytest.approx(1.0)]]
