"""IL2: how far the means moved."""

from collections.abc import Sequence

import numpy as np

from sdckit.intruder import Intruder
from sdckit.kernels.moments import Moments, means_and_covariances
from sdckit.loss.statistics.mean_variation import by_column, mean_of, variation, with_values
from sdckit.measure import Measure, Score, loss
from sdckit.parameters import param
from sdckit.release import Release


@loss("il2", reference="domingo2001")
class Il2(Measure):
    r"""Mean variation of the means, over the ordered attributes.

    Attributes whose mean is 0 are skipped and counted.

    Formula: $\mathrm{IL2} = \frac{1}{p} \sum_j \frac{|\bar{x}_j - \bar{x}'_j|}{|\bar{x}_j|}$

    Use it when averages and totals are what is published from the file.
    """

    cap: float = param(np.inf, "largest variation counted for one statistic; 1 gives the bounded form", low=0)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release)
        before, after = (means_and_covariances(file.matrix(names)) for file in (release.original, release.masked))
        return self.of_moments(names, before, after)

    def of_moments(self, names: Sequence[str], original: Moments, masked: Moments) -> Score:
        """The score by the means and covariances of both files."""
        before, covariances = original
        after, _ = masked
        deviation = np.sqrt(np.diag(covariances))
        ratio, zeros = variation(before, after, self.cap, scale=deviation)
        return Score(
            mean_of(ratio, before, after, scale=deviation),
            by_attribute=by_column(ratio[None, :], names),
            baseline=0.0,
            details={"zeros_skipped": zeros},
        )
