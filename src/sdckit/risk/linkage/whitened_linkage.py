"""What the Mahalanobis linkages share: coordinates in which a covariance matrix is the unit matrix.

They differ in whose covariances are taken: those of the original are often published, those of the masked file are
known to everybody, and those of the differences can be known where the method is, as they show how values were
disturbed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.kernels.moments import means_and_covariances
from sdckit.risk.linkage.nearest_rows import EuclideanLinkage


@dataclass(frozen=True, kw_only=True)
class WhitenedLinkage(EuclideanLinkage):
    """A linkage in the coordinates in which a covariance matrix is the unit matrix."""

    def covariances(self, view: AttackerView) -> NDArray[np.float64]:
        """The matrix that sets the scale."""
        raise TypeError(f"{type(self).__name__} must define covariances")

    def space(self, view: AttackerView) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return whitened(view, self.covariances(view))


def whitened(view: AttackerView, covariances: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Known and released records, each file about its own mean, in coordinates in which the matrix is the unit one."""
    known, released = view.matrices()
    mean = means_and_covariances(view.original.matrix(view.attributes))[0]
    released_mean = means_and_covariances(released)[0]
    whiten = whitening(covariances)
    return np.nan_to_num(known - mean) @ whiten, np.nan_to_num(released - released_mean) @ whiten


def whitening(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """W with W Wᵀ the pseudo-inverse of Σ: directions without variance are left out."""
    scale = np.sqrt(np.maximum(np.diag(covariances), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    values, vectors = np.linalg.eigh(covariances / np.outer(scale, scale))
    kept = values > 1e-10 * max(float(values.max(initial=0.0)), 1e-300)
    matrix: NDArray[np.float64] = (vectors[:, kept] / np.sqrt(values[kept])) / scale[:, None]
    return matrix
