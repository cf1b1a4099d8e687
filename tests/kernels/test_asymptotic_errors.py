"""Moments of columns that do not vary, and the probability of a smaller difference by hand."""

import numpy as np
import pytest

from sdckit.kernels.asymptotic_errors import ROUNDING, Moments, probability_of_less


@pytest.mark.parametrize("holes", [(), (0,), (3, 7)])
def test_a_constant_column_beside_holes_has_central_moments_of_exactly_zero(holes):
    values = np.column_stack([np.full(11, 0.1), np.arange(11) / 3])
    values[list(holes), 0] = np.nan
    moments = Moments(values)
    (_, of_mean), (variance, of_variance), (correlation, _) = moments.mean(), moments.variance(), moments.correlation()
    assert (moments.means[0], of_mean[0], variance[0], of_variance[0], correlation[0, 1]) == (0.1, 0, 0, 0, 0)


def test_a_column_without_values_has_no_moments_and_disturbs_no_other():
    values = np.column_stack([np.full(5, np.nan), np.arange(5.0)])
    mean, variance = Moments(values).mean()
    assert (mean[1], variance[1]) == (2.0, 2.0 / 5) and mean[0] == variance[0] == 0


def less(variance, gap, scale=1.0, before=0.0):
    given = (np.array([before]), np.array([variance]))
    return probability_of_less(given, np.array([before + gap]), np.array([scale]))[0]


@pytest.mark.parametrize("size", [1e-9, 1e-4, 1.0, 1e6])
def test_a_difference_of_one_standard_deviation_is_above_68_percent_of_differences(size):
    """However small the deviation is, as long as it is above what rounding leaves."""
    assert less(size**2, size) == pytest.approx(0.6827, abs=5e-5)
    assert less(size**2, -2 * size) == pytest.approx(0.9545, abs=5e-5)


@pytest.mark.parametrize("scale", [1.0, 1e5])
def test_what_is_rounding_is_neither_a_difference_nor_a_variance(scale):
    rounding = ROUNDING * scale
    assert less(1.0, rounding / 2, scale) == less(0.0, rounding / 2, scale) == 0
    assert less((rounding / 2) ** 2, 2 * rounding, scale) == less(0.0, 2 * rounding, scale) == 1
    assert less((2 * rounding) ** 2, 2 * rounding, scale) == pytest.approx(0.6827, abs=5e-5)


def test_a_statistic_that_is_missing_differs_from_one_that_is_not():
    assert less(1.0, np.nan) == 1
    assert np.isnan(less(1.0, 0.0, before=np.nan))
