"""Zayatz uniqueness: population uniques if class sizes are distributed as in the sample."""

from sdckit.kernels.population_models import Spectrum, zayatz
from sdckit.measure import Cost, risk
from sdckit.risk.uniqueness.population_model import PopulationModel


@risk("zayatz-uniqueness", reference="zayatz1991", cost=Cost.SLOW)
class ZayatzUniqueness(PopulationModel):
    r"""Estimated share of records that are unique in the population, assuming class sizes distributed as in the sample.

    The probability that a sample unique is a population unique follows from Bayes' rule, with the shares of class sizes
    in the sample taken for those in the population. In a small sample classes look smaller than they are and the figure
    is far too high. Records with missing keys are left out of the model. The figure has no interval.

    Formula: $\frac{U}{N}$,  $U = \frac{u_1}{\pi} \cdot \frac{p_1 \pi}{\sum_j p_j \, j \, \pi (1 - \pi)^{j -
    1}}$,  $p_j$ the share of classes of size $j$, $u_1$ sample uniques

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the sample is a large part of the population.
    """

    def estimates(self, sample: Spectrum, population: float) -> dict[str, float]:
        return {"zayatz": zayatz(sample, population)}
