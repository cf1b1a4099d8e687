"""Displacements in rank: cases by hand, and the smallest one over all orders of tied values."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.rank_displacement import displacements, rank_runs, run_of_nearest

COLUMN = st.lists(st.integers(0, 3), min_size=1, max_size=5)


def test_a_swap_moves_two_values():
    moved = displacements(np.array([10.0, 20.0, 30.0, 40.0]), np.array([10.0, 40.0, 30.0, 20.0]))
    assert moved.tolist() == [0, 0.5, 0, 0.5]


def test_noise_that_keeps_the_order_moves_nothing():
    values = np.array([3.0, 1.0, 2.0])
    assert displacements(values, values * 5 - 2).tolist() == [0, 0, 0]


def test_the_reverse_order_moves_the_ends_farthest():
    assert displacements(np.arange(5.0), -np.arange(5.0)).tolist() == [0.8, 0.4, 0, 0.4, 0.8]


def orders(column):
    """Every ranking of a column: tied values in any order."""
    for order in permutations(range(len(column))):
        if all(column[one] <= column[next_one] for one, next_one in pairwise(order)):
            ranks = np.empty(len(column))
            ranks[list(order)] = np.arange(len(column))
            yield ranks


@given(st.data())
def test_it_is_the_smallest_over_all_orders_of_tied_values(data):
    original = data.draw(COLUMN)
    masked = data.draw(st.lists(st.integers(0, 3), min_size=len(original), max_size=len(original)))
    smallest = np.min([abs(one - other) for one in orders(original) for other in orders(masked)], axis=0)
    moved = displacements(np.array(original, dtype=float), np.array(masked, dtype=float))
    assert moved * len(original) == pytest.approx(smallest)


@given(COLUMN)
def test_a_run_has_the_ranks_of_all_values_equal_to_it(column):
    first, last = rank_runs(np.array(column, dtype=float))
    for value, low, high in zip(column, first, last, strict=True):
        assert low == sum(other < value for other in column)
        assert high - low + 1 == column.count(value)


@pytest.mark.parametrize(
    ("value", "run"), [(4.0, (1, 2)), (0.0, (0, 0)), (99.0, (3, 3)), (2.5, (0, 2)), (6.4, (1, 2)), (6.6, (3, 3))]
)
def test_the_nearest_values_have_these_ranks(value, run):
    assert run_of_nearest(np.array([4.0, 9.0, 1.0, 4.0]), value) == run
