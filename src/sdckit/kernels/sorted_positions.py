"""Positions in a sorted column: of many values, which is fast because these are sorted too, or of one in a kernel."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit


def sorted_positions(
    ordered: NDArray[np.float64], values: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many of the sorted values are below each value, and how many are not above it.

    >>> below, up_to = sorted_positions(np.array([1.0, 2.0, 2.0, 5.0]), np.array([2.0, 0.0, 9.0]))
    >>> below.tolist(), up_to.tolist()
    ([1, 0, 4], [3, 0, 4])
    """
    order = np.argsort(values)
    asked = values[order]
    below, up_to = np.empty(len(values), np.int64), np.empty(len(values), np.int64)
    below[order] = np.searchsorted(ordered, asked, "left")
    up_to[order] = np.searchsorted(ordered, asked, "right")
    return below, up_to


@njit(cache=True, nogil=True)
def first_from(ascending: NDArray[np.integer], start: int, stop: int, least: int) -> int:
    """The first position from `start` on whose number is not below the least; else `stop`."""
    while start < stop:
        middle = (start + stop) // 2
        if ascending[middle] < least:
            start = middle + 1
        else:
            stop = middle
    return start
