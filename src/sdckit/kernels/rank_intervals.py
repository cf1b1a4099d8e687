"""Intervals of ranks around published values."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 13  # records at a time: their ranks stay in the processor's cache
ROUNDING = 1e-9  # a share of the ranks such as 0.29 is not a binary fraction


class Ranks(NamedTuple):
    """Where values stand among the sorted values of a column: `below` and `up_to` count the smaller and the not larger.

    `size` is the number of values of the column. Missing values have no rank: `seen` says which have one.
    """

    below: NDArray[np.int64]
    up_to: NDArray[np.int64]
    size: int
    seen: NDArray[np.bool_]

    def take(self, records: NDArray[np.int64] | slice) -> "Ranks":
        """The ranks of these records, in this order."""
        return Ranks(self.below[records], self.up_to[records], self.size, self.seen[records])


def ranks_of_both(original: NDArray[np.float64], masked: NDArray[np.float64]) -> tuple[Ranks, Ranks]:
    """The ranks of the original and of the masked values among the masked ones that are not missing."""
    seen = ~np.isnan(masked)
    order = np.argsort(masked)[: seen.sum()]  # missing values are last
    ordered = masked[order]
    n = len(ordered)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if n else np.empty(0, np.int64)
    ends = np.append(starts[1:], n)[: len(starts)]
    first, end = np.repeat(starts, ends - starts), np.repeat(ends, ends - starts)  # of the run of ties of each
    of_masked = Ranks(np.full(len(masked), n), np.full(len(masked), n), n, seen)
    of_masked.below[order], of_masked.up_to[order] = first, end

    turn = np.argsort(original)  # in turn, a search begins where the last one ended
    asked = original[turn]
    below = np.searchsorted(ordered, asked)
    up_to = below.copy()
    if n:
        ties = ordered[np.minimum(below, n - 1)] == asked
        up_to[ties] = end[below[ties]]
    of_original = Ranks(np.empty_like(below), np.empty_like(below), n, ~np.isnan(original))
    of_original.below[turn], of_original.up_to[turn] = below, up_to
    return of_original, of_masked


def share_inside_rank_intervals(
    original: NDArray[np.float64], masked: NDArray[np.float64], widths: NDArray[np.float64]
) -> NDArray[np.float64]:
    """For each record, the share of the widths at which its original value is in the interval around its masked one.

    An interval of width w reaches over the ranks that are at most w · n / 2 from the middle of the value's tie run, and
    over none that is farther; its ends are the masked values at the outermost of these ranks, and always include the
    published value itself. NaN where either value is missing.
    """
    return share_inside(*ranks_of_both(original, masked), widths)


def share_inside(original: Ranks, masked: Ranks, widths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shares of `share_inside_rank_intervals` where the ranks of both values are known.

    A value is not below the masked value at a rank if more values than that rank are not above it.
    """
    n = masked.size
    share = np.full(len(original.seen), np.nan)
    both = original.seen & masked.seen
    if n == 0 or not both.any():
        return share
    for start in range(0, len(share), BLOCK):
        rows = slice(start, start + BLOCK)
        hits = _hits(original.take(rows), masked.take(rows), widths * n / 2 + ROUNDING)
        np.divide(hits, len(widths), out=share[rows], where=both[rows])
    return share


def _hits(original: Ranks, masked: Ranks, reaches: NDArray[np.float64]) -> NDArray[np.int64]:
    """The number of reaches, in ranks, at which each original value is in the interval around its masked one."""
    first, last = masked.below, masked.up_to - 1
    middle = (first + last) / 2
    # The highest rank at which the interval may begin and the lowest at which it may end. Infinite: at any rank, as the
    # published value itself is far enough, or at none, as no masked value is.
    begins = np.where(original.up_to > 0, original.up_to - 1.0, -np.inf)
    begins[last < original.up_to] = np.inf
    ends = np.where(original.below < masked.size, original.below, np.inf)
    ends[first >= original.below] = -np.inf
    hits = np.zeros(len(middle), dtype=np.int64)
    for reach in reaches:
        hits += (middle - reach <= begins) & (middle + reach >= ends)
    return hits
