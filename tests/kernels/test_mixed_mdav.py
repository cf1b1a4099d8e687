"""MDAV on mixed attributes: cases by hand, agreement with the numeric kernel, a plain twin."""

from statistics import median_low

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.mdav import mdav
from sdckit.kernels.mixed_mdav import _mixed_mdav, mixed_mdav, scanned_mixed_mdav
from sdckit.kernels.partitions import group_sizes

NONE = np.empty((0,), dtype=np.int64)


def no_columns(count):
    return np.empty((count, 0), dtype=np.int64)


def plain_mixed_mdav(numeric, ordinal, levels, nominal, group_size):
    """The definition over lists of values, None for missing."""
    records = [
        [None if np.isnan(v) else v for v in numbers]
        + [None if c < 0 else c / max(n - 1, 1) for c, n in zip(codes, levels, strict=True)]
        + [None if c < 0 else int(c) for c in classes]
        for numbers, codes, classes in zip(numeric.tolist(), ordinal.tolist(), nominal.tolist(), strict=True)
    ]
    p, q = numeric.shape[1], ordinal.shape[1]

    def distance(a, b, nothing_shared):
        terms = [
            float(x != y) if column >= p + q else (x - y) ** 2
            for column, (x, y) in enumerate(zip(a, b, strict=True))
            if x is not None and y is not None
        ]
        return sum(terms) * (len(a) / len(terms)) if terms else nothing_shared

    def average(column, values):
        values = [value for value in values if value is not None]
        if not values:
            return None
        if column < p:
            return float(np.mean(values))
        return median_low(values) if column < p + q else min(set(values), key=lambda v: (-values.count(v), v))

    labels = [-1] * len(records)
    left = list(range(len(records)))
    groups = 0

    def farthest(query):
        return max(left, key=lambda i: (distance(records[i], query, -1.0), -i))

    def form(seed):
        nonlocal left, groups
        near = sorted((i for i in left if i != seed), key=lambda i: (distance(records[i], records[seed], np.inf), i))
        for i in [seed, *near[: group_size - 1]]:
            labels[i] = groups
        left = [i for i in left if labels[i] < 0]
        groups += 1

    while len(left) >= 2 * group_size:
        pair = len(left) >= 3 * group_size
        columns = zip(*(records[i] for i in left), strict=True)
        extreme = farthest([average(column, values) for column, values in enumerate(columns)])
        form(extreme)
        if pair:
            form(farthest(records[extreme]))
    for i in left:
        labels[i] = groups
    return labels


@pytest.mark.parametrize("group_size", [2, 3, 5])
def test_with_numbers_alone_it_is_mdav(group_size):
    points = np.random.default_rng(0).normal(size=(200, 3))
    empty = no_columns(200)
    assert np.array_equal(mixed_mdav(points, empty, NONE, empty, group_size), mdav(points, group_size))


def test_equal_categories_are_grouped_by_hand():
    nominal = np.array([[0, 1], [1, 0], [0, 1], [1, 0], [0, 1], [1, 0]])
    labels = mixed_mdav(np.empty((6, 0)), no_columns(6), NONE, nominal, 3)
    assert len(set(labels[::2])) == len(set(labels[1::2])) == 1
    assert labels[0] != labels[1]


def test_ordered_categories_are_near_their_neighbours_by_hand():
    ordinal = np.array([[0], [3], [1], [4], [0], [4]])
    labels = mixed_mdav(np.empty((6, 0)), ordinal, np.array([5]), no_columns(6), 3)
    assert len({labels[i] for i in (0, 2, 4)}) == len({labels[i] for i in (1, 3, 5)}) == 1
    assert labels[0] != labels[1]


@given(st.integers(4, 30), st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_the_partition_is_that_of_the_definition(count, seed, group_size):
    rng = np.random.default_rng(seed)
    numeric = rng.integers(-2, 3, size=(count, 2)) / 2
    numeric[rng.random(numeric.shape) < 0.15] = np.nan
    ordinal, levels = rng.integers(-1, 5, size=(count, 1)), np.array([5])
    nominal = rng.integers(-1, 3, size=(count, 2))
    labels = mixed_mdav(numeric, ordinal, levels, nominal, group_size)
    sizes = group_sizes(labels)
    assert sizes.min() >= group_size
    assert sizes.max() <= max(1, 2 * group_size - 1)
    assert labels.tolist() == plain_mixed_mdav(numeric, ordinal, levels, nominal, group_size)


def test_records_without_any_value_are_left_for_the_end():
    nominal = np.array([[-1], [0], [0], [1], [1], [-1]])
    labels = mixed_mdav(np.empty((6, 0)), no_columns(6), NONE, nominal, 2)
    assert labels[0] == labels[5] == labels.max()


def test_an_attribute_with_a_single_category_tells_nothing_apart():
    ordinal = np.zeros((7, 1), dtype=np.int64)
    assert sorted(group_sizes(mixed_mdav(np.empty((7, 0)), ordinal, np.array([1]), no_columns(7), 3))) == [3, 4]


def test_fewer_records_than_a_group_is_an_error():
    with pytest.raises(ValueError, match="1 records cannot fill a group of 2"):
        mixed_mdav(np.zeros((1, 1)), no_columns(1), NONE, no_columns(1), 2)


@pytest.mark.parametrize("group_size", [1, 2, 3, 7])
@pytest.mark.parametrize("seed", range(12))
def test_few_records_have_the_groups_of_the_compiled_kernel(seed, group_size):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(7, 300))
    points = np.hstack([rng.normal(size=(count, 2)).round(seed % 3), rng.integers(0, 5, (count, 2)) / 4])
    points[rng.random(points.shape) < 0.2] = np.nan
    codes = rng.integers(-1, 4, (count, 2))
    assert np.array_equal(scanned_mixed_mdav(points, 2, codes, group_size), _mixed_mdav(points, 2, codes, group_size))
