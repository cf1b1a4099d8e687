"""Poisson–gamma uniqueness: population uniques if class sizes are negative binomial."""

from sdckit.kernels.population_mixtures import fit_poisson_gamma
from sdckit.kernels.population_models import Spectrum
from sdckit.measure import Cost, risk
from sdckit.risk.uniqueness.population_model import PopulationModel


@risk("poisson-gamma-uniqueness", reference="bethlehem1990", cost=Cost.SLOW)
class PoissonGammaUniqueness(PopulationModel):
    """Estimated share of records that are unique in the population, class sizes being Poisson with gamma rates.

    The sizes are then negative binomial, in the population and in the sample. The model is fitted by maximum
    likelihood to the sizes seen, given that they are above 0: combinations of keys that do not occur in the sample,
    possible or not, have no influence. Records with missing keys are left out of the model. The figure has no interval.

    Formula: U / N,  U = K · r · p^r · (1 − p),  F ~ NB(r, p) the size of each of K classes

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the classical model of the 1990s is to be compared with; it has too few large classes for most files.
    """

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        return {"poisson-gamma": fit_poisson_gamma(sample, population).uniques}
