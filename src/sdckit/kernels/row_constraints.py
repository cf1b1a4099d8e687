"""Constraints on the released rows that a record can be: boxes and sets, prepared for the search of rows.

A box has an interval for each ordered attribute. By a set each released row has one class, and a record admits some of
the classes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Sets:
    """Row r has class `of_row[r]`; record i admits the classes `listed[starts[i] : starts[i + 1]]`, ascending."""

    of_row: NDArray[np.int64]
    starts: NDArray[np.int64]
    listed: NDArray[np.int64]


def present_values(values: NDArray[np.float64], missing_fits: NDArray[np.bool_] | None) -> NDArray[np.float64]:
    """The values with a missing one as one that only an unbounded interval contains, or else as NaN, which fits all."""
    fits = np.zeros(values.shape[1], dtype=bool) if missing_fits is None else missing_fits
    # Only an unbounded interval contains infinity; NaN is outside no interval.
    present: NDArray[np.float64] = np.where(np.isnan(values) & ~fits, np.inf, values)
    return present


def prepared(
    lower: NDArray[np.float64], upper: NDArray[np.float64], present: NDArray[np.float64], sets: list[Sets]
) -> tuple[Any, ...]:
    """The constraints as the kernels take them, with the window of each interval in the order of its attribute."""
    order = np.argsort(present, axis=0, kind="stable")
    first, last = _windows(lower, upper, np.take_along_axis(present, order, axis=0))
    missing = np.isnan(present).sum(axis=0)  # they are last in the order, and fit every record
    return (lower, upper, present, order, first, last, missing, *_flattened(sets, len(present)))


def _windows(
    lower: NDArray[np.float64], upper: NDArray[np.float64], sorted_values: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each interval starts and ends in its attribute's order."""
    first = np.zeros(lower.shape, np.int64)
    last = np.zeros(lower.shape, np.int64)
    for index in range(lower.shape[1]):
        first[:, index] = np.searchsorted(sorted_values[:, index], lower[:, index], side="left")
        last[:, index] = np.searchsorted(sorted_values[:, index], upper[:, index], side="right")
    return first, last


def _flattened(sets: list[Sets], rows: int) -> tuple[NDArray[np.int64], ...]:
    """The sets as plain arrays: classes by row, members by record, and the rows of each class, all with offsets."""
    of_row = np.array([each.of_row for each in sets], dtype=np.int64).reshape(len(sets), rows)
    starts = np.concatenate([each.starts for each in sets] or [np.zeros(1, np.int64)]).astype(np.int64)
    listed = np.concatenate([each.listed for each in sets] or [np.zeros(0, np.int64)]).astype(np.int64)
    listed_from = np.cumsum([0, *(len(each.listed) for each in sets)])
    classes = [int(max(each.of_row.max(initial=-1), each.listed.max(initial=-1))) + 1 for each in sets]
    row_order = np.argsort(of_row, axis=1, kind="stable")
    counts = [np.bincount(each.of_row, minlength=size) for each, size in zip(sets, classes, strict=True)]
    class_starts = np.concatenate([np.concatenate([[0], np.cumsum(count)]) for count in counts] or [np.zeros(1)])
    class_from = np.cumsum([0, *(size + 1 for size in classes)])
    return of_row, starts, listed, listed_from, row_order, class_starts.astype(np.int64), class_from
