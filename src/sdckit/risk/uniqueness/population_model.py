"""What the models of a population's uniques share: class sizes in, an estimate by record out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.equivalence_classes import MISSING, EquivalenceClasses, class_of
from sdckit.kernels.population_models import Spectrum, spectrum
from sdckit.measure import Measure, Score
from sdckit.release import Release
from sdckit.risk.uniqueness.released_keys import ReleasedKeys, size_of_population


@dataclass(frozen=True, kw_only=True)
class PopulationModel(Measure):
    """What the models of a population's uniques share."""

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        """The number of population uniques, the one that counts first."""
        raise TypeError(f"{type(self).__name__} must define estimates")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        keys = ReleasedKeys.seen_by(intruder, release)
        population = size_of_population(release)
        complete = (keys.codes != MISSING).all(axis=1)
        if not complete.any():
            raise NotApplicableError("no released record has all keys, so there are no class sizes to model")
        classes = class_of(keys.codes[complete])
        sample = spectrum(classes.sizes)
        persons = population * complete.mean()
        estimates = self.estimates(sample, persons)
        uniques = min(next(iter(estimates.values())), persons)
        return Score(
            uniques / persons,
            by_record=release.by_original_record(_given_sample_unique(complete, classes, sample, uniques / persons)),
            details={
                "attributes": keys.names,
                "population": population,
                "sampling_share": len(complete) / population,
                "sample_uniques": sample.uniques,
                "estimates": estimates,
            },
        )


def _given_sample_unique(
    complete: NDArray[np.bool_], classes: EquivalenceClasses, sample: Spectrum, share: float
) -> NDArray[np.float64]:
    """The probability that a sample unique is a population unique; 0 for the others, NaN for those left out."""
    probability = min(1.0, share * sample.records / sample.uniques) if sample.uniques else 0.0
    by_record = np.full(len(complete), np.nan)
    by_record[complete] = np.where(classes.sizes[classes.of] == 1, probability, 0.0)
    return by_record
