"""Population models: how many uniques a population has, estimated from the class sizes of a sample."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.count_laws import negative_binomial_log_pmf

SMALL = 1e-9


class Spectrum(NamedTuple):
    """The sizes that occur among the classes of a sample, in ascending order, and the number of classes of each."""

    sizes: NDArray[np.int64]
    classes: NDArray[np.int64]

    @property
    def records(self) -> int:
        """The number of records."""
        return int(self.sizes @ self.classes)

    @property
    def uniques(self) -> int:
        """The number of classes of one record."""
        return int(self.classes[self.sizes == 1].sum())


def spectrum(sizes_of_classes: NDArray[np.int64]) -> Spectrum:
    """Count the classes of each size."""
    return Spectrum(*np.unique(sizes_of_classes, return_counts=True))


def zayatz(sample: Spectrum, population: float) -> float:
    """The number of population uniques, if class sizes are distributed as in the sample (Zayatz 1991)."""
    share = sample.records / population
    sizes, p = sample.sizes, sample.classes / sample.classes.sum()
    drawn_once = (p * sizes * share * (1 - share) ** (sizes - 1)).sum()
    if not sample.uniques or not drawn_once:
        return 0.0
    share_unique = p[sizes == 1].sum() * share / drawn_once
    return float(min(share_unique * sample.uniques / share, population))


class Pitman(NamedTuple):
    """Pitman's random partition: `discount` in [0, 1), `strength` above −`discount`."""

    discount: float
    strength: float

    def uniques(self, population: float) -> float:
        """The expected number of classes of one record in a population of this size."""
        from scipy.special import gammaln

        a, t, n = self.discount, self.strength, population
        logarithm = np.log(n) + gammaln(t + a + n - 1) + gammaln(t + 1) - gammaln(t + a) - gammaln(t + n)
        return float(min(np.exp(logarithm), n))


def pitman_log_likelihood(sample: Spectrum, discount: float, strength: float) -> float:
    """The logarithm of the Pitman sampling formula, up to a constant (Hoshino 2001)."""
    from scipy.special import gammaln

    classes = int(sample.classes.sum())
    if discount > SMALL:
        ratio = strength / discount
        opened = (classes - 1) * np.log(discount) + gammaln(ratio + classes) - gammaln(ratio + 1)
    else:
        opened = (classes - 1) * np.log(strength)
    entered = gammaln(strength + sample.records) - gammaln(strength + 1)
    joined = sample.classes @ (gammaln(sample.sizes - discount) - gammaln(1 - discount))
    return float(opened - entered + joined)


def fit_pitman(sample: Spectrum) -> Pitman:
    """The maximum likelihood fit; all records unique and all records in one class are its limits."""
    from scipy.special import expit

    def parameters(point: NDArray[np.float64]) -> Pitman:
        discount = float(np.clip(expit(point[0]), SMALL, 1 - SMALL))
        return Pitman(discount, float(np.exp(point[1]) - discount))

    def cost(point: NDArray[np.float64]) -> float:
        log_likelihood = pitman_log_likelihood(sample, *parameters(point))
        return -log_likelihood if np.isfinite(log_likelihood) else np.inf

    classes = float(sample.classes.sum())
    starts = [(0.0, 0.0), (-2.0, float(np.log(classes))), (2.0, float(np.log(classes)))]
    found = [minimised(cost, start, [(-15.0, 15.0), (-15.0, 25.0)]) for start in starts]
    return parameters(min(found, key=cost))


class ShiftedNegativeBinomial(NamedTuple):
    """Class sizes in the population: 1 + a negative binomial variable with `shape` and success `probability`."""

    shape: float
    probability: float
    classes: float

    @property
    def uniques(self) -> float:
        """The expected number of classes of one record."""
        return float(self.classes * self.probability**self.shape)


def fit_shifted_negative_binomial(sample: Spectrum, population: float) -> ShiftedNegativeBinomial:
    """The maximum likelihood fit of the shifted negative binomial to a sample's class sizes, under Bernoulli sampling.

    A class of 1 + G records is thinned by the sampling, and a thinned negative binomial is negative binomial again.
    Classes without a sampled record are not observed, so the likelihood is that of sizes given that they are above 0
    (after Chen and Keller-McNulty 1998).
    """
    from scipy.special import expit

    share = min(sample.records / population, 1.0)

    def pmf(sizes: NDArray[np.int64], shape: float, success: float) -> NDArray[np.float64]:
        return np.exp(negative_binomial_log_pmf(sizes, shape, success))

    def log_probabilities(sizes: NDArray[np.int64], shape: float, probability: float) -> NDArray[np.float64]:
        thinned = probability / (probability + share * (1 - probability))
        probabilities = (1 - share) * pmf(sizes, shape, thinned) + share * pmf(sizes - 1, shape, thinned)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(probabilities), dtype=np.float64)

    def parameters(point: NDArray[np.float64]) -> tuple[float, float]:
        return float(np.exp(point[0])), float(np.clip(expit(point[1]), SMALL, 1 - SMALL))

    def cost(point: NDArray[np.float64]) -> float:
        shape, probability = parameters(point)
        unseen = float(np.exp(log_probabilities(np.array([0]), shape, probability)[0]))
        log_likelihood = sample.classes @ log_probabilities(sample.sizes, shape, probability)
        log_likelihood -= sample.classes.sum() * np.log1p(-min(unseen, 1 - SMALL))
        return -float(log_likelihood) if np.isfinite(log_likelihood) else np.inf

    mean = max(sample.records / sample.classes.sum() / share, 1 + SMALL)
    starts = [(float(np.log(shape)), float(np.log(shape / mean))) for shape in (0.05, 0.5, 5.0)]
    bounds = [(-12.0, 8.0), (-20.0, 20.0)]
    found = [minimised(cost, start, bounds) for start in starts]
    shape, probability = parameters(min(found, key=cost))
    seen = 1 - float(np.exp(log_probabilities(np.array([0]), shape, probability)[0]))
    return ShiftedNegativeBinomial(shape, probability, float(sample.classes.sum()) / max(seen, SMALL))


def minimised(
    cost: Callable[[NDArray[np.float64]], float], start: tuple[float, float], bounds: list[tuple[float, float]]
) -> NDArray[np.float64]:
    """The point of least cost within bounds, by the simplex method."""
    from scipy.optimize import minimize

    inner_start = np.clip(start, *np.transpose(bounds))
    found = minimize(
        cost, inner_start, method="Nelder-Mead", bounds=bounds, options={"xatol": 1e-8, "fatol": 1e-9, "maxiter": 2000}
    )
    return np.asarray(found.x, dtype=np.float64)
