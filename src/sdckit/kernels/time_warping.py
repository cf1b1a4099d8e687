"""Dynamic time warping: the cheapest alignment of two sequences."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

BOTH, FIRST, SECOND = 0, 1, 2  # which of the two sequences the last step advanced


@njit(cache=True)
def time_warping(one: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each element of one sequence, the first and the last element of the other that it is aligned with.

    The alignment goes from the first pair to the last, each step forward in one or both sequences, and costs |a − b| at
    each pair.
    """
    n, m = len(one), len(other)
    steps = np.empty((n, m), np.uint8)
    cost = np.empty(m)
    for i in range(n):
        diagonal = 0.0
        for j in range(m):
            above = cost[j] if i else np.inf
            before = cost[j - 1] if j else np.inf
            if i == 0 and j == 0:
                best, step = 0.0, BOTH
            else:
                best, step = (diagonal if i and j else np.inf), BOTH
                if above < best:
                    best, step = above, FIRST
                if before < best:
                    best, step = before, SECOND
            diagonal = above
            cost[j] = best + abs(one[i] - other[j])
            steps[i, j] = step
    first, last = np.full(n, m), np.full(n, -1)
    i, j = n - 1, m - 1
    while i >= 0 and j >= 0:
        first[i], last[i] = min(first[i], j), max(last[i], j)
        step = steps[i, j]
        if i == 0 and j == 0:
            break
        if step != SECOND:
            i -= 1
        if step != FIRST:
            j -= 1
    return first, last
