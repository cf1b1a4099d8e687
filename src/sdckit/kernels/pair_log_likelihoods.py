"""Log-likelihoods of listed pairs of a record and a row by one block: no array is made but the result.

The values are those of the same definitions in numpy, to the last bit.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import COMPILED_SOON, njit, spared

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

PAIR = 10  # squared differences in the time in which numpy evaluates one pair
LOADED = 500  # pairs from which on compiled code is faster where it is ready
FEW = 8  # dimensions from which on numpy adds in another order
UNKNOWN = -1  # the code of a record that says nothing


def by_compiled_code(kernel: Callable[..., Floats], pairs: int) -> bool:
    """Whether so many pairs are evaluated faster by a kernel, with the time to compile it where it is not ready."""
    return pairs >= LOADED and not spared(kernel, PAIR * pairs, COMPILED_SOON)


@njit(cache=True, nogil=True)
def of_equality(records: Indices, rows: Indices, of_record: Indices, of_row: Indices, unequal: Floats) -> Floats:
    """0 where the codes are equal or nothing is known, else what the row has for another code."""
    values = np.zeros(len(records))
    for pair in range(len(records)):
        code, row = of_record[records[pair]], rows[pair]
        if code != UNKNOWN and code != of_row[row]:
            values[pair] = unequal[row]
    return values


@njit(cache=True, nogil=True)
def of_table(records: Indices, rows: Indices, of_record: Indices, of_row: Indices, entries: Floats) -> Floats:
    """The entry in the line of the record and the column of the row; 0 where nothing is known."""
    values = np.zeros(len(records))
    for pair in range(len(records)):
        line = of_record[records[pair]]
        if line != UNKNOWN:
            values[pair] = entries[line, of_row[rows[pair]]]
    return values


@njit(cache=True, nogil=True)
def of_deviations(records: Indices, rows: Indices, of_record: Floats, of_row: Floats, hole: float) -> Floats:
    """Minus half the squared distance; a value that the row misses and the record has adds `hole`."""
    values = np.empty(len(records))
    for pair in range(len(records)):
        record, row = records[pair], rows[pair]
        total = 0.0
        for index in range(of_record.shape[1]):
            gap = of_record[record, index] - of_row[row, index]
            if gap == gap:
                total += -0.5 * (gap * gap)
            elif of_row[row, index] != of_row[row, index] and of_record[record, index] == of_record[record, index]:
                total += hole
        values[pair] = total
    return values
