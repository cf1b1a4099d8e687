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


@pytest.mark.parametrize("seed", range(20))
def test_quantiles_of_any_runs_are_those_of_numpy(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, 6)
    starts = np.cumsum(sizes) - sizes
    runs = [np.sort(rng.integers(0, 4, size).astype(float)) for size in sizes]
    chosen, uniform = rng.integers(0, 6, 12), rng.choice([0.0, 0.25, 1 / 3, 0.5, 0.75, 0.999, 1.0], 12)
    found = empirical_quantiles(np.concatenate(runs), starts[chosen], sizes[chosen], uniform)
    assert found == pytest.approx([np.quantile(runs[run], u) for run, u in zip(chosen, uniform, strict=True)])
    found = empirical_quantiles(np.concatenate(runs), starts[chosen], sizes[chosen], uniform, smooth=False)
    expected = [
        sorted(runs[run])[min(int(u * sizes[run]), sizes[run] - 1)] for run, u in zip(chosen, uniform, strict=True)
    ]
    assert found.tolist() == expected
