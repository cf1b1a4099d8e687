"""Sums over one column, block by block: what is computed of a block stays in the cache of the processor."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

BLOCK = 16_384  # values: two blocks of numbers fit into a cache of 256 KB
ROUNDING = 1e-6  # a deviation this small relative to the mean may be the rounding of sums


def deviation_of(column: NDArray[np.float64]) -> float:
    """The standard deviation (n − 1) over the observed values; 0 where they are equal or there are none."""
    total = column.sum()
    if np.isnan(total):
        column = column[~np.isnan(column)]
        total = column.sum()
    if not len(column):
        return 0.0
    mean = total / len(column)
    squares = 0.0
    for block in _blocks(len(column)):
        gap = column[block] - mean
        squares += float(np.multiply(gap, gap, out=gap).sum())  # a product of BLAS starts threads, which costs more
    deviation = float(np.sqrt(squares / max(len(column) - 1, 1)))
    # The mean of equal values may differ from them by rounding: only the range shows that a column is constant.
    if deviation <= ROUNDING * abs(mean) and column.min() == column.max():
        return 0.0
    return deviation


def sum_of_distances(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The sum of |xᵢ − yᵢ|; NaN where a value is missing."""
    total = 0.0
    for block in _blocks(len(one)):
        gap = one[block] - other[block]
        total += float(np.abs(gap, out=gap).sum())
    return total


def _blocks(count: int) -> Iterator[slice]:
    return (slice(start, start + BLOCK) for start in range(0, count, BLOCK))
