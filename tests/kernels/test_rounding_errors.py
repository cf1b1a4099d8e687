"""Numbers that are equal but for rounding are made equal, and others stay as they are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.rounding_errors import ROUNDING, without_rounding_errors


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=30), st.integers(0, 2**32 - 1))
def test_noise_of_a_few_last_bits_is_removed_and_distinct_numbers_stay_distinct(values, seed):
    exact = np.array(values, dtype=np.float64)[:, None]
    noise = np.random.default_rng(seed).integers(0, 3, exact.shape) * np.finfo(np.float64).eps * np.abs(exact).max()
    made = without_rounding_errors(exact + noise)
    assert len(np.unique(made)) == len(np.unique(exact))
    assert np.abs(made - exact).max() <= ROUNDING * np.abs(exact).max()


def test_one_huge_value_does_not_merge_the_others():
    values = np.array([*range(1, 101), 1e13], dtype=np.float64)[:, None]
    assert np.array_equal(without_rounding_errors(values), values)


def test_missing_values_stay_missing():
    values = np.array([[np.nan, np.nan], [0.3, np.nan], [0.1 + 0.2, np.nan]])
    assert np.array_equal(
        without_rounding_errors(values), [[np.nan, np.nan], [0.3, np.nan], [0.3, np.nan]], equal_nan=True
    )


def test_runs_of_neighbours_closer_than_rounding_become_their_smallest():
    step = ROUNDING * 8
    values = np.array(
        [[8.0], [8.0 - 0.9 * step], [8.0 - 1.8 * step], [8.0 - 3 * step], [1.0], [-8.0], [-8.0 + 0.5 * step]]
    )
    expected = [8.0 - 1.8 * step] * 3 + [8.0 - 3 * step, 1.0, -8.0, -8.0]
    assert without_rounding_errors(values).ravel().tolist() == expected
    assert values[0, 0] == 8.0
    assert without_rounding_errors(np.zeros((3, 1))).tolist() == [[0.0]] * 3
