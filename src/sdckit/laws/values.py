"""Equal values in two files: codes that are the same for numbers that differ by a rounding error alone."""

import numpy as np
from numpy.typing import NDArray

from sdckit.laws.blocks import UNKNOWN, Floats, Indices

SAME = 1e-9  # of the larger value: two numbers that differ by less were computed alike


def equal_codes(known: NDArray[np.generic], released: NDArray[np.generic]) -> tuple[Indices, Indices]:
    """Codes that are the same for the same value in both columns; −1 where it is missing."""
    if known.dtype.kind != "f":
        return known.astype(np.int64), released.astype(np.int64)
    codes = near_codes(np.concatenate([known, released]).astype(float))
    return codes[: len(known)], codes[len(known) :]


def near_codes(values: Floats) -> Indices:
    """Codes by size, the same for numbers that differ by a rounding error; −1 where missing."""
    seen = ~np.isnan(values)
    codes = np.full(len(values), UNKNOWN, dtype=np.int64)
    if not seen.any():
        return codes
    order = np.argsort(values[seen], kind="stable")
    ordered = values[seen][order]
    apart = np.diff(ordered) > SAME * np.maximum(np.abs(ordered[:-1]), np.abs(ordered[1:]))
    own = np.empty(len(ordered), dtype=np.int64)
    own[order] = np.concatenate([[0], np.cumsum(apart)])
    codes[seen] = own
    return codes
