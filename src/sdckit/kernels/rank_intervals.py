"""Intervals of ranks around published values."""

import numpy as np
from numpy.typing import NDArray

ROUNDING = 1e-9  # a share of the ranks such as 0.29 is not a binary fraction


def share_inside_rank_intervals(
    original: NDArray[np.float64], masked: NDArray[np.float64], widths: NDArray[np.float64]
) -> NDArray[np.float64]:
    """For each record, the share of the widths at which its original value is in the interval around its masked one.

    An interval of width w reaches over the ranks that are at most w · n / 2 from the middle of the value's tie run, and
    over none that is farther; its ends are the masked values at the outermost of these ranks, and always include the
    published value itself. NaN where either value is missing.
    """
    seen = ~np.isnan(masked)
    ordered = np.sort(masked[seen])
    n = len(ordered)
    share = np.full(len(original), np.nan)
    both = seen & ~np.isnan(original)
    if n == 0 or not both.any():
        return share
    first = np.searchsorted(ordered, masked[both], side="left")
    last = np.searchsorted(ordered, masked[both], side="right") - 1
    middle = (first + last) / 2
    hits = np.zeros(int(both.sum()))
    for width in widths:
        reach = width * n / 2 + ROUNDING
        low = np.minimum(np.maximum(np.ceil(middle - reach), 0), last).astype(np.int64)
        high = np.maximum(np.minimum(np.floor(middle + reach), n - 1), first).astype(np.int64)
        hits += (original[both] >= ordered[low]) & (original[both] <= ordered[high])
    share[both] = hits / len(widths)
    return share
