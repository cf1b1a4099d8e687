"""Powers of ratios: cases by hand, and agreement with the library's power over the whole range."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels.power import raise_ratios

powers = st.floats(1e-3, 100)


def raised(ratios: list[float], power: float) -> np.ndarray:
    result = np.empty(len(ratios))
    raise_ratios(np.array(ratios, dtype=np.float64), power, result)
    return result


def assert_as_the_library(ratios: list[float], power: float) -> None:
    expected = np.power(np.array(ratios, dtype=np.float64), power)
    least_digit = np.nextafter(0, 1)  # what a result can be off by where numbers run out of digits
    assert (np.abs(raised(ratios, power) - expected) <= 1e-13 * expected + least_digit).all()


def test_powers_by_hand():
    assert raised([1 / 4, 1 / 9, 1 / 100], 1.5) == pytest.approx([1 / 8, 1 / 27, 1 / 1000], rel=1e-15)


def test_powers_of_two_are_exact():
    assert raised([2.0**-k for k in range(20)], 3).tolist() == [8.0**-k for k in range(20)]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), powers)
def test_any_ratio_is_raised_as_by_the_library(ratios, power):
    assert_as_the_library(ratios, power)


@given(st.lists(st.floats(0, 1080), min_size=1, max_size=40), powers)
def test_results_of_any_size_are_those_of_the_library(sizes, power):
    """A size x makes a result of 2^−x: down to those with few digits, and to 0."""
    assert_as_the_library([2 ** (-size / power) for size in sizes], power)


@given(st.lists(st.floats(0, 1e-6), min_size=1, max_size=40), st.floats(1, 1e6))
def test_ratios_near_one_keep_their_digits_at_any_power(gaps, power):
    ratios = 1 - np.array(gaps)
    assert raised(ratios.tolist(), power) == pytest.approx(np.power(ratios, power), rel=1e-13)


@given(st.integers(1, 1074), powers)
def test_the_smallest_ratios_are_no_exception(exponent, power):
    tiny = 2.0**-exponent
    assert_as_the_library([tiny, np.nextafter(tiny, 0), np.nextafter(tiny, 1)], power)


@pytest.mark.parametrize("power", [1e-3, 0.5, 10 / 3, 100.0, 1e15])
def test_zero_one_and_nan_are_unchanged(power):
    zero, one, unknown = raised([0.0, 1.0, np.nan], power)
    assert (zero, one) == (0, 1)
    assert np.isnan(unknown)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), powers)
def test_a_ratio_is_raised_to_the_same_bits_at_any_index(ratios, power):
    """Several are done at a time and the last few one by one: the bits must be the same."""
    assert raised(ratios, power).tolist() == [raised([ratio], power)[0] for ratio in ratios]


def test_raising_in_place_gives_the_same():
    ratios = np.linspace(0, 1, 37)
    apart = raised(ratios.tolist(), 10 / 3)
    raise_ratios(ratios, 10 / 3, ratios)
    assert ratios.tolist() == apart.tolist()


@pytest.mark.parametrize("power", [0.01, 0.5, 1.0])
def test_ratios_with_few_digits_are_raised_as_by_the_library(power):
    assert_as_the_library([5e-324, 3e-320, 1e-310, 2.0**-1023, 2.0**-1022, 2.0**-1021], power)


@pytest.mark.parametrize("power", [0.3, 1.0, 7.3, 100.0])
def test_the_error_is_as_small_as_promised(power):
    """Below 2·10^−14 up to a power of 100, also where both series converge most slowly."""
    ratios = np.concatenate(
        [np.linspace(0.5, 1, 97), 0.5**0.5 * (1 + np.linspace(-1e-3, 1e-3, 21)), 2.0 ** -np.arange(9)]
    )
    expected = np.power(ratios, power)
    assert (np.abs(raised(ratios.tolist(), power) - expected) <= 2e-14 * expected).all()


def test_results_below_the_smallest_number_are_zero():
    assert raised([2.0**-1000, 2.0**-537, 2.0**-538], 2.0).tolist() == [0, 2.0**-1074, 0]
    assert raised([0.5], 1e9).tolist() == [0]
