"""How many persons of the population agree with each released record: counted where it can be, else estimated."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import class_of, distinct_rows
from sdckit.kernels.population_classes import CHI_SQUARED, ClassModel, MeanInverse, mean_inverse, smallest_size
from sdckit.kernels.population_models import spectrum
from sdckit.microdata import Role
from sdckit.risk.uniqueness.released_keys import ReleasedKeys, size_of_population

TAIL = 0.025  # probability beyond each end of an interval


@dataclass(frozen=True, eq=False)
class PopulationClasses:
    """The probability of a correct match of each released record, E(1/F), and where its mean and its maximum lie.

    `interval` and `largest` are of a file that is only a sample with weights; where the population was counted, the
    mean has no sampling error of the model and the maximum is exact.
    """

    probability: NDArray[np.float64]
    interval: tuple[float, float] | None
    largest: tuple[float, float]
    details: dict[str, Any]


def population_classes(keys: ReleasedKeys) -> PopulationClasses:
    """The classes of the population, from the weights by two models, or counted in the original file."""
    label = ("population classes", keys.names, keys.holes_are_values)
    return keys.release.computed_once(label, lambda: _population_classes(keys))


def _population_classes(keys: ReleasedKeys) -> PopulationClasses:
    population = size_of_population(keys.release)
    if not keys.release.masked.names(role=Role.WEIGHT):
        inverse = 1.0 / keys.population
        return PopulationClasses(inverse, None, (inverse.max(), inverse.max()), {"population": population})
    if population <= len(keys.codes):  # nobody else is represented: the release is the population
        inverse = 1.0 / keys.frequency
        return PopulationClasses(
            inverse,
            None,
            (inverse.max(), inverse.max()),
            {"population": population, "model": "none: no one is missing"},
        )
    estimate = mean_inverse(spectrum(class_of(_complete(keys)).sizes), population)
    frequency, weight = keys.frequency.astype(np.float64), keys.population / keys.frequency
    records = float(len(frequency))
    distinct, of = distinct_rows(np.column_stack([frequency, weight]))
    by_model = {
        fit.model.name: fit.model.expected_inverse(distinct[:, 0], distinct[:, 1], records)[of]
        for fit in (estimate.many, estimate.limited)
    }
    chosen = chosen_model(estimate, {name: float(each.mean()) for name, each in by_model.items()})
    probability = within_interval(by_model[chosen.name], 1.0 / frequency, estimate.interval)
    return PopulationClasses(
        probability,
        _spanning(estimate.interval, float(probability.mean()), float((1.0 / frequency).mean())),
        _largest(estimate, distinct, np.bincount(of) / distinct[:, 0], records),
        {
            "population": population,
            "model": chosen.name,
            "by_model": {name: float(each.mean()) for name, each in by_model.items()},
            "discount": chosen.discount,
            "strength": chosen.strength,
            "by_total_weight": float((1.0 / keys.population).mean()),
        },
    )


def chosen_model(estimate: MeanInverse, means: Mapping[str, float]) -> ClassModel:
    """The model of greater likelihood; of two that fit the sample equally well, the one of higher risk."""
    fits = (estimate.many, estimate.limited)
    best = max(fit.log_likelihood for fit in fits)
    possible = [fit.model for fit in fits if fit.log_likelihood >= best - CHI_SQUARED]
    return max(possible, key=lambda model: means[model.name])


def _complete(keys: ReleasedKeys) -> NDArray[np.int32]:
    """The rows whose classes are a partition: by any-value those with all keys, where there are some."""
    whole = ~keys.missing.any(axis=1)
    return keys.codes if keys.holes_are_values or not whole.any() else keys.codes[whole]


def within_interval(
    probability: NDArray[np.float64], highest: NDArray[np.float64], interval: tuple[float, float]
) -> NDArray[np.float64]:
    """The probabilities by the model, moved as far as the interval asks for where their mean is outside of it.

    Below, each is raised by the same share of its distance to 1/f, which it cannot exceed; above, each is lowered by
    the same factor.
    """
    mean, top = float(probability.mean()), float(highest.mean())
    if mean < interval[0] and top > mean:
        share = min((interval[0] - mean) / (top - mean), 1.0)
        return np.asarray(probability + share * (highest - probability), dtype=np.float64)
    return np.asarray(probability * min(interval[1] / mean, 1.0), dtype=np.float64) if mean else probability


def _spanning(interval: tuple[float, float], value: float, bound: float) -> tuple[float, float]:
    """The interval with the estimate itself, which unequal weights may put beside that of equal ones."""
    return min(interval[0], value), min(max(interval[1], value), max(bound, value))


def _largest(
    estimate: MeanInverse, distinct: NDArray[np.float64], classes: NDArray[np.float64], records: float
) -> tuple[float, float]:
    """Between which ends the largest 1/F lies: one over the quantiles of the smallest class of the population.

    The lower end is also that of any population that the sample does not contradict; where weights differ, the classes
    of the largest ones may be larger in proportion.
    """
    frequency, weight = distinct.T
    mean_weight = float(classes * frequency @ weight) / records
    possible = estimate.largest_minimum * max(float(weight.max()) / mean_weight, 1.0)
    low = smallest_size(estimate.lowest, frequency, classes, weight, records, 1 - TAIL)
    high = smallest_size(estimate.highest, frequency, classes, weight, records, TAIL)
    return 1.0 / max(low, high, possible), 1.0 / high
