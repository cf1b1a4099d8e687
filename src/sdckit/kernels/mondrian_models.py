"""Mondrian under any anonymity model: the same cuts, each part judged by the models."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Judge = Callable[[NDArray[np.int64]], bool]


def groups_by_cuts(points: NDArray[np.float64], smallest: int, valid: Judge, *, strict: bool) -> NDArray[np.int64]:
    """The group of each record; -1 for every record if not even the whole file is a valid group.

    `points` are scaled to the range of the file, and a missing value lies below all others. A part is cut at the
    median of its widest attribute at which both sides are valid; strict cuts keep equal values together.
    """
    labels = np.full(len(points), -1, dtype=np.int64)
    everybody = np.arange(len(points))
    if not valid(everybody):
        return labels
    waiting, groups = [everybody], 0
    while waiting:
        rows = waiting.pop()
        rows, cut = _cut(points, rows, valid, strict) if len(rows) >= 2 * smallest else (rows, 0)
        if cut:
            waiting += [rows[cut:], rows[:cut]]
        else:
            labels[rows] = groups
            groups += 1
    return labels


def _cut(
    points: NDArray[np.float64], rows: NDArray[np.int64], valid: Judge, strict: bool
) -> tuple[NDArray[np.int64], int]:
    """The rows in order of the attribute that is cut, and how many lie below the cut; 0 where there is none."""
    width = np.ptp(points[rows], axis=0)
    for dimension in np.argsort(-width, kind="mergesort"):
        if width[dimension] <= 0:
            break
        rows = rows[np.argsort(points[rows, dimension], kind="mergesort")]
        column, middle = points[rows, dimension], len(rows) // 2
        before, after = middle, middle
        if strict:
            before = int(np.searchsorted(column, column[middle], side="left"))
            after = int(np.searchsorted(column, column[middle], side="right"))
        near, far = (after, before) if middle - before > after - middle else (before, after)
        for tried in (near, far):
            if 0 < tried < len(rows) and valid(rows[:tried]) and valid(rows[tried:]):
                return rows, tried
    return rows, 0
