"""Mahalanobis linkage: nearest records under the covariances of the original."""

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.kernels.moments import means_and_covariances
from sdckit.measure import Finds, Need, risk
from sdckit.risk.linkage.whitened_linkage import WhitenedLinkage


@risk("mahalanobis-linkage", reference="torra2006", finds=Finds.RECORDS, needs={Need.ROWS}, by_default=False)
class MahalanobisLinkage(WhitenedLinkage):
    r"""Share of records re-identified by linking each to the nearest, with the covariances of the original.

    Correlated attributes count once instead of twice. A missing value counts as the mean. Linear transformations of the
    attributes do not change the figure.

    Formula: $d^2(a, b) = (a - b)^\top \Sigma_X^{-1} (a - b)$, each file about its own mean

    Intruder: knows some attributes of a record exactly, and how they vary together in the population.

    Use it when the noise is correlated as the attributes are: then it re-identifies more records than the plain
    distance, and fewer against noise that is independent from attribute to attribute.
    """

    def covariances(self, view: AttackerView) -> NDArray[np.float64]:
        return means_and_covariances(view.original.matrix(view.attributes))[1]
