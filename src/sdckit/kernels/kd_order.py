"""The kd-order: an order of records in which neighbours in the order are near each other in space."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import inside_small, njit

DEPTH = 128  # parts waiting to be halved that there is memory for: one more for each halving
FEW = 20_000  # coordinates
JUDGED = 64  # points of a part that show which coordinate is the widest, where that need not be exact


def _few(points: NDArray[np.float64], leaf_size: int) -> bool:
    """Whether Python orders the points sooner than the compiler is imported."""
    return points.size <= FEW


@njit(small=_few, cache=True, nogil=True)
def kd_order(points: NDArray[np.float64], leaf_size: int) -> NDArray[np.int64]:
    """Order the points by halving them at the median of their widest coordinate, down to leaves.

    Each split leaves a multiple of `leaf_size` on its left, so leaf number l is exactly the records
    `order[l * leaf_size : (l + 1) * leaf_size]` (the last one may be smaller).
    """
    return _halved(points, leaf_size, len(points))


@njit(small=inside_small, cache=True, nogil=True)
def quick_kd_order(points: NDArray[np.float64], leaf_size: int) -> NDArray[np.int64]:
    """As `kd_order`, in half of the time: which coordinate is the widest is judged by some of the points of a part."""
    return _halved(points, leaf_size, JUDGED)


@njit(small=inside_small, cache=True, nogil=True)
def _halved(points: NDArray[np.float64], leaf_size: int, judged: int) -> NDArray[np.int64]:
    count, _ = points.shape
    order = np.arange(count)
    key = np.empty(count, np.float64)
    starts, stops = np.empty(DEPTH, np.int64), np.empty(DEPTH, np.int64)
    starts[0], stops[0] = 0, count
    pending = 1
    while pending > 0:
        pending -= 1
        start, stop = starts[pending], stops[pending]
        if stop - start <= leaf_size:
            continue
        axis = _widest(points, order, start, stop, max(1, (stop - start) // judged))
        for position in range(start, stop):
            key[position] = points[order[position], axis]
        leaves = (stop - start + leaf_size - 1) // leaf_size
        middle = start + (leaves + 1) // 2 * leaf_size
        select_smallest(key, order, start, stop, middle)
        starts[pending], stops[pending] = start, middle
        starts[pending + 1], stops[pending + 1] = middle, stop
        pending += 2
    return order


@njit(small=inside_small, cache=True, nogil=True)
def _widest(points: NDArray[np.float64], order: NDArray[np.int64], start: int, stop: int, step: int) -> int:
    """The widest coordinate of every `step`-th point of a part."""
    dimensions = points.shape[1]
    low, high = np.full(dimensions, np.inf), np.full(dimensions, -np.inf)
    for position in range(start, stop, step):
        record = order[position]
        for axis in range(dimensions):
            value = points[record, axis]
            low[axis] = min(low[axis], value)
            high[axis] = max(high[axis], value)
    widest = 0
    for axis in range(1, dimensions):
        if high[axis] - low[axis] > high[widest] - low[widest]:
            widest = axis
    return widest


@njit(small=inside_small, cache=True, nogil=True)
def select_smallest(key: NDArray[np.float64], order: NDArray[np.int64], start: int, stop: int, middle: int) -> None:
    """Quickselect: bring the smallest keys, with their records, before `middle`, and the next larger one there."""
    left, right = start, stop - 1
    while left < right:
        pivot = _median_of_three(key[left], key[(left + right) // 2], key[right])
        i, j = left, right
        while i <= j:
            while key[i] < pivot:
                i += 1
            while key[j] > pivot:
                j -= 1
            if i <= j:
                key[i], key[j] = key[j], key[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            return


@njit(small=inside_small, cache=True, nogil=True)
def _median_of_three(a: float, b: float, c: float) -> float:
    return max(min(a, b), min(max(a, b), c))
