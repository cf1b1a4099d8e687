"""Linkage by the Mahalanobis distance, with the covariances of the original, of the masked file, or of differences.

The three differ in what the intruder knows: the original's covariances are often published, the masked file's are
there for all, and those of the differences can be known where the method is, as they show how values were disturbed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.kernels.moments import means_and_covariances
from sdckit.measure import Finds, Need, risk
from sdckit.release import Release
from sdckit.risk.linkage.nearest_rows import EuclideanLinkage, NearestRows, nearest_points


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


@risk("mahalanobis-linkage", reference="torra2006", finds=Finds.RECORDS, needs={Need.ROWS})
class MahalanobisLinkage(WhitenedLinkage):
    """Share of records found by linking each to the nearest, with the covariances of the original.

    Correlated attributes count once instead of twice. A missing value counts as the mean. Rescaling or mixing the
    attributes linearly changes nothing.

    Formula: d²(a, b) = (a − b)ᵀ Σ_X⁻¹ (a − b), each file about its own mean

    Intruder: holds the known attributes of a record exactly and knows how they vary together in the population.

    Use it when the noise is correlated as the attributes are: then it finds more than the plain distance, and against
    noise that is independent from attribute to attribute it finds fewer.
    """

    def covariances(self, view: AttackerView) -> NDArray[np.float64]:
        return means_and_covariances(view.original.matrix(view.attributes))[1]


@risk("masked-mahalanobis-linkage", reference="torra2006", finds=Finds.RECORDS, needs={Need.ROWS})
class MaskedMahalanobisLinkage(WhitenedLinkage):
    """Share of records found by linking each to the nearest, with the covariances of the masked file.

    As mahalanobis-linkage, for an intruder who has nothing but the release to learn the covariances from.

    Formula: d²(a, b) = (a − b)ᵀ Σ_X′⁻¹ (a − b), each file about its own mean

    Intruder: holds the known attributes of a record exactly, and the release.

    Use it when nothing on the original's covariances is published.
    """

    def covariances(self, view: AttackerView) -> NDArray[np.float64]:
        return means_and_covariances(view.released.matrix(view.attributes))[1]


@risk("difference-mahalanobis-linkage", reference="torra2006", finds=Finds.RECORDS, needs={Need.ROWS, Need.TRUTH})
class DifferenceMahalanobisLinkage(EuclideanLinkage):
    """Share of records found by linking each to the nearest, with the covariances of what the masking changed.

    Attributes that were disturbed much count little. This is the best quadratic distance against normal noise, and a
    worst case: the intruder could not measure these covariances without the original.

    Formula: d²(a, b) = (a − b)ᵀ (Σ_X + Σ_X′ − 2 Cov(X, X′))⁺ (a − b), each file about its own mean

    Intruder: holds the known attributes of a record exactly, and knows how strongly each attribute was disturbed.

    Use it when the strength of the noise differs between attributes and is published.
    """

    def attempt(self, view: AttackerView, *, seed: int | None, taught: Release | None = None) -> NearestRows:
        assert taught is not None
        original, masked = taught.pairs(view.attributes)
        variances = np.maximum(np.diag(means_and_covariances(original)[1]), 1e-300)
        differences = means_and_covariances(original - masked)[1] + 1e-9 * np.diag(variances)
        return nearest_points(*whitened(view, differences), reverse=self.reverse)
