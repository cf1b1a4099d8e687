"""The Choquet integral: a mean that weights sets of attributes, so that attributes may interact."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.row_blocks import over_row_blocks

BLOCK = 65_536  # rows given to a core at a time: one takes some tens of nanoseconds


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
def sort_descending(row: NDArray[np.float64], values: NDArray[np.float64], order: NDArray[np.int64]) -> bool:
    """Fill the values of a row in descending order and their attributes; returns whether none is missing."""
    for j in range(len(row)):
        x = row[j]
        if x != x:
            return False
        position = j
        while position > 0 and values[position - 1] < x:
            values[position] = values[position - 1]
            order[position] = order[position - 1]
            position -= 1
        values[position] = x
        order[position] = j
    return True


@njit(cache=True, nogil=True)
def _choquet(
    rows: NDArray[np.float64],
    measure: NDArray[np.float64],
    start: int,
    stop: int,
    integral: NDArray[np.float64],
) -> None:
    d = rows.shape[1]
    values, order = np.empty(d + 1), np.empty(d + 1, np.int64)
    for k in range(start, stop):
        if not sort_descending(rows[k], values, order):
            integral[k] = np.nan
            continue
        values[d] = 0.0
        members, total = 0, 0.0
        for t in range(d):
            members |= 1 << order[t]
            total += (values[t] - values[t + 1]) * measure[members]
        integral[k] = total
