"""Inversions: pairs of records that two columns put in opposite order."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit


def count_inversions(one: NDArray[np.float64], other: NDArray[np.float64]) -> int:
    """The number of pairs that the two columns order differently; a tie in either column is not an inversion.

    With the records sorted by the first column, ties by the second, these are the inversions of the second column,
    counted by merge sort in O(n log n).
    """
    ordered = np.ascontiguousarray(np.asarray(other, dtype=np.float64)[np.lexsort((other, one))])
    return int(_inversions(ordered))


@njit(cache=True, nogil=True)
def _inversions(values: NDArray[np.float64]) -> int:
    """Pairs in which the earlier value is strictly larger."""
    n = len(values)
    here, there = values.copy(), np.empty(n)
    count, width = 0, 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            left, right = start, middle
            for position in range(start, end):
                if right >= end or (left < middle and here[left] <= here[right]):
                    there[position] = here[left]
                    left += 1
                else:
                    there[position] = here[right]
                    right += 1
                    count += middle - left
        here, there = there, here
        width *= 2
    return count
