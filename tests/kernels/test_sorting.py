"""Sorting with items: the stable order of any number of values."""

import numpy as np
import pytest

from sdckit.kernels.sorting import RUN, sort_with_items


@pytest.mark.parametrize("distinct", [1, 3, 1000])
def test_values_are_sorted_and_items_of_equal_values_stay_in_their_order(distinct):
    for count in [*range(8), *range(RUN - 1, RUN + 3), *range(2 * RUN - 1, 2 * RUN + 3), 3 * RUN, 5 * RUN + 1, 100]:
        values = np.random.default_rng(count).integers(0, distinct, count).astype(float)
        sorted_values, items = values.copy(), np.arange(count)
        sort_with_items(sorted_values, items)
        assert items.tolist() == np.argsort(values, kind="stable").tolist()
        assert sorted_values.tolist() == np.sort(values).tolist()


def test_a_descending_file_is_reversed():
    values, items = np.arange(70.0, 0.0, -1.0), np.arange(70)
    sort_with_items(values, items)
    assert values.tolist() == list(range(1, 71)) and items.tolist() == list(range(69, -1, -1))


def test_a_file_in_order_but_for_two_neighbours_is_sorted():
    for first in range(3 * RUN):
        values, items = np.arange(3 * RUN + 1.0), np.arange(3 * RUN + 1)
        values[[first, first + 1]] = values[[first + 1, first]]
        sort_with_items(values, items)
        assert values.tolist() == list(range(3 * RUN + 1))
        assert items[[first, first + 1]].tolist() == [first + 1, first]
