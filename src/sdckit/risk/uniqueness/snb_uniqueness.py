"""SNB uniqueness: population uniques if class sizes are shifted negative binomial."""

from sdckit.kernels.population_models import Spectrum, fit_shifted_negative_binomial
from sdckit.measure import Cost, risk
from sdckit.risk.uniqueness.population_model import PopulationModel


@risk("snb-uniqueness", reference="chen1998", cost=Cost.SLOW)
class SnbUniqueness(PopulationModel):
    r"""Estimated share of records that are unique in the population, class sizes being shifted negative binomial.

    The distribution is fitted to the sizes seen in the sample by maximum likelihood, under Bernoulli sampling; classes
    without a sampled record are not observed. Records with missing keys are left out of the model. The
    figure has no interval.

    Formula: $\frac{U}{N}$,  $U = K \cdot p^r$,  $K$ the number of classes in the population, $F - 1 \sim \mathrm{NB}(r,
    p)$ their sizes

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the sample is a large part of the population and Zayatz's estimate is larger.
    """

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        return {"snb": fit_shifted_negative_binomial(sample, population).uniques}
