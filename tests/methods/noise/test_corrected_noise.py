import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.files import correlated, masked_matrix

from sdckit.errors import SchemaError
from sdckit.methods.noise.corrected_noise import CorrectedNoise


@given(st.integers(8, 60), st.integers(0, 1000), st.sampled_from([0.01, 0.1, 1.0, 5.0]))
def test_means_and_covariances_are_kept_exactly(records, seed, share):
    values = correlated(records, 3, seed)
    masked = masked_matrix(CorrectedNoise(variance_share=share), values, seed)
    assert masked.mean(axis=0) == pytest.approx(values.mean(axis=0))
    assert np.cov(masked.T) == pytest.approx(np.cov(values.T))
    assert not np.allclose(masked, values)


def test_more_noise_moves_values_further():
    values = correlated(500, 2, seed=1)
    moved = [np.abs(masked_matrix(CorrectedNoise(variance_share=k), values) - values).mean() for k in (0.01, 0.1, 1)]
    assert moved == sorted(moved)


def test_a_constant_attribute_stays():
    values = np.column_stack([np.full(20, 7.0), correlated(20, 1, seed=1)])
    assert masked_matrix(CorrectedNoise(), values)[:, 0] == pytest.approx(np.full(20, 7.0))


def test_too_few_records_are_refused_with_the_number_needed():
    with pytest.raises(SchemaError, match="at least 8 records for 3 attributes"):
        masked_matrix(CorrectedNoise(), correlated(7, 3, seed=1))
