"""The normal copula: correlations of normal variables recovered from their ranks, with ties and holes."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from sdckit.kernels.normal_copula import _ranks, latent_correlations

RHO = 0.6


def normal(records: int = 20_000) -> np.ndarray:
    return np.random.default_rng(4).multivariate_normal([0, 0], [[1, RHO], [RHO, 1]], records)


@pytest.mark.parametrize("ties", [lambda x: x, lambda x: np.exp(3 * x), lambda x: np.floor(2 * x)])
def test_the_correlation_behind_the_values_is_found(ties):
    found = latent_correlations(ties(normal()))
    assert found[0, 1] == found[1, 0] == pytest.approx(RHO, abs=0.03)
    assert np.diag(found) == pytest.approx([1, 1])


def test_the_opposite_order_has_the_opposite_correlation():
    values = normal(500)
    assert latent_correlations(values * [1, -1])[0, 1] == pytest.approx(-latent_correlations(values)[0, 1])


def test_a_pair_of_columns_counts_the_records_that_have_both_values():
    values = normal()
    values[:5000, 0] = np.nan
    values[-5000:, 1] = np.nan
    assert latent_correlations(values)[0, 1] == pytest.approx(RHO, abs=0.03)


def test_a_constant_column_is_correlated_with_nothing():
    found = latent_correlations(np.column_stack([np.arange(50.0), np.ones(50)]))
    assert found == pytest.approx(np.eye(2))


def test_mid_ranks_lie_between_zero_and_one_by_hand():
    assert _ranks(np.array([3.0, np.nan, 1.0, 3.0, 2.0]))[0] == pytest.approx(
        [0.75, np.nan, 0.125, 0.75, 0.375], nan_ok=True
    )
    ranks, resolution = _ranks(np.array([4.0, np.nan, 4.0]))
    assert ranks == pytest.approx([0.5, np.nan, 0.5], nan_ok=True) and resolution == 1


def test_two_equal_halves_keep_the_square_root_of_two_thirds():
    """A normal variable has the correlation √(2/π) with its sign and √(3/π) with its ranks."""
    assert _ranks(np.repeat([0.0, 1.0], 30))[1] == pytest.approx(np.sqrt(2 / 3))
    assert _ranks(np.arange(5000.0))[1] == pytest.approx(1, abs=1e-3)


def test_ties_leave_the_correlation_of_a_normal_variable_with_its_levels():
    """By integration: the variable is cut at the quantiles of the levels, each level at the middle of its ranks."""
    grid = np.linspace(-9, 9, 40_001)
    density = np.exp(-0.5 * grid**2) / np.sqrt(2 * np.pi) * (grid[1] - grid[0])
    for seed in range(6):
        column = np.random.default_rng(seed).integers(0, 4, 9).astype(float)
        levels, times = np.unique(column, return_counts=True)
        upper = np.cumsum(times) / 9
        level = np.searchsorted(upper[:-1], np.cumsum(density))
        ranks = (upper - times / 18)[level]
        expected = (density * grid * ranks).sum() / np.sqrt((density * (ranks - 0.5) ** 2).sum()) / np.sqrt(3 / np.pi)
        assert len(levels) > 1 and _ranks(column)[1] == pytest.approx(expected, abs=2e-3)


def test_the_correlation_is_the_sine_of_the_resolved_rank_correlation():
    for seed in range(20):
        values = np.random.default_rng(seed).integers(0, 5, (8, 2)).astype(float)
        resolution = _ranks(values[:, 0])[1] * _ranks(values[:, 1])[1]
        resolved = np.clip(spearmanr(values).statistic / resolution, -1, 1)
        assert latent_correlations(values)[0, 1] == pytest.approx(2 * np.sin(np.pi * resolved / 6))


def test_columns_of_two_values_that_are_the_same_are_not_more_than_perfectly_correlated():
    """What ties leave of a rank correlation would make it more than 1; a third column has its own correlation."""
    half = np.repeat([0.0, 1.0], 20)
    third = np.tile(np.arange(20.0), 2) + 8 * half
    found = latent_correlations(np.column_stack([half, half, third]))
    pair = latent_correlations(np.column_stack([half, third]))[0, 1]
    assert 0.1 < pair < 0.9
    assert found == pytest.approx(np.array([[1, 1, pair], [1, 1, pair], [pair, pair, 1]]), abs=1e-6)
