"""Sorting inside a kernel: a merge sort that compiles in a fraction of the time of numba's own sorts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

RUN = 16  # values sorted by insertion before runs are merged, which is faster for so few


@njit(cache=True)
def sort_with_items(values: NDArray[Any], items: NDArray[np.int64]) -> None:
    """Sort the values in place, ascending, and the items with them; the items of equal values stay in their order."""
    count = len(values)
    for start in range(0, count, RUN):
        for index in range(start + 1, min(start + RUN, count)):
            value, item = values[index], items[index]
            before = index - 1
            while before >= start and values[before] > value:
                values[before + 1], items[before + 1] = values[before], items[before]
                before -= 1
            values[before + 1], items[before + 1] = value, item
    spare_values, spare_items = np.empty(count, values.dtype), np.empty(count, np.int64)
    width = RUN
    while width < count:
        for start in range(0, count - width, 2 * width):
            _merge(values, items, spare_values, spare_items, start, start + width, min(start + 2 * width, count))
        width *= 2


@njit(cache=True)
def _merge(
    values: NDArray[Any],
    items: NDArray[np.int64],
    spare_values: NDArray[Any],
    spare_items: NDArray[np.int64],
    start: int,
    middle: int,
    stop: int,
) -> None:
    """Merge two sorted neighbours: the left one is copied away, so that its room is free."""
    if values[middle - 1] <= values[middle]:
        return
    for index in range(start, middle):
        spare_values[index], spare_items[index] = values[index], items[index]
    left, right, into = start, middle, start
    while left < middle:
        if right < stop and values[right] < spare_values[left]:
            values[into], items[into] = values[right], items[right]
            right += 1
        else:
            values[into], items[into] = spare_values[left], spare_items[left]
            left += 1
        into += 1
