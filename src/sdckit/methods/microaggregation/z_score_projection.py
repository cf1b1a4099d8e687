"""Projection onto the sum of z-scores."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.standardisation import standardise_like
from sdckit.masking import masking
from sdckit.methods.microaggregation.projection import ProjectedMicroaggregation
from sdckit.microdata import Kind


@masking("z-score-projection", kind=Kind.ORDERED, reference="domingo2002")
class ZScoreProjection(ProjectedMicroaggregation):
    r"""Order the records by the sum of their z-scores, and group them optimally in that order.

    All attributes have the same weight, whatever their units. Negatively correlated attributes cancel each other, so
    that very different records can fall into one group. σ is the standard deviation (the paper's text says variance).

    Formula: $p(x) = \sum_j \frac{x_j - \mu_j}{\sigma_j}$

    Use it when all attributes of a block are positively correlated, such as several kinds of income.
    """

    linear = True

    def project(self, values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
        projected: NDArray[np.float64] = standardise_like(values, reference).sum(axis=1)
        return projected
