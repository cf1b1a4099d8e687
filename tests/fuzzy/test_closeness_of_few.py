"""Memberships of a small file are computed without the compiler, to the same bits."""

import numpy as np
import pytest

from sdckit.fuzzy.c_means import _assign, _degrees, _influences
from sdckit.fuzzy.closeness import exponent_of, is_whole, power_of
from sdckit.fuzzy.closeness_of_few import assign_few, degrees_of_few, influences_of_few, without_kernel


def distances(seed: int) -> np.ndarray:
    """Squared distances over many powers of ten, some of them 0, and records without any value."""
    rng = np.random.default_rng(seed)
    drawn = rng.lognormal(0, 3, rng.integers(1, 50, 2))
    drawn[rng.random(drawn.shape) < 0.02] = 0.0
    drawn[rng.random(len(drawn)) < 0.1] = np.nan
    return drawn


@pytest.mark.parametrize("fuzziness", [1, 1.05, 1.1, 1.2, 4 / 3, 1.5, 2, np.inf])
@pytest.mark.parametrize("noise", [np.inf, 1.0, 0.3])
def test_numpy_gives_the_bits_of_the_kernels(fuzziness, noise):
    power, exponent = power_of(fuzziness), exponent_of(fuzziness)
    for seed in range(15):
        distance = distances(seed)
        one, other = np.empty((2, *distance.shape))
        parts = _influences(distance, power, exponent, noise, one)
        assert np.array_equal(influences_of_few(distance, power, exponent, noise, other), parts, equal_nan=True)
        assert np.array_equal(one, other, equal_nan=True)
        _degrees(distance, power, noise, one)
        degrees_of_few(distance, power, noise, other)
        assert np.array_equal(one, other, equal_nan=True)
        draws = np.random.default_rng(seed).random(len(distance))
        chosen, again = np.empty((2, len(distance)), dtype=np.int64)
        _assign(distance, power, draws, chosen)
        assign_few(distance, power, draws, again)
        assert chosen.tolist() == again.tolist()


@pytest.mark.parametrize(("power", "whole"), [(1.0, True), (5.0, True), (64.0, True), (65.0, False), (0.4, False)])
def test_powers_that_are_products_are_few_factors(power, whole):
    assert is_whole.py_func(power) is whole is is_whole(power)


def test_other_powers_are_left_to_the_kernel(monkeypatch):
    monkeypatch.setattr("sdckit.fuzzy.closeness_of_few.spared", lambda *_: True)
    assert without_kernel(_degrees, np.ones((2, 2)), 2.0) and not without_kernel(_degrees, np.ones((2, 2)), 2.5)
