"""The stable sorting order of a column, at little more than the cost of sorting its values."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.sorting import sort_with_items

LONG_RUN = 32  # records beyond which a merge sort is faster than insertion
SORTED = 60  # differences squared and added up by numpy in the time in which it sorts one value


def stable_order(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The records by ascending value, equal values by ascending record; the values are finite.

    A value and its record are packed into one integer, the leading bits of the value in front: sorting these gives
    nearly the stable order. Runs of values that agree in the leading bits are then sorted exactly.
    """
    if len(values) < 2:
        return np.arange(len(values))
    if spared(_unpack, len(values) * SORTED):
        return np.argsort(values, kind="stable")
    record_bits = int(len(values) - 1).bit_length()
    packed = _pack(values, values.min(), record_bits)
    packed.sort()
    return _unpack(packed, values, record_bits)


@njit(cache=True, nogil=True)
def _pack(values: NDArray[np.float64], smallest: float, record_bits: int) -> NDArray[np.uint64]:
    """Pack differences from the smallest value: a common level takes no bits, and floats >= 0 sort as their bits."""
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
    for index in range(1, len(order) + 1):
        if index < len(order) and (packed[index] ^ packed[index - 1]) <= mask:
            continue
        if index - start > 1:
            _sort_run(order[start:index], values)
        start = index
    return order


@njit(cache=True, nogil=True)
def _sort_run(run: NDArray[np.int64], values: NDArray[np.float64]) -> None:
    """Sort a run of records, which is in ascending order of records, by value."""
    if len(run) > LONG_RUN:
        of_run = np.empty(len(run))
        for index in range(len(run)):
            of_run[index] = values[run[index]]
        sort_with_items(of_run, run)
        return
    for index in range(1, len(run)):
        record = run[index]
        value = values[record]
        before = index - 1
        while before >= 0 and values[run[before]] > value:
            run[before + 1] = run[before]
            before -= 1
        run[before + 1] = record
