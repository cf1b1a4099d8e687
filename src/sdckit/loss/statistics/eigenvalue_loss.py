"""Eigenvalue loss: how far the principal components' variances moved."""

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.moments import means_and_covariances
from sdckit.kernels.standardisation import mean_and_deviation
from sdckit.loss.statistics.mean_variation import ROUNDING, mean_of, variation, with_values
from sdckit.measure import Measure, Score, loss
from sdckit.parameters import param
from sdckit.release import Release

NEGLIGIBLE = 1e-6  # a component with a smaller share of the largest one's variance is rounding error


@loss("eigenvalue-loss", reference="templ2015")
class EigenvalueLoss(Measure):
    r"""Mean variation of the eigenvalues of the covariance matrix, on the scale of the original's standard deviations.

    The eigenvalues are the variances of the principal components. Components without variance in the original, as where
    attributes add up to another, are skipped and counted. Constant attributes are left out.

    Formula: mean over $j$ of $\frac{|\lambda_j - \lambda'_j|}{\lambda_j}$,  $\lambda_1 \ge \lambda_2 \ge \ldots$ the
    eigenvalues of $\mathrm{Cov}(x / S)$

    Use it when the file feeds principal components, factor models or other reductions of dimension.
    """

    cap: float = param(np.inf, "largest variation counted for one eigenvalue; 1 gives the bounded form", low=0)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release)
        original, masked = release.original.matrix(names), release.masked.matrix(names)
        deviation = mean_and_deviation(original)[1]
        varies = deviation > 0
        if not varies.any():
            raise NotApplicableError("no ordered attribute of the original varies")
        before, after = (_eigenvalues(file[:, varies] / deviation[varies]) for file in (original, masked))
        ratio, zeros = variation(before, after, self.cap, NEGLIGIBLE / ROUNDING * before[0])
        return Score(
            mean_of(ratio, before, after, before[0]),
            baseline=0.0,
            details={
                "eigenvalues_skipped": zeros,
                "largest_before": float(before[0]),
                "largest_after": float(after[0]),
            },
        )


def _eigenvalues(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the largest down; below 0, as pairwise missing values can leave them, counts as 0."""
    found = np.asarray(np.linalg.eigvalsh(means_and_covariances(values)[1]), dtype=np.float64)
    return np.maximum(found[::-1], 0.0)
