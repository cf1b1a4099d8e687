"""Moments of columns that do not vary."""

import numpy as np
import pytest

from sdckit.kernels.asymptotic_errors import Moments


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
