"""Masked Mahalanobis linkage: nearest records under the covariances of the masked file."""

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.kernels.moments import means_and_covariances
from sdckit.measure import Finds, Need, risk
from sdckit.risk.linkage.whitened_linkage import WhitenedLinkage


@risk("masked-mahalanobis-linkage", reference="torra2006", finds=Finds.RECORDS, needs={Need.ROWS}, by_default=False)
class MaskedMahalanobisLinkage(WhitenedLinkage):
    r"""Share of records re-identified by linking each to the nearest, with the covariances of the masked file.

    As mahalanobis-linkage, for an intruder who can estimate the covariances from the release only.

    Formula: $d^2(a, b) = (a - b)^\top \Sigma_{X'}^{-1} (a - b)$, each file about its own mean

    Intruder: knows some attributes of a record exactly, and the release.

    Use it when nothing on the original's covariances is published.
    """

    def covariances(self, view: AttackerView) -> NDArray[np.float64]:
        return means_and_covariances(view.released.matrix(view.attributes))[1]
