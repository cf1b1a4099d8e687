"""The Sugeno integral: the largest t such that the attributes with a value of at least t weigh at least t."""

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.choquet import BLOCK, SORTED, check_width, sort_rows
from sdckit.kernels.compiled import njit
from sdckit.kernels.row_blocks import over_row_blocks


def sugeno_integral(values: NDArray[np.float64], measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """max_i min(μ{the i largest}, x_(i)), values in descending order.

    Values are only compared with weights, so both must be on one scale: a value outside 0..1 is a ValueError. Where the
    weights limit the result, many records get the same integral. A row with a missing value has none.
    """
    if values.size and (np.nanmin(values) < 0 or np.nanmax(values) > 1):
        raise ValueError("the Sugeno integral compares values with weights: bring the values into 0..1 first")
    values, measure = np.ascontiguousarray(values, dtype=np.float64), np.ascontiguousarray(measure, dtype=np.float64)
    check_width(values, measure)
    integral = np.empty(len(values))
    over_row_blocks(len(values), lambda start, stop: _sugeno(values, measure, start, stop, integral), BLOCK)
    return integral


@njit(cache=True, nogil=True)
def _sugeno(
    rows: NDArray[np.float64],
    measure: NDArray[np.float64],
    start: int,
    stop: int,
    integral: NDArray[np.float64],
) -> None:
    d = rows.shape[1]
    values, members = np.empty((d, SORTED)), np.empty((d, SORTED), np.int64)
    for first in range(start, stop, SORTED):
        last = min(first + SORTED, stop)
        sort_rows(rows, first, last, values, members)
        for r in range(last - first):
            best, largest, total = -np.inf, 0, 0.0
            for t in range(d):
                largest |= members[t, r]
                best = max(best, min(measure[largest], values[t, r]))
                total += values[t, r]
            integral[first + r] = best if total == total else np.nan
