"""Population classes: how many persons of the population have the keys of a sampled record, by models of class sizes.

The total weight of the sampled records of a class estimates its size without bias for a class picked beforehand, but
not for one that was noticed because it is rare in the sample: most sample uniques are persons of small classes. Both
models here are random partitions of the population, of which any simple random sample is again one with the same
parameters, so that they are fitted to the sample and extrapolated:

many     Pitman's model, discount α in 0..1: the number of classes grows without end with the population
limited  a Dirichlet mixture of M classes, α = −κ below 0: no classes beyond M exist

Given the sample, a class of f records has F − f further members, negative binomial with shape f − α and odds
c = (N − n) / (n + θ); Benedetti and Franconi's individual risk is α = θ = 0. Real populations lie between the two.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.count_laws import negative_binomial_cdf
from sdckit.kernels.population_models import Spectrum
from sdckit.kernels.possible_populations import PossiblePopulations

Floats = NDArray[np.float64]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(48)
NEGLIGIBLE = 40.0  # e^−40 of the integrand
CHI_SQUARED = 1.92  # half of the 95 % quantile: log-likelihoods this far below the largest are not rejected
NORMAL = 1.96
GRID = 25  # parameter values on each axis of the region that is not rejected
SMALLEST, LARGEST = -8.0, 8.0  # of parameters on their logarithmic scales


class ClassModel(NamedTuple):
    """A random partition: `discount` α and `strength` θ of Pitman's sampling formula."""

    name: str
    discount: float
    strength: float

    def odds(self, weight: Floats | float, records: float) -> Floats:
        """The odds c of further members, for a class of this mean weight in a sample of this size."""
        surplus = np.maximum(np.asarray(weight, dtype=np.float64) - 1, 0.0)
        return np.asarray(surplus * records / (records + self.strength), dtype=np.float64)

    def expected_inverse(self, frequency: Floats, weight: Floats | float, records: float) -> Floats:
        """E(1/F | f) for classes of these sample frequencies and mean weights."""
        return expected_inverse_size(frequency, self.odds(weight, records), self.discount)


class Family(NamedTuple):
    """One of the two models before it is fitted: its parameters on scales without bounds, and where to start."""

    name: str
    parameters: Callable[[Floats, float], tuple[Floats, Floats]]
    starts: Callable[[float], tuple[tuple[float, float], ...]]
    highest: float


def _many(point: Floats, classes: float) -> tuple[Floats, Floats]:
    discount = 1 / (1 + np.exp(-point[..., 0]))
    return discount, np.exp(point[..., 1]) - discount


def _limited(point: Floats, classes: float) -> tuple[Floats, Floats]:
    kappa = np.exp(point[..., 0])
    return -kappa, kappa * classes * (1 + np.exp(point[..., 1]))


MANY = Family("pitman", _many, lambda classes: ((0.0, np.log(classes)), (-3.0, np.log(classes)), (1.0, 2.0)), 25.0)
LIMITED = Family("dirichlet", _limited, lambda classes: ((-2.0, 0.0), (0.0, -1.0), (1.0, 1.0)), 12.0)


def expected_inverse_size(frequency: Floats, odds: Floats, discount: float) -> Floats:
    """E 1/F for F = f + a negative binomial variable of shape f − α and odds c.

    That is ∫₀¹ v^(f−1) (1 + c (1−v))^(α−f) dv; with y = log(1 + c (1−v)) the integrand is smooth, and what is below
    e^−40 of its largest value is cut off before Gauss–Legendre quadrature.
    """
    frequency, odds = np.broadcast_arrays(np.asarray(frequency, dtype=np.float64), odds)
    inverse = 1.0 / frequency
    further = odds > 1e-9
    f, c = frequency[further], odds[further]
    falls = np.maximum(f - discount - 1, 0.0) + (f - 1) / c
    top = np.minimum(np.log1p(c), NEGLIGIBLE / np.maximum(falls, 1e-9))
    y = top[:, None] * (NODES + 1) / 2
    remaining = np.maximum(1 - np.expm1(y) / c[:, None], 0.0)
    integrand = remaining ** (f - 1)[:, None] * np.exp(y * (1 - f + discount)[:, None])
    inverse[further] = (integrand @ WEIGHTS) * top / 2 / c
    return inverse


def log_likelihood(sizes: Floats, classes: Floats, discount: Floats, strength: Floats) -> Floats:
    """The logarithm of the sampling formula, up to a constant, for arrays of parameters; α is not 0."""
    from scipy.special import gammaln

    count, records = classes.sum(), sizes @ classes
    magnitude, ratio = np.abs(discount), strength / discount
    with np.errstate(invalid="ignore"):
        opened = np.where(
            discount > 0,
            gammaln(ratio + count) - gammaln(ratio + 1),
            gammaln(-ratio) - gammaln(-ratio - count + 1),
        )
    opened = opened + (count - 1) * np.log(magnitude)
    entered = gammaln(strength + records) - gammaln(strength + 1)
    each = gammaln(sizes - discount[..., None]) - gammaln(1 - discount)[..., None]
    return np.asarray(opened - entered + each @ classes, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model, and the models that the sample does not reject at 95 %."""

    model: ClassModel
    log_likelihood: float
    not_rejected: tuple[ClassModel, ...]


def fit(family: Family, sizes: Floats, classes: Floats, *, region: bool = True) -> Fit:
    """The fit of greatest likelihood to a sample with `classes` classes of each of the `sizes`."""
    from scipy.optimize import minimize

    count = float(classes.sum())
    bounds = [(SMALLEST, LARGEST), (SMALLEST, family.highest)]

    def costs(points: Floats) -> Floats:
        values = -log_likelihood(sizes, classes, *family.parameters(points, count))
        return np.where(np.isfinite(values), values, np.inf)

    def cost(point: NDArray[np.float64]) -> float:
        return float(costs(point))

    found = [
        minimize(
            cost,
            np.clip(np.array(start), *np.transpose(bounds)),
            method="Nelder-Mead",
            bounds=bounds,
            options={"xatol": 1e-4, "fatol": 1e-6, "maxiter": 600},
        )
        for start in family.starts(count)
    ]
    best = min(found, key=lambda each: float(each.fun))
    near = _grid(costs, np.asarray(best.x), bounds) if region else np.asarray(best.x)[None]
    kept = near[costs(near) <= best.fun + CHI_SQUARED]
    return Fit(_models(family, np.asarray(best.x)[None], count)[0], -float(best.fun), _models(family, kept, count))


def _models(family: Family, points: Floats, count: float) -> tuple[ClassModel, ...]:
    discounts, strengths = family.parameters(points, count)
    return tuple(ClassModel(family.name, float(a), float(t)) for a, t in zip(discounts, strengths, strict=True))


def _grid(cost: Callable[[Floats], Floats], best: Floats, bounds: list[tuple[float, float]]) -> Floats:
    """Points around the best one, as far along each axis as the likelihood allows with the other parameter free."""
    axes = [np.linspace(low, high, 2 * GRID) for low, high in bounds]
    for _ in range(3):  # a coarse grid, then the box of what it does not reject
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
        points = np.concatenate([points, best[None]])
        near = points[cost(points) <= cost(best) + CHI_SQUARED]
        steps = [axis[1] - axis[0] for axis in axes]
        axes = [
            np.linspace(
                max(near[:, j].min() - steps[j], bounds[j][0]), min(near[:, j].max() + steps[j], bounds[j][1]), GRID
            )
            for j in range(2)
        ]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.concatenate([points, best[None]])


class MeanInverse(NamedTuple):
    """Both models of the sizes of classes, and what the sample says of the mean of 1/F without any model.

    `lowest`, `highest`  the models of the lowest and the highest mean that the sample does not reject
    `interval`           where the mean of 1/F over the sampled records lies
    `largest_minimum`    the largest size that the smallest class of the population can have
    """

    many: Fit
    limited: Fit
    lowest: ClassModel
    highest: ClassModel
    interval: tuple[float, float]
    largest_minimum: float


def mean_inverse(sample: Spectrum, population: float) -> MeanInverse:
    """Fit both models and say where the mean of 1/F lies.

    The interval has the mean of every population that the sample does not contradict, of whatever sizes of classes, and
    the random deviation of the sampled records from it. No class is smaller in the population than in the sample, which
    caps both ends.
    """
    return _mean_inverse(tuple(sample.sizes.tolist()), tuple(sample.classes.tolist()), population)


@lru_cache(maxsize=64)  # several risks of one release ask for the same sample
def _mean_inverse(of_size: tuple[float, ...], number: tuple[float, ...], population: float) -> MeanInverse:
    sizes, classes = np.array(of_size, dtype=np.float64), np.array(number, dtype=np.float64)
    n = float(sizes @ classes)
    largest = float(classes.sum()) / n
    weight = max(population / n, 1.0)

    def mean(model: ClassModel) -> float:
        return float(classes * sizes @ model.expected_inverse(sizes, weight, n)) / n

    fits, models = [], []
    for family in (MANY, LIMITED):
        found = fit(family, sizes, classes)
        considered = (found.model, *found.not_rejected)
        models += [(mean(model), model) for model in considered]
        fits.append(found)
    possible = PossiblePopulations(Spectrum(sizes.astype(np.int64), classes.astype(np.int64)), max(population, n))
    ends = [
        end + sign * NORMAL * np.sqrt(end * (1 - 1 / weight) / n)
        for end, sign in zip(possible.mean_inverse(), (-1, 1), strict=True)
    ]
    floor = min(1.0 / max(population, n), largest)
    interval = float(np.clip(ends[0], floor, largest)), float(np.clip(ends[1], floor, largest))
    lowest, highest = (choose(models, key=lambda pair: pair[0])[1] for choose in (min, max))
    return MeanInverse(fits[0], fits[1], lowest, highest, interval, possible.largest_minimum())


def smallest_size(
    model: ClassModel, frequency: Floats, classes: Floats, weight: Floats, records: float, probability: float
) -> int:
    """The smallest k for which some class has at most k members in the population with at least this probability."""
    success = 1 / (1 + model.odds(weight, records))

    def reached(size: int) -> bool:
        below = negative_binomial_cdf(size - frequency, frequency - model.discount, success)
        with np.errstate(divide="ignore"):
            return bool(-np.expm1(classes @ np.log1p(-np.minimum(below, 1.0))) >= probability)

    low = high = int(frequency.min())
    while not reached(high):
        low, high = high + 1, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle + 1, high)
    return low
