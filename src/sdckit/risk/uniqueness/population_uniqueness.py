"""Population uniqueness: how many of the sample's uniques are unique in the population too."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.equivalence_classes import MISSING, class_of
from sdckit.kernels.population_models import (
    Spectrum,
    fit_pitman,
    fit_shifted_negative_binomial,
    spectrum,
    zayatz,
)
from sdckit.measure import Measure, Score, risk
from sdckit.release import Release
from sdckit.risk.uniqueness.released_keys import ReleasedKeys, size_of_population

SMALL_SAMPLE = 0.1  # the sampling share up to which Dankar et al. (2012) take Pitman's model


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
        sample = spectrum(class_of(keys.codes[complete]).sizes)
        persons = population * complete.mean()
        told = self.estimates(sample, persons)
        uniques = min(next(iter(told.values())), persons)
        return Score(
            uniques / persons,
            by_record=release.by_original_record(_given_sample_unique(keys, sample, uniques / persons)),
            details={
                "attributes": keys.names,
                "population": population,
                "sampling_share": len(complete) / population,
                "sample_uniques": sample.uniques,
                "estimates": told,
            },
        )


def _given_sample_unique(keys: ReleasedKeys, sample: Spectrum, share: float) -> NDArray[np.float64]:
    """The chance that a sample unique is a population unique; 0 for the others, who certainly are not."""
    chance = min(1.0, share * sample.records / sample.uniques) if sample.uniques else 0.0
    return np.where(keys.frequency == 1, chance, 0.0)


@risk("zayatz-uniqueness", reference="zayatz1991")
class ZayatzUniqueness(PopulationModel):
    """Estimated share of records that are unique in the population, class sizes there being like those in the sample.

    The chance that a sample unique is a population unique follows from Bayes' rule, with the shares of class sizes in
    the sample taken for those in the population. In a small sample classes look smaller than they are and the figure
    is far too high. Records with missing keys are left out of the model. The figure has no interval.

    Formula: U / N,  U = u₁/π · p₁·π / Σⱼ pⱼ·j·π·(1−π)^{j−1},  pⱼ = share of classes of size j, u₁ = sample uniques

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the sample is a large part of the population.
    """

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        return {"zayatz": zayatz(sample, population)}


@risk("pitman-uniqueness", reference="hoshino2001")
class PitmanUniqueness(PopulationModel):
    """Estimated share of records that are unique in the population, its classes a random partition after Pitman.

    The two parameters of the partition are those of greatest likelihood for the sample; the expected number of uniques
    among N records is exact, not the limit for large N. The model holds for samples of any size, since each sample of
    such a partition is one. Records with missing keys are left out of the model. The figure has no interval.

    Formula: U / N,  U = N · Γ(θ+1)·Γ(θ+α+N−1) / (Γ(θ+α)·Γ(θ+N)) ≈ N^α · Γ(θ+1) / Γ(θ+α)

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the sample is a small part of the population.
    """

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        return {"pitman": fit_pitman(sample).uniques(population)}


@risk("snb-uniqueness", reference="chen1998")
class SnbUniqueness(PopulationModel):
    """Estimated share of records that are unique in the population, class sizes being 1 + a negative binomial number.

    The law of class sizes is that of greatest likelihood for the sizes seen in the sample, each person being drawn by
    chance and classes that gave nobody being unseen. Records with missing keys are left out of the model. The figure
    has no interval.

    Formula: U / N,  U = K · p^r,  K = the number of classes in the population, F − 1 ~ NB(r, p) their sizes

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the sample is a large part of the population and Zayatz's estimate is larger.
    """

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        return {"snb": fit_shifted_negative_binomial(sample, population).uniques}


@risk("population-uniqueness", reference="dankar2012")
class PopulationUniqueness(PopulationModel):
    """Estimated share of records that are unique in the population, by the model that fits the size of the sample.

    Up to a sampling share of 0.1 the estimate is Pitman's; above, the smaller of Zayatz's and the one from the shifted
    negative binomial law. Those that were computed stand in the details. The figure has no interval.

    Formula: U_Pitman / N for π ≤ 0.1, else min(U_Zayatz, U_SNB) / N,  π = n / N

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the file is a sample, with weights or of a known file, and you want one figure.
    """

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        if sample.records <= SMALL_SAMPLE * population:
            return {"pitman": fit_pitman(sample).uniques(population)}
        snb = fit_shifted_negative_binomial(sample, population).uniques
        both = {"zayatz": zayatz(sample, population), "snb": snb}
        return dict(sorted(both.items(), key=lambda item: item[1]))
