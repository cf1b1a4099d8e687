"""MDAV for numbers, ordered and unordered categories, and missing values (Domingo-Ferrer & Torra 2005)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_order import select_smallest
from sdckit.kernels.partitions import require_enough_records

UNASSIGNED = -1


def mixed_mdav(
    numeric: NDArray[np.float64],
    ordinal: NDArray[np.int64],
    levels: NDArray[np.int64],
    nominal: NDArray[np.int64],
    group_size: int,
) -> NDArray[np.int64]:
    """Group as MDAV does, with a distance summed over the attributes and an average record as the centroid.

    The distance of numbers, already standardised, is the squared difference; of ordered categories, the squared
    difference of codes as a share of `levels - 1`; of unordered ones, 0 if equal and else 1. The average record takes
    means, lower medians and modes (ties to the first category). NaN and the code -1 are missing: an attribute that
    one of two records misses is left out of their distance, which is rescaled to all attributes; records that share
    none come last, whether the nearest or the farthest are sought. Each of the three tables has one row per record.
    """
    require_enough_records(len(numeric), group_size)
    steps = np.maximum(levels - 1, 1)
    ordered = np.where(ordinal >= 0, ordinal / steps, np.nan)
    return _mixed_mdav(np.hstack([numeric, ordered]), numeric.shape[1], np.ascontiguousarray(nominal), group_size)


@njit(cache=True, nogil=True)
def _mixed_mdav(
    points: NDArray[np.float64], numbers: int, codes: NDArray[np.int64], group_size: int
) -> NDArray[np.int64]:
    """The points have `numbers` numeric columns, then the ordinal ones scaled to [0, 1]; codes are nominal."""
    labels = np.full(len(points), UNASSIGNED)
    remaining = np.arange(len(points))
    group = 0
    while len(remaining) >= 2 * group_size:
        mean, mode = _average_record(points, numbers, codes, remaining)
        pair = len(remaining) >= 3 * group_size
        extreme = _farthest(points, codes, remaining, mean, mode)
        remaining = _form_group(points, codes, labels, remaining, extreme, group_size, group)
        group += 1
        if pair:
            opposite = _farthest(points, codes, remaining, points[extreme], codes[extreme])
            remaining = _form_group(points, codes, labels, remaining, opposite, group_size, group)
            group += 1
    labels[remaining] = group
    return labels


@njit(cache=True, nogil=True)
def _average_record(
    points: NDArray[np.float64], numbers: int, codes: NDArray[np.int64], records: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    centre = np.full(points.shape[1], np.nan)
    for column in range(points.shape[1]):
        values = points[records, column]
        values = values[~np.isnan(values)]
        if len(values) > 0 and column < numbers:
            centre[column] = values.mean()
        elif len(values) > 0:
            centre[column] = _of_rank(values, (len(values) - 1) // 2)
    mode = np.full(codes.shape[1], -1)
    for column in range(codes.shape[1]):
        observed = codes[records, column]
        observed = observed[observed >= 0]
        if len(observed) > 0:
            mode[column] = np.argmax(np.bincount(observed))
    return centre, mode


@njit(cache=True, nogil=True)
def _of_rank(values: NDArray[np.float64], rank: int) -> float:
    """The value that has this many smaller ones before it in order; numba takes seconds to compile `np.partition`."""
    keys = values.copy()
    select_smallest(keys, np.arange(len(keys)), 0, len(keys), rank)
    return float(keys[rank])


@njit(cache=True, nogil=True)
def _distance_or(
    nothing_shared: float,
    point: NDArray[np.float64],
    code: NDArray[np.int64],
    other_point: NDArray[np.float64],
    other_code: NDArray[np.int64],
) -> float:
    total, shared = 0.0, 0
    for column in range(len(point)):
        gap = point[column] - other_point[column]
        if not np.isnan(gap):
            total += gap * gap
            shared += 1
    for column in range(len(code)):
        if code[column] >= 0 and other_code[column] >= 0:
            total += 1.0 if code[column] != other_code[column] else 0.0
            shared += 1
    return total * ((len(point) + len(code)) / shared) if shared else nothing_shared


@njit(cache=True, nogil=True)
def _farthest(
    points: NDArray[np.float64],
    codes: NDArray[np.int64],
    records: NDArray[np.int64],
    point: NDArray[np.float64],
    code: NDArray[np.int64],
) -> int:
    farthest, farthest_at = int(records[0]), -np.inf
    for record in records:
        distance = _distance_or(-1.0, points[record], codes[record], point, code)
        if distance > farthest_at:
            farthest, farthest_at = int(record), distance
    return farthest


@njit(cache=True, nogil=True)
def _form_group(
    points: NDArray[np.float64],
    codes: NDArray[np.int64],
    labels: NDArray[np.int64],
    records: NDArray[np.int64],
    seed: int,
    group_size: int,
    group: int,
) -> NDArray[np.int64]:
    """Label the seed and its nearest records; returns the others, in their order."""
    labels[seed] = group
    others = records[records != seed]
    distances = np.empty(len(others))
    for index, record in enumerate(others):
        distances[index] = _distance_or(np.inf, points[record], codes[record], points[seed], codes[seed])
    if group_size > 1:
        # the (k-1)-th smallest bounds the candidates: sorting these few is enough
        close = np.flatnonzero(distances <= _of_rank(distances, group_size - 2))
        nearest = close[np.argsort(distances[close], kind="mergesort")[: group_size - 1]]
        labels[others[nearest]] = group
    rest: NDArray[np.int64] = others[labels[others] == UNASSIGNED]
    return rest
