"""Projection onto the first principal component (PCP)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.standardisation import standardise, standardise_like
from sdckit.masking import masking
from sdckit.methods.microaggregation.projection import ProjectedMicroaggregation
from sdckit.microdata import Kind


@masking("principal-component-projection", kind=Kind.ORDERED, reference="domingo2002")
class PrincipalComponentProjection(ProjectedMicroaggregation):
    r"""Order the records by the first principal component of the standardised attributes, and group them optimally.

    No other axis explains more of the variance; the variation that it does not explain is ignored. For two positively
    correlated attributes the order is that of the sum of z-scores. The sign of the axis does not matter.

    Formula: $p(x) = \sum_j e_j \cdot \frac{x_j - \mu_j}{\sigma_j}$,  $e$ the first eigenvector of the correlation
    matrix

    Use it when the attributes of a block move together, so that one axis explains most of the variance.
    """

    linear = True

    def project(self, values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
        scaled = standardise(reference)
        _, vectors = np.linalg.eigh(scaled.T @ scaled)
        projected: NDArray[np.float64] = standardise_like(values, reference) @ vectors[:, -1]
        return projected
