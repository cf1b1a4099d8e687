"""Top coding: publish one value for everything above a limit."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.masking import masking
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param
from sdckit.row_masking import ObservedValues, RowMasking

FEWEST_CODED = 3  # values with a mean of their own: that of one is the value, that of two shows each to the other


@masking("top-coding", kind=Kind.ORDERED, reference="hundepool2012")
class TopCoding(RowMasking):
    r"""Replace the largest values of each attribute by a limit, or by their mean.

    The limit is the value that `share` of the records exceed, or `limit` if that is lower. All values up to it are
    unchanged, so only the extremes, which are the easiest to recognise, are protected. With the mean of the coded
    values the total is kept; where fewer than three values are coded, the limit is published instead. A missing value
    stays missing.

    Formula: $x' = \begin{cases} x & \text{if } x \le t \\ t & \text{otherwise} \end{cases}$,  $t = \min(\text{limit},
    Q_{1 - s})$,  instead of $t$ also the mean of all $x > t$

    Use it when a few extreme values are recognisable, such as very high ages or incomes.
    """

    columnwise = True
    reads_a_part = True

    share: float = param(
        0.05, "share of the largest values to code; 0 leaves it to `limit`", low=0, high=1, grid=(0.01, 0.05, 0.1)
    )
    limit: float = param(np.inf, "highest value to publish, in the attribute's unit")
    tail_mean: bool = param(False, "publish the mean of the coded values instead of the limit")

    def summary(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The threshold of each column, and the value published for everything above it."""
        return np.array([self.threshold_and_code(column) for column in values.T]).T + 0.0  # −0 is published as 0

    def summary_of(self, observed: ObservedValues) -> NDArray[np.float64]:
        threshold = min(self.limit, observed.order_statistic(self.values_kept(len(observed)) - 1))
        coded, mean = observed.tail(threshold) if self.tail_mean else (0, threshold)
        return np.array([[threshold], [mean if coded >= FEWEST_CODED else threshold]]) + 0.0

    def mask_rows(self, values: NDArray[np.float64], summary: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        threshold, code = summary
        return np.where(values > threshold, code, values)

    def threshold_and_code(self, column: NDArray[np.float64]) -> tuple[float, float]:
        """The highest value of a column that stays, and what is published instead of the values above it."""
        threshold = min(self.limit, float(np.sort(column)[self.values_kept(len(column)) - 1]))
        tail = column > threshold
        enough = self.tail_mean and np.count_nonzero(tail) >= FEWEST_CODED
        return threshold, float(column[tail].mean()) if enough else threshold

    def values_kept(self, records: int) -> int:
        """How many of the smallest values the share leaves uncoded."""
        return max(int(np.ceil((1 - self.share) * records - 1e-9)), 1)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value below the highest published one is unchanged; every other became the highest."""
        if released is None:
            return None
        return top_coded(known, {name: released.matrix([name])[:, 0] for name in known.lower})

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """A value is unchanged or became the limit; an intruder who knows the whole column knows which."""
        ends = {name: self.coded_ends(low, known.upper[name], known) for name, low in known.lower.items()}
        lower, upper = ({name: pair[side] for name, pair in ends.items()} for side in (0, 1))
        return Candidates(known.records, lower, upper)

    def coded_ends(
        self, low: NDArray[np.float64], high: NDArray[np.float64], known: Candidates
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Intervals that contain what each value from a low to a high end became.

        The limit grows with the values of the column, so the low ends give the least limit and the high ends the
        greatest. Where records or values are not known, it may be any up to the declared limit.
        """
        least = self.limit if self.share == 0 else -np.inf
        greatest, largest = self.limit, np.inf
        if known.complete and np.isfinite(low).all() and np.isfinite(high).all() and len(low):
            least, greatest = self.threshold_and_code(low)[0], self.threshold_and_code(high)[0]
            largest = float(high.max())
            if self.tail_mean and np.array_equal(low, high):
                masked = np.where(low > least, self.threshold_and_code(low)[1], low)
                return masked, masked
        coded = np.maximum(high, largest) if self.tail_mean else np.minimum(high, greatest)
        unknown = np.isneginf(low) & np.isposinf(high)
        return (
            np.where(unknown, -np.inf, np.minimum(low, least)),
            np.where(unknown, np.inf, np.where(high <= least, high, coded)),
        )


def top_coded(known: Candidates, columns: Mapping[str, NDArray[np.float64]]) -> Candidates:
    """What was below the highest value of a released column is unchanged; every other value became the highest."""
    lower, upper = {}, {}
    for name, column in columns.items():
        levels = np.unique(column[~np.isnan(column)])
        if not len(levels):
            continue
        top, second = levels[-1], levels[-2] if len(levels) > 1 else -np.inf
        lower[name] = np.where(known.lower[name] > second, top, known.lower[name])
        upper[name] = np.where(known.upper[name] > second, top, known.upper[name])
        unknown = np.isneginf(known.lower[name]) & np.isposinf(known.upper[name])
        lower[name][unknown], upper[name][unknown] = -np.inf, np.inf
    return Candidates(known.records, lower, upper)
