"""The law of normal noise."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.moments import means_and_covariances

LEAST_VARIANCE = 1e-12  # of an attribute's own: an undisturbed attribute decides, but not by rounding


@dataclass(frozen=True, eq=False)
class NormalLaw:
    """X′ = c + s (X − c) + ε with ε normal; `whiten` brings differences to unit covariance."""

    whiten: NDArray[np.float64]
    centre: NDArray[np.float64]
    shrink: float = 1.0

    @classmethod
    def of_share(
        cls, released: NDArray[np.float64], share: float, *, correlated: bool, shrink: float = 1.0
    ) -> "NormalLaw":
        """Noise of which the release has share / (1 + share) in its covariances, about its means shrunk or not."""
        means, covariances = means_and_covariances(released)
        noise = covariances * share / (1 + share)
        if not correlated:
            noise = np.diag(np.diag(noise))
        spread = np.maximum(np.diag(covariances), 1e-300)
        values, vectors = np.linalg.eigh(noise + LEAST_VARIANCE * np.diag(spread))
        return cls(vectors / np.sqrt(np.maximum(values, 1e-300)), means, shrink)

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        a, b = ((each - self.centre) @ self.whiten for each in (known, released))
        a = a * self.shrink
        squared = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None, :] - 2 * a @ b.T
        likelihood: NDArray[np.float64] = -0.5 * np.maximum(squared, 0.0)
        return likelihood
