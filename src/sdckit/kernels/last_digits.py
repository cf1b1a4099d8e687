"""Last digits: what the written form of a number shows beside its size."""

import numpy as np
from numpy.typing import NDArray

FINEST = 6  # decimals that are looked at: an original with more has no heaped digits
ON_THE_GRID = 1e-6  # of a unit: a float that was rounded differs from a multiple of the unit by less


def observed_decimals(values: NDArray[np.float64]) -> int:
    """The decimals that all values need, at most six; missing values are left out.

    >>> observed_decimals(np.array([1.5, 2.25, np.nan])), observed_decimals(np.array([3.0, 40.0]))
    (2, 0)
    """
    seen = values[~np.isnan(values)]
    for decimals in range(FINEST):
        if _multiples(seen, decimals)[1].all():
            return decimals
    return FINEST


def last_digits(values: NDArray[np.float64], decimals: int) -> NDArray[np.int64]:
    """The digits after the point at these decimals, at least two digits; −1 where missing or written with more digits.

    >>> last_digits(np.array([1234.56, 1300.56, 7.125]), 2).tolist(), last_digits(np.array([1234.0]), 0).tolist()
    ([56, 56, -1], [34])
    """
    units, exact = _multiples(np.nan_to_num(values), decimals)
    whole = np.where(np.abs(units) < 2.0**62, units, 0.0).astype(np.int64)
    digits: NDArray[np.int64] = np.abs(whole) % 10 ** max(decimals, 2)
    full_precision = decimals == FINEST
    return np.where(np.isnan(values) | (~exact & (not full_precision)), -1, digits)


def _multiples(values: NDArray[np.float64], decimals: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The values in units of the last decimal, rounded, and whether each is a whole number of units."""
    units = values * 10.0**decimals
    rounded = np.rint(units)
    exact: NDArray[np.bool_] = np.abs(units - rounded) <= np.maximum(ON_THE_GRID, np.abs(units) * 1e-14)
    return rounded, exact
