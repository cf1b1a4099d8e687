"""IL3: how far the covariances moved."""

from collections.abc import Sequence

import numpy as np

from sdckit.intruder import Intruder
from sdckit.kernels.moments import Moments, deviation_products, means_and_covariances
from sdckit.loss.statistics.mean_variation import mean_of, variation, with_values
from sdckit.measure import Measure, Score, loss
from sdckit.parameters import param
from sdckit.release import Release


@loss("il3", reference="domingo2001")
class Il3(Measure):
    r"""Mean variation of the covariances, over all pairs of ordered attributes.

    An attribute is a pair with itself, so variances count too. Covariances of 0 are skipped and counted; near-zero
    ones can dominate the figure.

    Formula: $\mathrm{IL3} = \text{mean over } j \le l \text{ of } \frac{|v_{jl} - v'_{jl}|}{|v_{jl}|}$,  $v_{jl} =
    \mathrm{Cov}(x_j, x_l)$

    Use it when regressions or factor models are fitted on the attributes' own scales.
    """

    cap: float = param(np.inf, "largest variation counted for one statistic; 1 gives the bounded form", low=0)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release)
        before, after = (means_and_covariances(file.matrix(names)) for file in (release.original, release.masked))
        return self.of_moments(names, before, after)

    def of_moments(self, names: Sequence[str], original: Moments, masked: Moments) -> Score:
        """The score by the means and covariances of both files."""
        upper = np.triu_indices(len(names))
        before, most = original[1][upper], deviation_products(original[1])[upper]
        after = masked[1][upper]
        ratio, zeros = variation(before, after, self.cap, scale=most)
        return Score(mean_of(ratio, before, after, scale=most), baseline=0.0, details={"zeros_skipped": zeros})
