"""The law of normal noise."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.moments import means_and_covariances

LEAST_VARIANCE = 1e-12  # of an attribute's own: an undisturbed attribute decides, but not by rounding


@dataclass(frozen=True, eq=False)
class NormalLaw:
    """X′ = X + ε with ε normal; `whiten` brings differences to unit covariance."""

    whiten: NDArray[np.float64]

    @classmethod
    def of_share(cls, released: NDArray[np.float64], share: float, *, correlated: bool) -> "NormalLaw":
        """Noise of a share of the original's covariances, which the release shows (1 + share) times too large."""
        covariances = means_and_covariances(released)[1]
        noise = covariances * share / (1 + share)
        if not correlated:
            noise = np.diag(np.diag(noise))
        spread = np.maximum(np.diag(covariances), 1e-300)
        values, vectors = np.linalg.eigh(noise + LEAST_VARIANCE * np.diag(spread))
        return cls(vectors / np.sqrt(np.maximum(values, 1e-300)))

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        a, b = known @ self.whiten, released @ self.whiten
        squared = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None, :] - 2 * a @ b.T
        likelihood: NDArray[np.float64] = -0.5 * np.maximum(squared, 0.0)
        return likelihood
