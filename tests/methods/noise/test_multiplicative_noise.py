import numpy as np
import pytest
from tests.methods.files import admitted, masked_matrix

from sdckit.methods.noise.multiplicative_noise import MultiplicativeNoise


def test_the_factor_has_mean_one_and_the_standard_deviation_asked_for():
    """The mean of 100,000 factors of deviation 0.2 is off by 0.0006; the deviation itself by less than 0.002."""
    values = np.full((100_000, 1), 1000.0)
    factor = masked_matrix(MultiplicativeNoise(deviation=0.2), values)[:, 0] / 1000
    assert factor.mean() == pytest.approx(1, abs=0.003)
    assert factor.std() == pytest.approx(0.2, abs=0.005)
    assert factor.min() > 0


def test_zeros_and_signs_are_kept_and_an_intruder_knows_it():
    values = np.array([[0.5], [-2.25], [0.0], [3.5], [-0.125], [0.0]])
    masked = masked_matrix(MultiplicativeNoise(deviation=0.4), values)
    assert np.array_equal(np.sign(masked), np.sign(values))
    rows = admitted(MultiplicativeNoise(deviation=0.4), values, complete=False)
    assert rows[2].tolist() == [False, False, True, False, False, True]
    assert np.diag(rows).all()
