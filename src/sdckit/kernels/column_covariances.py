"""Covariances of many records, from their columns: the bits of `means_and_covariances` in less memory and time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.moments import means_and_covariances

Floats = NDArray[np.float64]

COMPILED = 200_000  # numbers from which on compiled code is faster, with the time to load it
ROWS_AT_ONCE = 1 << 12  # of all columns: they stay in the processor's cache


def covariances_of_columns(columns: Sequence[Floats]) -> Floats:
    """Covariances (n − 1), each pair over the records that have both values.

    >>> covariances_of_columns([np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 8.0])]).tolist()
    [[1.0, 3.0], [3.0, 12.0]]
    """
    records = len(columns[0])
    if len(columns) > 1 and len(columns) * records >= COMPILED:  # numpy adds up a single column in another order
        centred = _centred(columns, records)
        if centred is not None:
            return np.asarray((centred.T @ centred) / max(records - 1, 1), dtype=np.float64)
    return means_and_covariances(np.column_stack(columns))[1]


def _centred(columns: Sequence[Floats], records: int) -> Floats | None:
    """The deviations from the means, None where a value is missing: for four columns at a time, the last repeated."""
    groups = [
        tuple(min(index, len(columns) - 1) for index in range(first, first + 4)) for first in range(0, len(columns), 4)
    ]
    anchors, sums = np.array([column[0] for column in columns]), np.empty(len(columns))
    for group in groups:
        a, b, c, d = (columns[index] for index in group)
        _write_sums(a, b, c, d, anchors, sums, np.array(group))
    if np.isnan(sums).any():
        return None
    offsets, centred = sums / records, np.empty((records, len(columns)))
    for start in range(0, records, ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        for group in groups:
            a, b, c, d = (columns[index][rows] for index in group)
            _write_deviations(a, b, c, d, anchors, offsets, np.array(group), centred[rows])
    return centred


@njit(cache=True)
def _write_sums(
    first: Floats, second: Floats, third: Floats, fourth: Floats, anchors: Floats, sums: Floats, of: NDArray[np.int64]
) -> None:
    """Write the sums of the distances from the first values."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    from_a, from_b, from_c, from_d = anchors[of[0]], anchors[of[1]], anchors[of[2]], anchors[of[3]]
    for row in range(len(first)):
        a += first[row] - from_a
        b += second[row] - from_b
        c += third[row] - from_c
        d += fourth[row] - from_d
    sums[of[0]], sums[of[1]], sums[of[2]], sums[of[3]] = a, b, c, d


@njit(cache=True)
def _write_deviations(
    first: Floats,
    second: Floats,
    third: Floats,
    fourth: Floats,
    anchors: Floats,
    offsets: Floats,
    of: NDArray[np.int64],
    centred: Floats,
) -> None:
    a, b, c, d = centred[:, of[0]], centred[:, of[1]], centred[:, of[2]], centred[:, of[3]]
    from_a, from_b, from_c, from_d = anchors[of[0]], anchors[of[1]], anchors[of[2]], anchors[of[3]]
    by_a, by_b, by_c, by_d = offsets[of[0]], offsets[of[1]], offsets[of[2]], offsets[of[3]]
    for row in range(len(first)):
        a[row] = (first[row] - from_a) - by_a
        b[row] = (second[row] - from_b) - by_b
        c[row] = (third[row] - from_c) - by_c
        d[row] = (fourth[row] - from_d) - by_d
