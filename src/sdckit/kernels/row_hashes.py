"""Hashes of rows: each value is mixed with a salt of its column, and the hashes of a row are added up."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Words = NDArray[np.uint64]

MULTIPLIERS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))  # odd, so that no bit is lost
FIRST_SHIFT, LAST_SHIFT = np.uint64(31), np.uint64(29)
COMPILED = 100_000  # rows from which on compiled code is faster, with the time to load it
BLOCK = 1 << 12  # rows at a time: they stay in the processor's cache


def add_hashes(values: Words, salts: Words, hashes: Words) -> None:
    """Add the hashes of a column to those of the rows, of which there are as many as salts."""
    if len(values) >= COMPILED:
        _added(values, salts, hashes)
        return
    for start in range(0, len(values), BLOCK):
        rows = slice(start, start + BLOCK)
        for lane, (salt, multiplier) in enumerate(zip(salts, MULTIPLIERS, strict=True)):
            mixed = (values[rows] ^ salt) * multiplier
            mixed = (mixed ^ (mixed >> FIRST_SHIFT)) * MULTIPLIERS[1]
            hashes[rows, lane] += mixed ^ (mixed >> LAST_SHIFT)


@njit(cache=True)
def _added(values: Words, salts: Words, hashes: Words) -> None:
    for row in range(len(values)):
        for lane in range(len(salts)):
            mixed = (values[row] ^ salts[lane]) * MULTIPLIERS[lane]
            mixed = (mixed ^ (mixed >> FIRST_SHIFT)) * MULTIPLIERS[1]
            hashes[row, lane] += mixed ^ (mixed >> LAST_SHIFT)
