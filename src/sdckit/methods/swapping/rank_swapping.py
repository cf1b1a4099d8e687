"""Rank swapping: exchange values between records of similar rank."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.kernels.ranks import partners_in_window, swap_within_rank_window
from sdckit.kernels.sorted_positions import sorted_positions
from sdckit.masking import masking
from sdckit.methods.swapping.attribute_swapping import AttributeSwapping
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("rank-swapping", kind=Kind.ORDERED, reference="moore1996")
class RankSwapping(AttributeSwapping):
    r"""Swap each value with that of a record whose rank in the same attribute is near.

    Attributes are swapped independently: every univariate statistic survives exactly, correlations weaken as the window
    widens. An intruder who knows the window knows that no value moved further than it.

    Formula: $x'_{(i)} = x_{(j)}$ and $x'_{(j)} = x_{(i)}$,  $|i - j| \le p \cdot n$

    Use it when each attribute's distribution has to be unchanged and relations between attributes matter less; note
    that with many attributes a known window leaves an intruder few possible rows.
    """

    reads_a_part = True

    window: float = param(
        0.05, "widest rank gap, as a share of the records (the papers' p%)", low=0, high=1, grid=(0.02, 0.05, 0.1, 0.2)
    )

    def swapped(self, column: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
        return swap_within_rank_window(column, self.reach(len(column)), rng)

    def partners(self, records: int, rng: np.random.Generator) -> NDArray[np.int64]:
        return partners_in_window(records, self.reach(records), rng)

    def reach(self, records: int) -> int:
        """The widest rank gap in records; the tolerance keeps 0.29 · 100 at 29."""
        return int(self.window * records + 1e-9)

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        if self.reach(len(original)) > 0:
            return []
        return [f"a window of {self.window:g} is less than one of the {len(original)} records: nothing was swapped"]

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value can only have come from, or gone to, a rank at most `window` away; ties count whole."""
        if released is None or np.isinf(known.left_out):
            return None
        lower, upper = {}, {}
        for name in known.lower:
            column = released.matrix([name])[:, 0]
            ordered = np.sort(column[~np.isnan(column)])
            if len(ordered):
                lower[name], upper[name] = rank_window(
                    known.lower[name], known.upper[name], ordered, self.reach(len(ordered) + int(known.left_out))
                )
        return Candidates(known.records, lower, upper)


def rank_window(
    low: NDArray[np.float64], high: NDArray[np.float64], ordered: NDArray[np.float64], reach: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values at most `reach` ranks below the low ends and above the high ends, in a sorted column."""
    first = sorted_positions(ordered, low)[0] - reach
    last = sorted_positions(ordered, high)[1] - 1 + reach
    unknown = np.isneginf(low) & np.isposinf(high)
    top = len(ordered) - 1
    return (
        np.where(unknown, -np.inf, ordered[np.clip(first, 0, top)]),
        np.where(unknown, np.inf, ordered[np.clip(last, 0, top)]),
    )
