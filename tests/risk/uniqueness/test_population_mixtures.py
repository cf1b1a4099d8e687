"""Poisson–gamma and Dirichlet-multinomial models: formulas against sums, and populations drawn from the models."""

import numpy as np
import pytest
from scipy.stats import betabinom, nbinom

from sdckit.kernels.population_mixtures import (
    DirichletMultinomial,
    PoissonGamma,
    dirichlet_log_likelihood,
    fit_dirichlet_multinomial,
    fit_poisson_gamma,
)
from sdckit.kernels.population_models import pitman_log_likelihood, spectrum


def test_expected_uniques_are_classes_times_the_probability_of_size_one():
    assert PoissonGamma(0.7, 0.2, 300).uniques == pytest.approx(300 * nbinom.pmf(1, 0.7, 0.2))
    assert DirichletMultinomial(40, 0.3).uniques(500) == pytest.approx(40 * betabinom.pmf(1, 500, 0.3, 39 * 0.3))


def test_the_dirichlet_likelihood_is_pitmans_with_a_negative_discount():
    """Up to a constant: by the differences between two samples of as many records in as many classes."""
    one, other = spectrum(np.array([1, 1, 4])), spectrum(np.array([2, 2, 2]))

    def pitman(sample):
        from scipy.special import gammaln

        return float(sample.classes @ (gammaln(sample.sizes + 0.5) - gammaln(0.5)))

    gap = dirichlet_log_likelihood(one, 7, 0.5) - dirichlet_log_likelihood(other, 7, 0.5)
    assert gap == pytest.approx(pitman(one) - pitman(other))
    assert np.isfinite(pitman_log_likelihood(one, 0.0, 3.5))


@pytest.mark.parametrize("share", [0.2, 1.0])
def test_a_population_drawn_from_the_model_has_about_as_many_uniques(share):
    rng = np.random.default_rng(3)
    sizes = rng.poisson(rng.gamma(0.5, 8.0, 4000))
    drawn = rng.binomial(sizes, share)
    uniques, population = int((sizes == 1).sum()), float(sizes.sum())
    sample = spectrum(drawn[drawn > 0])
    assert fit_poisson_gamma(sample, population).uniques == pytest.approx(uniques, rel=0.25)
    assert fit_dirichlet_multinomial(sample).uniques(population) == pytest.approx(uniques, rel=0.25)
