"""IL1s: how far the values moved, in standard deviations."""

from math import fsum

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import Intruder
from sdckit.kernels.columns import deviation_of, sum_of_distances
from sdckit.loss.statistics.mean_variation import with_values
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
        deviation = [deviation_of(release.original.numbers(name)) for name in names]
        sums, counts, changed = [], [], False
        for (before, after), spread in zip(release.column_pairs(names), deviation, strict=True):
            total, count = _moved(before, after, np.sqrt(2) * spread) if spread > 0 else (0.0, 0)
            changed = changed or bool(spread == 0 and (np.nan_to_num(before) != np.nan_to_num(after)).any())
            sums.append(total)
            counts.append(count)
        compared = sum(counts)
        return Score(
            fsum(sums) / compared if compared else float(changed),
            by_attribute={n: s / c if c else 0.0 for n, s, c in zip(names, sums, counts, strict=True)},
            baseline=0.0,
            details={"constant_attributes": deviation.count(0.0)},
        )


def _moved(before: NDArray[np.float64], after: NDArray[np.float64], scale: float) -> tuple[float, int]:
    """The sum of the distances in units of `scale`, in which a removed value counts 1, and the number of values."""
    total = sum_of_distances(before, after)
    if not np.isnan(total):
        return total / scale, len(before)
    had, has = ~np.isnan(before), ~np.isnan(after)
    stayed = had & has
    total = sum_of_distances(before[stayed], after[stayed])
    return total / scale + int((had & ~has).sum()), int(had.sum())
