"""The Choquet integral: a mean that weights sets of attributes, so that attributes may interact."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.row_blocks import over_row_blocks

BLOCK = 65_536  # rows given to a core at a time: one takes some tens of nanoseconds
SORTED = 256  # rows sorted at a time: their values fit into the fastest memory


def choquet_integral(values: NDArray[np.float64], measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """Σ_t (x_(t) − x_(t+1)) · μ{the t largest}, values in descending order and 0 after the last.

    With an additive measure it is the weighted mean, with a symmetric one an OWA. For negative values it is the
    asymmetric integral. A row with a missing value has none.
    """
    values, measure = np.ascontiguousarray(values, dtype=np.float64), np.ascontiguousarray(measure, dtype=np.float64)
    check_width(values, measure)
    integral = np.empty(len(values))
    over_row_blocks(len(values), lambda start, stop: _choquet(values, measure, start, stop, integral), BLOCK)
    return integral


def check_width(values: NDArray[np.float64], measure: NDArray[np.float64]) -> None:
    """Refuse a measure on another number of attributes than the values have."""
    if len(measure) != 1 << values.shape[1]:
        raise ValueError(
            f"a measure on {values.shape[1]} attributes has {1 << values.shape[1]} weights, not {len(measure)}"
        )


@njit(cache=True, nogil=True)
def sort_rows(
    rows: NDArray[np.float64], start: int, stop: int, values: NDArray[np.float64], members: NDArray[np.int64]
) -> None:
    """Fill the values of some rows in descending order, a column per row, and a bit for the attribute of each.

    Neighbours are exchanged for all rows at a time, without a branch, so that the loop is vectorised.
    """
    d, count = rows.shape[1], stop - start
    for j in range(d):
        for r in range(count):
            values[j, r] = rows[start + r, j]
            members[j, r] = 1 << j
    for i in range(1, d):
        for j in range(i, 0, -1):
            above, below = values[j - 1], values[j]
            set_above, set_below = members[j - 1], members[j]
            for r in range(count):
                x, y, one, other = above[r], below[r], set_above[r], set_below[r]
                exchange = y > x
                above[r] = y if exchange else x
                below[r] = x if exchange else y
                set_above[r] = other if exchange else one
                set_below[r] = one if exchange else other


@njit(cache=True, nogil=True)
def _choquet(
    rows: NDArray[np.float64],
    measure: NDArray[np.float64],
    start: int,
    stop: int,
    integral: NDArray[np.float64],
) -> None:
    d = rows.shape[1]
    values, members = np.zeros((d + 1, SORTED)), np.empty((d + 1, SORTED), np.int64)
    for first in range(start, stop, SORTED):
        last = min(first + SORTED, stop)
        sort_rows(rows, first, last, values, members)
        for r in range(last - first):
            total, largest = 0.0, 0
            for t in range(d):
                largest |= members[t, r]
                total += (values[t, r] - values[t + 1, r]) * measure[largest]
            integral[first + r] = total
