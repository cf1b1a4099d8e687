import numpy as np
import pytest
from tests.methods.files import correlated, masked_matrix

from sdckit.methods.noise.correlated_noise import CorrelatedNoise


def test_covariances_grow_by_the_share_and_correlations_stay():
    """A sample covariance of n normal records is off by about σ²·√(2/n): 5 such deviations at n = 40,000 are 3.5 %."""
    values = correlated(40_000, 3, seed=1)
    masked = masked_matrix(CorrelatedNoise(variance_share=0.5), values)
    assert np.cov(masked.T) == pytest.approx(1.5 * np.cov(values.T), rel=0.036)
    assert np.corrcoef(masked.T) == pytest.approx(np.corrcoef(values.T), abs=0.02)


def test_no_share_changes_nothing():
    values = correlated(20, 2, seed=2)
    assert np.array_equal(masked_matrix(CorrelatedNoise(variance_share=0), values), values)


def test_noise_on_two_copies_of_an_attribute_is_the_same():
    """Perfectly correlated attributes stay so: the noise has their covariances."""
    column = correlated(50, 1, seed=3)
    masked = masked_matrix(CorrelatedNoise(variance_share=0.3), np.hstack([column, column]))
    assert masked[:, 0] == pytest.approx(masked[:, 1], abs=1e-6)
    assert not np.allclose(masked[:, 0], column[:, 0])


def test_missing_values_stay_where_they_are():
    values = correlated(30, 2, seed=4)
    values[3, 0] = values[7, 1] = np.nan
    masked = masked_matrix(CorrelatedNoise(), values)
    assert np.array_equal(np.isnan(masked), np.isnan(values))
