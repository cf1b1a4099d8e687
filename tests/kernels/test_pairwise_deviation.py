"""The standard deviation of a long column has the bits that numpy computes, and so those of a file in parts."""

import numpy as np
import pytest

from sdckit.kernels import pairwise_deviation
from sdckit.kernels.pairwise_deviation import COMPILED, standard_deviation


@pytest.fixture
def always_compiled(monkeypatch):
    monkeypatch.setattr(pairwise_deviation, "COMPILED", 0)


@pytest.mark.parametrize("count", [2, 3, 7, 8, 9, 127, 128, 129, 255, 256, 257, 1000, 4099, COMPILED + 3])
@pytest.mark.parametrize("scale", [1.0, 1e-150, 1e150])
def test_it_has_the_bits_of_numpy(always_compiled, count, scale):
    values = scale * np.random.default_rng(count).lognormal(size=count)
    assert standard_deviation(values) == values.std(ddof=1) == values[:, None].std(axis=0, ddof=1)[0]


def test_a_constant_column_and_one_value_deviate_by_nothing(always_compiled):
    assert standard_deviation(np.full(1000, 2.0)) == 0
    assert standard_deviation(np.full(1000, -0.0)) == 0
    assert standard_deviation(np.array([4.0])) == 0


def test_a_column_of_a_matrix_in_rows_is_taken_as_it_is(always_compiled):
    values = np.random.default_rng(1).normal(size=(500, 3))
    assert standard_deviation(values[:, 1]) == standard_deviation(values[:, 1].copy())
