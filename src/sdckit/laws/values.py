"""Equal values in two files: codes that are the same for numbers that differ by a rounding error alone."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.distinct_values import distinct_values
from sdckit.laws.blocks import UNKNOWN, Floats, Indices

SAME = 1e-9  # of the larger value: two numbers that differ by less were computed alike


def equal_codes(known: NDArray[np.generic], released: NDArray[np.generic]) -> tuple[Indices, Indices]:
    """Codes that are the same for the same value in both columns; −1 where it is missing."""
    if known.dtype.kind != "f":
        return known.astype(np.int64), released.astype(np.int64)
    codes = near_codes(np.concatenate([known, released]).astype(float, copy=False))
    return codes[: len(known)].copy(), codes[len(known) :].copy()  # few known records must not keep all rows in memory


def near_codes(values: Floats) -> Indices:
    """Codes by size, the same for numbers that differ by a rounding error; −1 where missing."""
    seen = ~np.isnan(values)
    codes = np.full(len(values), UNKNOWN, dtype=np.int64)
    if not seen.any():
        return codes
    distinct, of = distinct_values(values if seen.all() else values[seen])
    apart = np.diff(distinct) > SAME * np.maximum(np.abs(distinct[:-1]), np.abs(distinct[1:]))
    codes[seen] = np.concatenate([[0], np.cumsum(apart)])[of]
    return codes
