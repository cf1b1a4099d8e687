"""Groups in an order that no data decides: by hand, and record by record."""

import numpy as np
import pytest

from sdckit.kernels.fixed_groups import group_means, groups_in_order, order_from_corner


@pytest.mark.parametrize("records", range(9))
@pytest.mark.parametrize("group_size", [1, 2, 3, 4, 9])
def test_groups_are_consecutive_and_the_rest_joins_the_last(records, group_size):
    order = np.random.default_rng(records).permutation(records)
    found = groups_in_order(order, group_size)[order].tolist()
    groups = max(records // group_size, 1)
    sizes = [group_size] * (groups - 1) + [records - group_size * (groups - 1)]
    assert found == [number for number, size in enumerate(sizes) for _ in range(size)]


@pytest.mark.parametrize("seed", range(20))
def test_records_are_ordered_by_their_distance_from_the_corner(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (6, 3)).astype(float)
    low, high = np.array([-1.0, 0.0, 0.0]), np.array([3.0, 4.0, 8.0])
    keys = [(sum(((v - a) / (b - a)) ** 2 for v, a, b in zip(row, low, high, strict=True)), *row) for row in values]
    assert [keys[record] for record in order_from_corner(values, low, high)] == sorted(keys)


def test_means_are_those_of_each_group():
    values, of_record = np.array([[1.0, 10.0], [2.0, 20.0], [6.0, 60.0]]), np.array([1, 0, 1])
    assert group_means(values, of_record).tolist() == [[2.0, 20.0], [3.5, 35.0]]
