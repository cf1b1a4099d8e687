"""Dirichlet uniqueness: population uniques if the shares of classes are drawn from a Dirichlet distribution."""

from sdckit.kernels.population_mixtures import fit_dirichlet_multinomial
from sdckit.kernels.population_models import Spectrum
from sdckit.measure import Cost, risk
from sdckit.risk.uniqueness.population_model import PopulationModel


@risk("dirichlet-uniqueness", reference="takemura1999", cost=Cost.SLOW)
class DirichletUniqueness(PopulationModel):
    """Estimated share of records that are unique in the population, by a Dirichlet-multinomial model of class sizes.

    Population and sample are both Dirichlet-multinomial with the same number of classes and the same concentration,
    which are those of greatest likelihood for the sample. The number of classes is finite, unlike that of Pitman's
    model, of which this is the continuation to negative discounts. Records with missing keys are left out of the model.
    The figure has no interval.

    Formula: U / N,  U = K · N · B(γ + 1, (K − 1)·γ + N − 1) / B(γ, (K − 1)·γ),  K classes, γ their concentration

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the keys have few combinations, most of which occur in the sample.
    """

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        return {"dirichlet-multinomial": fit_dirichlet_multinomial(sample).uniques(population)}
