"""Correlation-structure loss: how far the attributes' dependence on each other moved."""

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.moments import with_variances
from sdckit.kernels.pairwise_correlations import pairwise_correlations
from sdckit.loss.statistics.mean_variation import with_values
from sdckit.measure import Measure, Score, loss
from sdckit.release import Release

SLIGHT = 1e-6  # of each variance is added, so that attributes that add up to another leave the matrix an inverse


@loss("correlation-structure-loss", reference="mlodak2020")
class CorrelationStructureLoss(Measure):
    r"""Distance between the diagonals of the two files' inverse correlation matrices, each scaled to length 1 (γ).

    The diagonal of the inverse shows how much of each attribute the others explain together. The figure lies between 0
    and 1; it does not show a change that affects all attributes equally, so it needs at least three.

    Formula: $\gamma = \frac{1}{\sqrt{2}} \lVert \frac{d}{\lVert d \rVert} - \frac{d'}{\lVert d' \rVert} \rVert$,  $d_j
    = (R^{-1})_{jj}$, $R$ the correlation matrix

    Use it when attributes explain each other, as in regressions on several of them, and a bounded figure is needed.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release)
        if len(names) < 3:
            raise NotApplicableError(
                "two attributes explain each other equally; the measure needs at least three ordered ones"
            )
        before, after = _direction(release.original.matrix(names)), _direction(release.masked.matrix(names))
        gap = np.abs(before - after)
        return Score(
            float(np.sqrt((gap**2).sum() / 2)),
            by_attribute=dict(zip(names, (gap / np.sqrt(2)).tolist(), strict=True)),
            baseline=0.0,
        )


def _direction(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The diagonal of the inverse correlation matrix, of length 1."""
    found = pairwise_correlations(values)
    matrix = with_variances(found, np.full(len(found), 1.0 + SLIGHT))
    eigenvalues, vectors = np.linalg.eigh(matrix)
    diagonal = (vectors**2 / np.maximum(eigenvalues, SLIGHT)).sum(axis=1)
    return np.asarray(diagonal / np.linalg.norm(diagonal))
