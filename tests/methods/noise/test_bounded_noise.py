import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest
from tests.methods.files import admitted, correlated, masked_matrix

from sdckit.edits import Edits
from sdckit.methods.noise.bounded_noise import BoundedNoise


def test_the_noise_is_uniform_within_its_bound():
    values = correlated(5000, 1, seed=1)
    noise = (masked_matrix(BoundedNoise(half_width=0.5), values) - values)[:, 0] / values.std(ddof=1)
    assert np.abs(noise).max() <= 0.5 + 1e-9
    assert kstest(noise, "uniform", args=(-0.5, 1.0)).pvalue > 0.001


@given(st.integers(1, 30), st.integers(0, 100), st.sampled_from([0.0, 0.1, 1.0]))
def test_who_knows_all_records_never_excludes_the_true_one(records, seed, half_width):
    rows = admitted(BoundedNoise(half_width=half_width), correlated(records, 2, seed), complete=True, seed=seed)
    assert np.diag(rows).all()


def test_the_interval_leaves_few_records_when_the_noise_is_small():
    values = correlated(200, 3, seed=2)
    narrow, wide = (
        admitted(BoundedNoise(half_width=width), values, complete=True).sum(axis=1).mean() for width in (0.05, 1.0)
    )
    assert narrow < 3 < wide


def test_values_stay_in_a_declared_range():
    values = np.linspace(0, 100, 50)[:, None]
    masked = masked_matrix(BoundedNoise(half_width=1), values, edits=Edits.bounds(a=(0, 100)))
    assert masked.min() >= 0
    assert masked.max() <= 100
    assert (masked == 0).any() or (masked == 100).any()


def test_whole_numbers_stay_whole():
    masked = masked_matrix(BoundedNoise(half_width=1), np.arange(40)[:, None].astype(int))
    assert masked == pytest.approx(np.rint(masked))
