"""Mixtures of class sizes: probabilities that sum to one, thinning person by person, and fits that nothing beats."""

import numpy as np
import pytest
from scipy.stats import betabinom, binom, nbinom

from sdckit.kernels.population_mixtures import (
    DirichletMultinomial,
    PoissonGamma,
    dirichlet_log_likelihood,
    fit_dirichlet_multinomial,
    fit_poisson_gamma,
)
from sdckit.kernels.population_models import spectrum

PARTITIONS = {(4,): 1, (3, 1): 4, (2, 2): 3, (2, 1, 1): 6, (1, 1, 1, 1): 1}  # of four records
SAMPLES = ([1, 1, 1, 2, 2, 3, 7], [1] * 6 + [2] * 5 + [3] * 2, [5, 6, 7, 8])


def test_uniques_are_the_classes_times_the_probability_of_one():
    assert PoissonGamma(0.7, 0.2, 300).uniques == pytest.approx(300 * nbinom.pmf(1, 0.7, 0.2))
    for population in (1, 2, 30):
        expected = 40 * betabinom.pmf(1, population, 0.3, 39 * 0.3)
        assert DirichletMultinomial(40, 0.3).uniques(population) == pytest.approx(expected)
    assert DirichletMultinomial(1e12, 1e3).uniques(50) <= 50


@pytest.mark.parametrize(("classes", "concentration"), [(4, 0.5), (9, 2.0), (6.5, 0.1)])
def test_the_probabilities_of_all_partitions_sum_to_one(classes, concentration):
    total = sum(
        number * np.exp(dirichlet_log_likelihood(spectrum(np.array(sizes)), classes, concentration))
        for sizes, number in PARTITIONS.items()
    )
    assert total == pytest.approx(1)


def thinned(sample, share, shape, probability):
    """The log-likelihood of the sampled sizes, given that they are above 0, by summing over the population's sizes."""
    sizes = np.arange(400)
    law = nbinom.pmf(sizes, shape, probability)
    of_size = [float(law @ binom.pmf(size, sizes, share)) for size in (0, *sample.sizes)]
    return float(sample.classes @ np.log(np.array(of_size[1:]) / (1 - of_size[0]))), 1 - of_size[0]


@pytest.mark.parametrize("sizes", SAMPLES)
@pytest.mark.parametrize("times", [0.5, 1.0, 4.0])
def test_no_shape_or_probability_nearby_fits_a_thinned_sample_better(sizes, times):
    sample = spectrum(np.array(sizes))
    share = min(1 / times, 1.0)
    found = fit_poisson_gamma(sample, times * sample.records)
    best, seen = thinned(sample, share, found.shape, found.probability)
    assert found.classes == pytest.approx(len(sizes) / seen, rel=1e-4)
    for factor in (0.8, 0.97, 1.03, 1.25):
        assert thinned(sample, share, factor * found.shape, found.probability)[0] <= best + 1e-7
        odds = factor * found.probability / (1 - found.probability)
        assert thinned(sample, share, found.shape, odds / (1 + odds))[0] <= best + 1e-7
        for shape in (0.05, 0.5, 5.0, 50.0):
            assert thinned(sample, share, shape, odds / (1 + odds))[0] <= best + 1e-7


@pytest.mark.parametrize("sizes", SAMPLES)
def test_no_number_of_classes_or_concentration_fits_a_sample_better(sizes):
    sample = spectrum(np.array(sizes))
    found = fit_dirichlet_multinomial(sample)
    best = dirichlet_log_likelihood(sample, *found)
    assert found.classes > len(sizes)
    for classes in len(sizes) + np.geomspace(0.01, 1e6, 30):
        for concentration in np.geomspace(1e-4, 1e3, 30):
            assert dirichlet_log_likelihood(sample, classes, concentration) <= best + 1e-6


@pytest.mark.parametrize("sizes", [[1] * 20, [50], [1], [2, 1]])
def test_extreme_samples_have_a_finite_fit(sizes):
    sample = spectrum(np.array(sizes))
    population = 10.0 * sample.records
    assert 0 <= fit_poisson_gamma(sample, population).uniques < np.inf
    assert 0 <= fit_dirichlet_multinomial(sample).uniques(population) <= population
