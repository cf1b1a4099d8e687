"""Intersections of a small file by all pairs of records and rows, in numpy: nothing is compiled."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.row_constraints import Sets

PAIRS = 1 << 20  # of records and rows at a time


def sizes_of_few(
    lower: NDArray[np.float64], upper: NDArray[np.float64], present: NDArray[np.float64], sets: list[Sets]
) -> NDArray[np.int64]:
    """How many rows the constraints of each record admit; values are as `present_values` has them."""
    sizes = [inside.sum(axis=1) for inside in _admitted(lower, upper, present, sets)]
    return np.concatenate([np.empty(0, np.int64), *sizes])


def rows_of_few(
    lower: NDArray[np.float64], upper: NDArray[np.float64], present: NDArray[np.float64], sets: list[Sets]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows that the constraints of each record admit, ascending; where each record's begin."""
    sizes, rows = [np.zeros(1, np.int64)], [np.empty(0, np.int64)]
    for inside in _admitted(lower, upper, present, sets):
        sizes.append(inside.sum(axis=1))
        rows.append(np.nonzero(inside)[1])
    return np.cumsum(np.concatenate(sizes)), np.concatenate(rows)


def _admitted(
    lower: NDArray[np.float64], upper: NDArray[np.float64], present: NDArray[np.float64], sets: list[Sets]
) -> Iterator[NDArray[np.bool_]]:
    """Whether each record admits each row, for some records after the others."""
    step = max(PAIRS // max(len(present), 1), 1)
    columns = np.ascontiguousarray(present.T)
    for begin in range(0, len(lower), step):
        records = slice(begin, begin + step)
        low, high = lower[records], upper[records]
        outside = np.zeros((len(low), len(present)), dtype=np.bool_)
        for index, column in enumerate(columns):  # a missing value is outside no interval
            outside |= column < low[:, index, None]
            outside |= column > high[:, index, None]
        for each in sets:
            outside |= _not_listed(each, begin, begin + len(low))[:, each.of_row]
        yield ~outside


def _not_listed(sets: Sets, begin: int, end: int) -> NDArray[np.bool_]:
    """Whether a record does not admit a class, for the records from `begin` to `end`."""
    classes = int(max(sets.of_row.max(initial=-1), sets.listed.max(initial=-1))) + 1
    without = np.ones((end - begin, classes), dtype=np.bool_)
    sizes = np.diff(sets.starts[begin : end + 1])
    without[np.repeat(np.arange(end - begin), sizes), sets.listed[sets.starts[begin] : sets.starts[end]]] = False
    return without
