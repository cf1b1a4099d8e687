"""IL4: how far the variances moved."""

from collections.abc import Sequence

import numpy as np

from sdckit.intruder import Intruder
from sdckit.kernels.moments import Moments, means_and_covariances
from sdckit.loss.statistics.mean_variation import by_column, mean_of, variation, with_values
from sdckit.measure import Measure, Score, loss
from sdckit.parameters import param
from sdckit.release import Release


@loss("il4", reference="domingo2001")
class Il4(Measure):
    r"""Mean variation of the variances, over the ordered attributes.

    For microaggregation by group means this is exactly SSE / SST on standardised attributes. Constant attributes are
    skipped and counted.

    Formula: $\mathrm{IL4} = \frac{1}{p} \sum_j \frac{|v_j - v'_j|}{v_j}$,  $v_j = \mathrm{Var}(x_j)$

    Use it when variability matters: inequality, standard errors, tests.
    """

    cap: float = param(np.inf, "largest variation counted for one statistic; 1 gives the bounded form", low=0)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release)
        before, after = (means_and_covariances(file.matrix(names)) for file in (release.original, release.masked))
        return self.of_moments(names, before, after)

    def of_moments(self, names: Sequence[str], original: Moments, masked: Moments) -> Score:
        """The score by the means and covariances of both files."""
        before, after = np.diag(original[1]), np.diag(masked[1])
        ratio, zeros = variation(before, after, self.cap)
        return Score(
            mean_of(ratio, before, after),
            by_attribute=by_column(ratio[None, :], names),
            baseline=0.0,
            details={"zeros_skipped": zeros},
        )
