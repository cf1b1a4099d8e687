"""The order of a column is that of a stable sort, whatever the values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels import stable_order as stable_order_module
from sdckit.kernels.stable_order import stable_order

from .both_ways import both_ways

columns = arrays(np.float64, st.integers(0, 80), elements=st.floats(allow_nan=False, allow_infinity=False))
columns_of_ties = arrays(np.float64, st.integers(0, 80), elements=st.sampled_from([-1.0, -0.0, 0.0, 5e-324, 1.0]))


way = both_ways(stable_order_module)


@given(columns | columns_of_ties)
def test_the_order_is_that_of_a_stable_sort(values):
    assert np.array_equal(stable_order(values), np.argsort(values, kind="stable"))


@pytest.mark.parametrize("level", [0.0, 1e9, -1e15])
def test_values_that_agree_in_their_leading_digits_are_ordered(level):
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.normal(size=2000) + level, rng.normal(size=2000) * 1e-6 + 3.0])
    assert np.array_equal(stable_order(values), np.argsort(values, kind="stable"))


def test_a_constant_column_stays_as_it_is():
    assert np.array_equal(stable_order(np.full(1000, 7.5)), np.arange(1000))


def test_one_value_and_none():
    assert np.array_equal(stable_order(np.array([3.0])), [0])
    assert len(stable_order(np.array([]))) == 0
