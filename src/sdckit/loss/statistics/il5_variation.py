"""IL5 as mean variation: how far the correlations moved, relative to themselves."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.pairwise_correlations import pairwise_correlations
from sdckit.loss.statistics.mean_variation import mean_of, variation, with_values
from sdckit.measure import Measure, Score, loss
from sdckit.parameters import param
from sdckit.release import Release


@loss("il5-variation", reference="nin2008")
class Il5Variation(Measure):
    r"""Mean variation of the correlations, over all pairs of ordered attributes.

    Correlations of 0 are skipped and counted; near-zero ones can dominate the figure, which IL5 avoids.

    Formula: mean over $j < l$ of $\frac{|r_{jl} - r'_{jl}|}{|r_{jl}|}$,  $r_{jl} = \mathrm{Cor}(x_j, x_l)$

    Use it when figures are to be compared with papers that treat correlations as they do means and variances.
    """

    cap: float = param(np.inf, "largest variation counted for one correlation; 1 gives the bounded form", low=0)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release)
        if len(names) < 2:
            raise NotApplicableError("correlations need at least two ordered attributes")
        files = (release.original, release.masked)
        return self.of_correlations(names, *(pairwise_correlations(file.matrix(names)) for file in files))

    def of_correlations(self, names: Sequence[str], before: NDArray[np.float64], after: NDArray[np.float64]) -> Score:
        """The score by the correlations of both files."""
        above, scale = np.triu_indices(len(names), 1), 1.0
        ratio, zeros = variation(before[above], after[above], self.cap, scale)
        return Score(mean_of(ratio, before[above], after[above], scale), baseline=0.0, details={"zeros_skipped": zeros})
