"""IL1s: how far the values moved, in standard deviations."""

import numpy as np

from sdckit.intruder import Intruder
from sdckit.kernels.standardisation import mean_and_deviation
from sdckit.loss.statistics.mean_variation import by_column, mean_of, removed_counts_whole, with_values
from sdckit.measure import Measure, Need, Score, loss
from sdckit.microdata import Kind
from sdckit.release import Release


@loss("il1s", headline=5, sees=Kind.ORDERED, reference="yancey2002", needs={Need.ROWS})
class Il1s(Measure):
    r"""Mean distance of the values from their masked ones, in √2 standard deviations of the original attribute.

    Unlike IL1 it is not dominated by values near zero. Constant attributes are skipped and counted. Some programs print
    the sum over all cells instead of the mean.

    Formula: $\mathrm{IL1s} = \frac{1}{n p} \sum_{i, j} \frac{|x_{ij} - x'_{ij}|}{\sqrt{2} \cdot S_j}$,  $S_j$ the
    standard deviation of $x_j$

    Use it when analysts work with single records, and values may be zero or of either sign.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release)
        before, after = release.pairs(names)
        complete = len(before) == len(release.original)
        deviation = mean_and_deviation(before if complete else release.original.matrix(names))[1]
        scale = np.where(deviation > 0, np.sqrt(2) * deviation, np.nan)
        moved = removed_counts_whole(np.abs(before - after) / scale, before, after)
        moved[:, deviation == 0] = np.nan
        return Score(
            mean_of(moved, before, after),
            by_attribute=by_column(moved, names),
            baseline=0.0,
            details={"constant_attributes": int((deviation == 0).sum())},
        )
