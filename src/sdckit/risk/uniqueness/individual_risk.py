"""Individual risk: the probability of a correct match, with the population frequency estimated from the sample."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.individual_risk import individual_risks
from sdckit.measure import Score, risk
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.population_classes import population_classes
from sdckit.risk.uniqueness.released_keys import ReleasedKeys, size_of_population, weights_of


@risk("individual-risk", reference="benedetti1998")
class IndividualRisk(KeyMeasure):
    r"""Mean probability of a correct match when the population frequency is only estimated from the weights.

    How many persons F agree with a record is not known; given the f records in the sample it is taken as negative
    binomial with success probability f / F̂, F̂ the total weight of these records. The expectation of 1 / F is computed
    exactly, for every f. A class with weights below 1 counts as completely sampled. In a sparse sample this
    distribution overestimates the sizes of classes and the figure is too low: marketer-risk estimates the same mean by
    models of class sizes, and its figure is in the details. The figure has no interval, since none that follows from
    this distribution would cover the true risk.

    Formula: $\frac{1}{n} \sum_i \mathrm{E}(\frac{1}{F_i} \mid f_i)$,  $\mathrm{E}(\frac{1}{F} \mid f) = \frac{p^f}{f}
    \cdot {}_2F_1(f, f; f + 1; 1 - p)$,  $p = \frac{f}{\hat{F}}$

    Intruder: has a register of the population with the keys and picks at random among the persons who agree.

    Use it when the file is a sample survey with weights and categorical keys.
    """

    def of_keys(self, keys: ReleasedKeys) -> Score:
        probability = probability_by_record(keys)
        return Score(
            float(probability.mean()),
            by_record=keys.release.by_original_record(probability),
            baseline=1.0 / size_of_population(keys.release),
            details={
                "attributes": keys.names,
                "expected_matches": float(probability.sum()),
                "largest": float(probability.max()),
                "by_class_sizes": float(population_classes(keys).probability.mean()),
                "population": size_of_population(keys.release),
            },
        )


def probability_by_record(keys: ReleasedKeys) -> NDArray[np.float64]:
    """E(1/F | f) for each released record."""
    weights_of(keys.release)  # refuses a release without
    return individual_risks(keys.frequency, keys.population)
