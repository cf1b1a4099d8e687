"""Pitman uniqueness: population uniques of a random partition."""

from sdckit.kernels.population_models import Spectrum, fit_pitman
from sdckit.measure import Cost, risk
from sdckit.risk.uniqueness.population_model import PopulationModel


@risk("pitman-uniqueness", reference="hoshino2001", cost=Cost.SLOW)
class PitmanUniqueness(PopulationModel):
    r"""Estimated share of records that are unique in the population, by Pitman's model of a random partition.

    The two parameters of the partition are those of greatest likelihood for the sample; the expected number of uniques
    among N records is exact, not the limit for large N. The model holds for samples of any size, since each sample of
    such a partition is one. Records with missing keys are left out of the model. The figure has no interval.

    Formula: $\frac{U}{N}$,  $U = N \cdot \frac{\Gamma(\theta + 1) \, \Gamma(\theta + \alpha + N - 1)}{\Gamma(\theta +
    \alpha) \, \Gamma(\theta + N)} \approx N^{\alpha} \cdot \frac{\Gamma(\theta + 1)}{\Gamma(\theta + \alpha)}$

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the sample is a small part of the population.
    """

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        return {"pitman": fit_pitman(sample).uniques(population)}
