"""The exponential function of many numbers: agreement with the library's over the whole range, and its ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.exponential import raise_e


def raised(numbers: list[float]) -> np.ndarray:
    result = np.empty(len(numbers))
    raise_e(np.array(numbers, dtype=np.float64), result)
    return result


@given(st.lists(st.one_of(st.floats(-800, 0), st.floats(-1e-3, 0)), min_size=1, max_size=40))
def test_any_number_is_raised_as_by_the_library(numbers):
    expected = np.exp(np.array(numbers))
    least_digit = np.nextafter(0, 1)  # what a result can be off by where numbers run out of digits
    assert (np.abs(raised(numbers) - expected) <= 1e-15 * expected + least_digit).all()


def test_the_ends_and_what_is_unknown():
    one, none, far, unknown = raised([0.0, -746.0, -np.inf, np.nan])
    assert (one, none, far) == (1, 0, 0)
    assert np.isnan(unknown)


def test_sums_of_exponents_are_products():
    assert raised([-1.0])[0] == pytest.approx(1 / np.e, rel=1e-15)
    assert raised([-3.0])[0] == pytest.approx(raised([-1.0])[0] * raised([-2.0])[0], rel=1e-15)


def test_whole_and_half_powers_of_two_have_all_their_digits():
    """There the split of a number into a power and a rest changes from one power to the next."""
    numbers = [-k * np.log(2) / 2 + shift for k in range(0, 2148, 7) for shift in (-1e-9, 0.0, 1e-9)]
    numbers = [number for number in numbers if -740 < number <= 0]
    expected = np.exp(np.array(numbers))
    assert (np.abs(raised(numbers) - expected) <= 1e-15 * expected + np.nextafter(0, 1)).all()


@pytest.mark.parametrize("number", [-745.13, -745.2, -745.21, -708.4, -709.0, -744.4])
def test_the_smallest_results_are_those_of_the_library(number):
    assert abs(raised([number])[0] - np.exp(number)) <= np.nextafter(0, 1) + 1e-15 * np.exp(number)
