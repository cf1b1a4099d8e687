"""Empirical quantiles of runs: what numpy's quantile of each run is, and its limits."""

import numpy as np
import pytest

from sdckit.kernels.empirical_quantiles import empirical_quantiles

RUNS = [np.array([1.0, 4.0, 9.0, 9.0]), np.array([2.0, 3.0]), np.array([7.0])]
ORDERED = np.concatenate(RUNS)
SIZES = np.array([len(run) for run in RUNS])
STARTS = np.cumsum(SIZES) - SIZES


@pytest.mark.parametrize("uniform", [0.0, 0.1, 0.34, 0.5, 0.999, 1.0])
def test_a_quantile_is_linear_between_the_neighbours_of_its_run(uniform):
    found = empirical_quantiles(ORDERED, STARTS, SIZES, np.full(3, uniform))
    assert found == pytest.approx([np.quantile(run, uniform) for run in RUNS])


@pytest.mark.parametrize("uniform", [0.0, 0.1, 0.34, 0.5, 0.999, 1.0])
def test_not_smoothed_it_is_an_observed_value_of_its_run_each_with_the_same_share(uniform):
    found = empirical_quantiles(ORDERED, STARTS, SIZES, np.full(3, uniform), smooth=False)
    assert found.tolist() == [run[min(int(uniform * len(run)), len(run) - 1)] for run in RUNS]


@pytest.mark.parametrize("smooth", [True, False])
def test_a_single_value_is_its_own_quantile_wherever_it_lies(smooth):
    ordered = np.array([np.inf, 5.0, np.inf])
    found = empirical_quantiles(ordered, np.array([1, 1]), np.array([1, 1]), np.array([0.0, 0.9]), smooth=smooth)
    assert found.tolist() == [5.0, 5.0]
