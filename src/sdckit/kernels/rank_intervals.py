"""Intervals of ranks around published values."""

import numpy as np
from numpy.typing import NDArray


def share_inside_rank_intervals(
    original: NDArray[np.float64], masked: NDArray[np.float64], widths: NDArray[np.float64]
) -> NDArray[np.float64]:
    """For each record, the share of the widths at which its original value is in the interval around its masked one.

    An interval of width w spans w · n ranks of the masked column, half on each side of the middle of the value's tie
    run; its ends are the masked values at these ranks, clipped to the column. NaN where either value is missing.
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
        low = np.clip(np.floor(middle - width * n / 2), 0, n - 1).astype(np.int64)
        high = np.clip(np.ceil(middle + width * n / 2), 0, n - 1).astype(np.int64)
        hits += (original[both] >= ordered[low]) & (original[both] <= ordered[high])
    share[both] = hits / len(widths)
    return share
