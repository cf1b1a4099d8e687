"""The stable sorting order of a column, at little more than the price of sorting its values."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

LONG_RUN = 32  # records that insertion would take too long to bring in order


def stable_order(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The records by rising value, equal values by rising record; the values are finite.

    A value and its record are packed in one integer, the leading bits of the value in front: a plain sort of these
    is all but the order wanted. Values that agree in the leading bits are then put right.
    """
    if len(values) < 2:
        return np.arange(len(values))
    record_bits = int(len(values) - 1).bit_length()
    packed = _pack(values, values.min(), record_bits)
    packed.sort()
    return _unpack(packed, values, record_bits)


@njit(cache=True, nogil=True)
def _pack(values: NDArray[np.float64], smallest: float, record_bits: int) -> NDArray[np.uint64]:
    """Above the smallest value, so that a level common to all takes no bits; floats >= 0 sort as their bits do."""
    above = np.empty(len(values))
    for record in range(len(values)):
        above[record] = (values[record] - smallest) + 0.0  # never -0.0, which has the sign bit set
    packed = above.view(np.uint64)
    mask = (np.uint64(1) << np.uint64(record_bits)) - np.uint64(1)
    for record in range(len(values)):
        # the sign bit is free: one bit more for the value
        packed[record] = ((packed[record] << np.uint64(1)) & ~mask) | np.uint64(record)
    return packed


@njit(cache=True, nogil=True)
def _unpack(packed: NDArray[np.uint64], values: NDArray[np.float64], record_bits: int) -> NDArray[np.int64]:
    mask = (np.uint64(1) << np.uint64(record_bits)) - np.uint64(1)
    order = (packed & mask).view(np.int64)
    start = 0
    for place in range(1, len(order) + 1):
        if place < len(order) and (packed[place] ^ packed[place - 1]) <= mask:
            continue
        if place - start > 1:
            _put_right(order[start:place], values)
        start = place
    return order


@njit(cache=True, nogil=True)
def _put_right(run: NDArray[np.int64], values: NDArray[np.float64]) -> None:
    """Sort a run of records, given by rising record, by value."""
    if len(run) > LONG_RUN:
        run[:] = run[np.argsort(values[run], kind="mergesort")]
        return
    for place in range(1, len(run)):
        record = run[place]
        value = values[record]
        before = place - 1
        while before >= 0 and values[run[before]] > value:
            run[before + 1] = run[before]
            before -= 1
        run[before + 1] = record
