"""Products with tall matrices, many records by few columns, computed for blocks of records.

A block stays in the processor's cache and is too small for BLAS to start threads, which on tall matrices spend more
time waiting for each other than multiplying.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MULTIPLICATIONS = 1 << 15  # of a block, which stays in the cache
NARROWEST = (
    4  # columns that a product is taken to have at least: BLAS starts threads earlier for vectors, which is no faster
)
WIDE = 1 << 10  # products of the numbers of columns from which on threads are faster


def inner_products(left: Floats, right: Floats) -> Floats:
    """The products of each column of one tall matrix with each of another: leftᵀ right."""
    size = _block(len(left), left.shape[1], right.shape[1])
    whole = len(left) - len(left) % size
    if not whole or whole == size == len(left):
        return np.asarray(left.T @ right, dtype=np.float64)
    blocks = _blocks(left[:whole], size).transpose(0, 2, 1) @ _blocks(right[:whole], size)
    return np.asarray(blocks.sum(axis=0) + left[whole:].T @ right[whole:], dtype=np.float64)


def tall_product(tall: Floats, small: Floats) -> Floats:
    """A tall matrix times a small one."""
    size = _block(len(tall), tall.shape[1], small.shape[1])
    whole = len(tall) - len(tall) % size
    if not whole or whole == size == len(tall):
        return np.asarray(tall @ small, dtype=np.float64)
    out = np.empty((len(tall), small.shape[1]))
    np.matmul(_blocks(tall[:whole], size), small, out=_blocks(out[:whole], size))
    np.matmul(tall[whole:], small, out=out[whole:])
    return out


def _block(records: int, left: int, right: int) -> int:
    """The number of records of a block."""
    columns = max(left, NARROWEST) * max(right, NARROWEST)
    return max(records, 1) if columns >= WIDE else max(MULTIPLICATIONS // columns, 1)


def _blocks(matrix: Floats, size: int) -> Floats:
    """A view of a matrix as blocks of records."""
    record, column = matrix.strides
    shape = (len(matrix) // size, size, matrix.shape[1])
    return np.lib.stride_tricks.as_strided(matrix, shape, (record * size, record, column))
