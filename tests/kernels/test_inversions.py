"""Counting inversions in n log n."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.inversions import count_inversions

pairs = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=40)


@given(pairs)
def test_they_are_those_that_all_pairs_show(values):
    one, other = (np.array([pair[side] for pair in values], dtype=float) for side in (0, 1))
    by_pairs = sum(a < b and c > d for a, c in values for b, d in values)
    assert count_inversions(one, other) == by_pairs


def test_a_reversed_column_inverts_every_pair_and_the_same_column_none():
    column = np.random.default_rng(1).permutation(100).astype(float)
    assert count_inversions(column, -column) == 100 * 99 // 2
    assert count_inversions(column, column) == 0


def test_ties_in_either_column_are_no_inversions():
    assert count_inversions(np.zeros(5), np.arange(5.0)) == count_inversions(np.arange(5.0), np.zeros(5)) == 0


def test_ten_thousand_records_are_as_many_pairs_as_theory_says():
    rng = np.random.default_rng(2)
    n = 10_000
    found = count_inversions(rng.random(n), rng.random(n))
    mean, spread = n * (n - 1) / 4, np.sqrt(n * (n - 1) * (2 * n + 5) / 72)
    assert abs(found - mean) < 5 * spread


def test_all_orders_of_few_values_are_counted():
    for size in range(1, 6):
        for values in product(range(3), repeat=size):
            expected = sum(a > b for i, a in enumerate(values) for b in values[i + 1 :])
            assert count_inversions(np.arange(float(size)), np.array(values, dtype=float)) == expected
