"""Difference Mahalanobis linkage: nearest records under the covariances of what the masking changed."""

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.kernels.moments import means_and_covariances
from sdckit.measure import Finds, Need, risk
from sdckit.release import Release
from sdckit.risk.linkage.nearest_rows import EuclideanLinkage, NearestRows, nearest_points
from sdckit.risk.linkage.whitened_linkage import whitened


@risk(
    "difference-mahalanobis-linkage",
    reference="torra2006",
    finds=Finds.RECORDS,
    needs={Need.ROWS, Need.TRUTH},
    by_default=False,
)
class DifferenceMahalanobisLinkage(EuclideanLinkage):
    r"""Share of records re-identified by linking each to the nearest, with the covariances of the changes by masking.

    Attributes that were disturbed much count little. This is the best quadratic distance against normal noise, and a
    worst case: the intruder could not measure these covariances without the original.

    Formula: $d^2(a, b) = (a - b)^\top (\Sigma_X + \Sigma_{X'} - 2 \mathrm{Cov}(X, X'))^+ (a - b)$, each file about its
    own mean

    Intruder: knows some attributes of a record exactly, and how strongly each attribute was disturbed.

    Use it when the strength of the noise differs between attributes and will be known.
    """

    def attempt(self, view: AttackerView, *, seed: int | None, taught: Release | None = None) -> NearestRows:
        assert taught is not None
        original, masked = taught.pairs(view.attributes)
        variances = np.maximum(np.diag(means_and_covariances(original)[1]), 1e-300)
        differences = means_and_covariances(original - masked)[1] + 1e-9 * np.diag(variances)
        return nearest_points(*whitened(view, differences), reverse=self.reverse)
