"""Population uniqueness: how many of the sample's uniques are unique in the population too."""

from sdckit.kernels.population_models import Spectrum, fit_pitman, fit_shifted_negative_binomial, zayatz
from sdckit.measure import Cost, risk
from sdckit.risk.uniqueness.population_model import PopulationModel

SMALL_SAMPLE = 0.1  # the sampling share up to which Dankar et al. (2012) take Pitman's model


@risk("population-uniqueness", reference="dankar2012", cost=Cost.SLOW)
class PopulationUniqueness(PopulationModel):
    r"""Estimated share of records that are unique in the population, by the model that fits the size of the sample.

    Up to a sampling share of 0.1 the estimate is Pitman's; above, the smaller of Zayatz's and the one from the shifted
    negative binomial law. Those that were computed are in the details. The figure has no interval.

    Formula: $\frac{1}{N} U_{\text{Pitman}}$ for $\pi \le 0.1$, else $\frac{1}{N} \min(U_{\text{Zayatz}},
    U_{\text{SNB}})$,  $\pi = \frac{n}{N}$

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the file is a sample, with weights or of a known file, and you want one figure.
    """

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        if sample.records <= SMALL_SAMPLE * population:
            return {"pitman": fit_pitman(sample).uniques(population)}
        snb = fit_shifted_negative_binomial(sample, population).uniques
        both = {"zayatz": zayatz(sample, population), "snb": snb}
        return dict(sorted(both.items(), key=lambda item: item[1]))
