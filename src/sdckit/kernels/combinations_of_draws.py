"""Linear combinations of draws, term by term: the last digits of a matrix product depend on the number of rows."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Floats = NDArray[np.float64]

ROWS_AT_ONCE = 1 << 7  # whose draws stay in the nearest cache


def add_combinations(weights: Floats, draws: Floats, values: Floats, *, compiled: bool) -> Floats:
    """The values, and added to the row of each record the combinations of its draws: one for each line of weights.

    The terms of a combination are added up in their order, beginning with 0; compiled code gives the same bits.

    >>> draws, values = np.array([[1.0, 3.0], [10.0, 20.0]]), np.array([[100.0], [200.0]])
    >>> add_combinations(np.array([[1.0, 2.0]]), draws, values, compiled=False).tolist()
    [[107.0], [250.0]]
    """
    out = np.empty(values.shape, order="F")
    if compiled:
        _add(np.ascontiguousarray(weights), draws, np.asfortranarray(values), out)
        return out
    lines = np.ascontiguousarray(draws.T)
    total, term = np.empty(len(draws)), np.empty(len(draws))
    for column, own in enumerate(weights):
        total[:] = 0.0
        for weight, numbers in zip(own, lines, strict=True):
            total += np.multiply(weight, numbers, out=term)
        np.add(values[:, column], total, out=out[:, column])
    return out


@njit(cache=True)
def _add(weights: Floats, draws: Floats, values: Floats, out: Floats) -> None:
    """Four terms at a time, so that the sums are read and written less often than the draws."""
    count = draws.shape[1]
    lines, totals = np.zeros((count + 3, ROWS_AT_ONCE)), np.empty(ROWS_AT_ONCE)
    for start in range(0, len(draws), ROWS_AT_ONCE):
        some = draws[start : start + ROWS_AT_ONCE]
        rows = len(some)
        for index in range(count):
            line = lines[index]
            for row in range(rows):
                line[row] = some[row, index]
        for column in range(len(weights)):
            own = weights[column]
            total = totals[:rows]
            total[:] = 0.0
            whole = count - count % 4
            for index in range(0, whole, 4):
                a, b, c, d = lines[index], lines[index + 1], lines[index + 2], lines[index + 3]
                for row in range(rows):
                    total[row] = (
                        total[row]
                        + own[index] * a[row]
                        + own[index + 1] * b[row]
                        + own[index + 2] * c[row]
                        + own[index + 3] * d[row]
                    )
            for index in range(whole, count):
                a = lines[index]
                for row in range(rows):
                    total[row] += own[index] * a[row]
            before, after = values[start : start + rows, column], out[start : start + rows, column]
            for row in range(rows):
                after[row] = before[row] + total[row]
