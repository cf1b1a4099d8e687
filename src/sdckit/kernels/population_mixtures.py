"""Population mixtures: class sizes as Poisson with gamma rates, and as multinomial with Dirichlet shares."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.count_laws import negative_binomial_log_pmf
from sdckit.kernels.population_models import SMALL, Spectrum, minimised


class PoissonGamma(NamedTuple):
    """Class sizes in the population are Poisson with gamma rates, so negative binomial: `shape`, `probability`."""

    shape: float
    probability: float
    classes: float

    @property
    def uniques(self) -> float:
        """The expected number of classes of one record: K · r · p^r · (1 − p)."""
        return float(self.classes * self.shape * self.probability**self.shape * (1 - self.probability))


def fit_poisson_gamma(sample: Spectrum, population: float) -> PoissonGamma:
    """The maximum likelihood fit to a sample's class sizes, given that they are above 0, under Bernoulli sampling.

    A thinned negative binomial is negative binomial with the same shape. Classes without a sampled record are not
    observed, so neither their number nor that of impossible combinations has to be known.
    """
    from scipy.special import expit

    share = min(sample.records / population, 1.0)

    def thinned(probability: float) -> float:
        return probability / (probability + share * (1 - probability))

    def parameters(point: NDArray[np.float64]) -> tuple[float, float]:
        return float(np.exp(point[0])), float(np.clip(expit(point[1]), SMALL, 1 - SMALL))

    def cost(point: NDArray[np.float64]) -> float:
        shape, probability = parameters(point)
        seen = -np.expm1(negative_binomial_log_pmf(0, shape, thinned(probability)))
        log_likelihood = sample.classes @ negative_binomial_log_pmf(sample.sizes, shape, thinned(probability))
        log_likelihood -= sample.classes.sum() * np.log(max(float(seen), 1e-300))
        return -float(log_likelihood) if np.isfinite(log_likelihood) else np.inf

    mean = max(sample.records / sample.classes.sum() / share, 1 + SMALL)
    starts = [(float(np.log(shape)), float(np.log(shape / mean))) for shape in (0.05, 0.5, 5.0)]
    found = [minimised(cost, start, [(-12.0, 8.0), (-20.0, 20.0)]) for start in starts]
    shape, probability = parameters(min(found, key=cost))
    seen = max(-float(np.expm1(negative_binomial_log_pmf(0, shape, thinned(probability)))), 1e-300)
    return PoissonGamma(shape, probability, float(sample.classes.sum()) / seen)


class DirichletMultinomial(NamedTuple):
    """Shares of `classes` classes are drawn from a symmetric Dirichlet distribution with this `concentration`."""

    classes: float
    concentration: float

    def uniques(self, population: float) -> float:
        """The expected number of classes of one record: each size is beta-binomial."""
        from scipy.special import betaln

        one, others = self.concentration, (self.classes - 1) * self.concentration
        logarithm = np.log(self.classes) + np.log(population) + betaln(one + 1, others + population - 1)
        return float(min(np.exp(logarithm - betaln(one, others)), population))


def dirichlet_log_likelihood(sample: Spectrum, classes: float, concentration: float) -> float:
    """The logarithm of the probability of a sample's partition into classes, up to a constant.

    It is Pitman's formula with a discount of −`concentration` and a strength of `classes` · `concentration`.
    """
    from scipy.special import gammaln

    seen, total = float(sample.classes.sum()), classes * concentration
    named = gammaln(classes + 1) - gammaln(classes - seen + 1)
    drawn = gammaln(total) - gammaln(total + sample.records)
    inner = sample.classes @ (gammaln(sample.sizes + concentration) - gammaln(concentration))
    return float(named + drawn + inner)


def fit_dirichlet_multinomial(sample: Spectrum) -> DirichletMultinomial:
    """The maximum likelihood fit of the number of classes and of their concentration."""
    seen = float(sample.classes.sum())

    def parameters(point: NDArray[np.float64]) -> DirichletMultinomial:
        return DirichletMultinomial(seen + float(np.exp(point[0])), float(np.exp(point[1])))

    def cost(point: NDArray[np.float64]) -> float:
        log_likelihood = dirichlet_log_likelihood(sample, *parameters(point))
        return -log_likelihood if np.isfinite(log_likelihood) else np.inf

    starts = [(float(np.log(seen + 1)), start) for start in (-3.0, 0.0, 3.0)]
    found = [minimised(cost, start, [(-7.0, 25.0), (-20.0, 10.0)]) for start in starts]
    return parameters(min(found, key=cost))
