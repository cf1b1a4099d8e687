"""Whitened linkage: what the linkages by a Mahalanobis distance share; they differ in the covariances.

The covariances depend on what the intruder knows: those of the original are often published, those of the masked file
are public, and those of the differences can be known where the method is: they follow from how values were disturbed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import Intruder
from sdckit.kernels.moments import means_and_covariances
from sdckit.release import Release
from sdckit.risk.linkage.linkage import EuclideanLinkage


@dataclass(frozen=True, kw_only=True)
class WhitenedLinkage(EuclideanLinkage):
    """A linkage in the coordinates in which a covariance matrix is the unit matrix."""

    def covariances(self, release: Release, names: tuple[str, ...]) -> NDArray[np.float64]:
        """The matrix that sets the scale."""
        raise TypeError(f"{type(self).__name__} must define covariances")

    def space(
        self, release: Release, intruder: Intruder, *, seed: int | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        view = intruder.view(release, seed=seed)
        mean = means_and_covariances(release.original.matrix(view.names))[0]
        released_mean = means_and_covariances(view.released)[0]
        whiten = whitening(self.covariances(release, view.names))
        return np.nan_to_num(view.known - mean) @ whiten, np.nan_to_num(view.released - released_mean) @ whiten


def whitening(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """W with W Wᵀ the pseudo-inverse of Σ: directions without variance are left out."""
    scale = np.sqrt(np.maximum(np.diag(covariances), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    values, vectors = np.linalg.eigh(covariances / np.outer(scale, scale))
    kept = values > 1e-10 * max(float(values.max(initial=0.0)), 1e-300)
    matrix: NDArray[np.float64] = (vectors[:, kept] / np.sqrt(values[kept])) / scale[:, None]
    return matrix
