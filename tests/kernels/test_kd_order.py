"""The kd-order puts near records in the same leaf."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.kd_order import kd_order

tables = st.tuples(st.integers(1, 60), st.integers(1, 3)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(-5, 5))
)


@given(tables, st.integers(1, 8))
def test_the_order_holds_every_record_once(points, leaf_size):
    assert np.array_equal(np.sort(kd_order(points, leaf_size)), np.arange(len(points)))


@given(arrays(np.float64, st.integers(1, 60), elements=st.floats(-5, 5)), st.integers(1, 8))
def test_on_a_line_the_leaves_are_in_order(values, leaf_size):
    ordered = values[kd_order(values.reshape(-1, 1), leaf_size)]
    leaves = [ordered[start : start + leaf_size] for start in range(0, len(ordered), leaf_size)]
    assert all(before.max() <= after.min() for before, after in pairwise(leaves))


def test_four_clusters_by_hand():
    points = np.array([[0, 0], [9, 9], [0, 4], [9, 5], [1, 0], [9, 8], [1, 4], [9, 4]], dtype=float)
    leaves = kd_order(points, 2).reshape(-1, 2)
    assert {frozenset(leaf) for leaf in leaves.tolist()} == {frozenset(s) for s in ({0, 4}, {2, 6}, {1, 5}, {3, 7})}


@pytest.mark.parametrize("count", [1, 64, 1000])
def test_constant_points_have_an_order(count):
    assert np.array_equal(np.sort(kd_order(np.ones((count, 2)), 8)), np.arange(count))
