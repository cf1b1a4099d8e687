"""The kd-order puts near records in the same leaf."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels import compiled
from sdckit.kernels.kd_order import JUDGED, _widest, kd_order, quick_kd_order, select_smallest

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


def halved(points, order, leaf_size):
    """Whether every part is halved along its first widest coordinate, the left half of whole leaves and the larger."""
    leaves = -(-len(order) // leaf_size)
    if leaves <= 1:
        return True
    inside = points[order]
    axis = int(np.argmax(inside.max(axis=0) - inside.min(axis=0)))
    left, right = order[: -(-leaves // 2) * leaf_size], order[-(-leaves // 2) * leaf_size :]
    divided = points[left, axis].max() <= points[right, axis].min()
    return divided and halved(points, left, leaf_size) and halved(points, right, leaf_size)


@pytest.mark.parametrize("seed", range(30))
def test_every_part_is_halved_along_its_widest_coordinate(seed):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 5, (int(rng.integers(1, 30)), int(rng.integers(1, 4)))).astype(float)
    for leaf_size in (1, 2, 3, 7):
        order = kd_order(points, leaf_size)
        assert sorted(order.tolist()) == list(range(len(points)))
        assert halved(points, order, leaf_size)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(60))
def test_the_smallest_of_a_part_come_first_and_the_next_one_after_them(seed):
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, 1 + seed % 6, 9).astype(float)
    start, stop = sorted(rng.choice(10, 2, replace=False).tolist())
    for middle in range(start, stop):
        found, order = keys.copy(), np.arange(9)
        select_smallest(found, order, start, stop, middle)
        assert (found == keys[order]).all() and sorted(order.tolist()) == list(range(9))
        assert (order[:start] == np.arange(start)).all() and (order[stop:] == np.arange(stop, 9)).all()
        assert found[middle] == sorted(keys[start:stop])[middle - start]
        assert all(found[start:middle] <= found[middle]) and all(found[middle:stop] >= found[middle])


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(20))
def test_of_equally_wide_coordinates_the_first_is_taken(seed):
    rng = np.random.default_rng(seed)
    points, order = rng.integers(0, 4, (6, 3)).astype(float), rng.permutation(6)
    start, stop = sorted(rng.choice(7, 2, replace=False).tolist())
    inside = points[order[start:stop]]
    assert _widest(points, order, start, stop, 1) == np.argmax(inside.max(axis=0) - inside.min(axis=0))


@pytest.mark.parametrize("seed", range(10))
def test_python_orders_few_points_as_the_kernel_does(seed, monkeypatch):
    points = np.random.default_rng(seed).integers(0, 9, (300, 3)).astype(np.float64)
    order = kd_order(points, 8)
    monkeypatch.setattr(compiled, "compiler_is_loaded", lambda: False)
    assert (kd_order(points, 8) == order).all()


@pytest.mark.parametrize("count", [1, 5, 64, 65, 700])
def test_a_quick_order_has_every_record_once_and_parts_that_do_not_overlap_along_the_first_halving(count):
    points = np.random.default_rng(count).normal(size=(count, 3)) * [1.0, 50.0, 2.0]
    order = quick_kd_order(points, 16)
    assert sorted(order) == list(range(count))
    middle = (-(-count // 16) + 1) // 2 * 16
    if count > 16:  # the second coordinate is the widest by far, whichever points are looked at
        assert points[order[:middle], 1].max() <= points[order[middle:], 1].min()


def test_few_points_have_the_order_of_the_exact_widths():
    points = np.random.default_rng(0).normal(size=(JUDGED, 4))
    assert np.array_equal(quick_kd_order(points, 8), kd_order(points, 8))
