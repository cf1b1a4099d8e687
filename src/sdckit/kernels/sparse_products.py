"""Inner products of pairs of lines of two sparse matrices, without their whole product."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit


@njit(cache=True)
def pair_products(
    starts: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[np.float64],
    other_starts: NDArray[np.int64],
    other_columns: NDArray[np.int64],
    other_values: NDArray[np.float64],
    lines: NDArray[np.int64],
    other_lines: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Σ of the products of equal columns of a line and a line of the other matrix, for each pair.

    Both are in compressed sparse rows, the columns of each line in ascending order.
    """
    out = np.zeros(len(lines))
    for pair in range(len(lines)):
        at, end = starts[lines[pair]], starts[lines[pair] + 1]
        other, last = other_starts[other_lines[pair]], other_starts[other_lines[pair] + 1]
        total = 0.0
        while at < end and other < last:
            if columns[at] < other_columns[other]:
                at += 1
            elif columns[at] > other_columns[other]:
                other += 1
            else:
                total += values[at] * other_values[other]
                at += 1
                other += 1
        out[pair] = total
    return out
