"""Distinct values are those of numpy, however many there are."""

import numpy as np
import pytest

from sdckit.kernels.distinct_values import CHUNK, FEW, SAMPLE, distinct_values


@pytest.mark.parametrize("records", [0, 1, SAMPLE, SAMPLE + 1, 3 * SAMPLE, CHUNK + 5])
@pytest.mark.parametrize("values", [1, 7, FEW, 10**9])
def test_values_and_positions_are_those_of_a_sort(records, values):
    column = np.random.default_rng(values).integers(-values, values, records) / 4
    column[::3] *= -1.0  # both zeros
    distinct, of = distinct_values(column)
    expected, position = np.unique(column, return_inverse=True)
    assert np.array_equal(distinct, expected) and np.array_equal(of, position)
    assert np.array_equal(distinct[of], column)


def test_values_that_a_sample_does_not_show_are_found():
    column = np.zeros(5 * SAMPLE)
    column[1::5] = np.arange(SAMPLE)
    distinct, of = distinct_values(column)
    assert distinct.tolist() == list(range(SAMPLE)) and np.array_equal(distinct[of], column)
