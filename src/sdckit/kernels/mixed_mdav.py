"""MDAV for numbers, ordered and unordered categories, and missing values (Domingo-Ferrer & Torra 2005)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.kd_order import select_smallest
from sdckit.kernels.mdav_by_scans import mdav_by_scans, operations
from sdckit.kernels.partitions import require_enough_records
from sdckit.kernels.sorting import sort_with_items

UNASSIGNED = -1
SLOWER = 3  # how many times as long a scan takes as one of numbers alone
Row = tuple[NDArray[np.float64], NDArray[np.int64]]  # numbers and scaled ordered codes, and unordered codes


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
    points, codes = np.hstack([numeric, ordered]), np.ascontiguousarray(nominal)
    passes = SLOWER * operations(len(points), points.shape[1] + codes.shape[1], group_size)
    scanned = spared(_mixed_mdav, passes)
    return (scanned_mixed_mdav if scanned else _mixed_mdav)(points, numeric.shape[1], codes, group_size)


def scanned_mixed_mdav(
    points: NDArray[np.float64], numbers: int, codes: NDArray[np.int64], group_size: int
) -> NDArray[np.int64]:
    """The same groups without the compiler: for each average and distance, the same sums in the same order."""
    attributes = points.shape[1] + codes.shape[1]

    def average(records: NDArray[np.int64]) -> Row:
        mean, mode = np.full(points.shape[1], np.nan), np.full(codes.shape[1], -1)
        for column, values in enumerate(points[records].T):
            observed = values[~np.isnan(values)]
            if len(observed) and column < numbers:
                mean[column] = np.cumsum(observed)[-1] / len(observed)
            elif len(observed):
                mean[column] = np.sort(observed)[(len(observed) - 1) // 2]
        for column, values in enumerate(codes[records].T):
            frequency = np.bincount(values[values >= 0])
            mode[column] = np.argmax(frequency) if len(frequency) else -1
        return mean, mode

    def distances(records: NDArray[np.int64], row: Row, nothing_shared: float) -> NDArray[np.float64]:
        total, shared = np.zeros(len(records)), np.zeros(len(records), np.int64)
        for values, value in zip(points[records].T, row[0], strict=True):
            gap = values - value
            observed = ~np.isnan(gap)
            total += np.where(observed, gap * gap, 0.0)
            shared += observed
        for values, value in zip(codes[records].T, row[1], strict=True):
            total += (values != value) & (values >= 0) & (value >= 0)
            shared += (values >= 0) & (value >= 0)
        rescaled = total * (attributes / np.maximum(shared, 1))
        return np.where(shared > 0, rescaled, nothing_shared)

    return mdav_by_scans(len(points), group_size, average, lambda record: (points[record], codes[record]), distances)


# Plain loops below: each of numba's functions of whole arrays (bincount, argsort, masks) takes long to compile.


@njit(cache=True, nogil=True)
def _mixed_mdav(
    points: NDArray[np.float64], numbers: int, codes: NDArray[np.int64], group_size: int
) -> NDArray[np.int64]:
    """The points have `numbers` numeric columns, then the ordinal ones scaled to [0, 1]; codes are nominal."""
    records = len(points)
    labels, remaining = np.empty(records, np.int64), np.empty(records, np.int64)
    for record in range(records):
        labels[record], remaining[record] = UNASSIGNED, record
    mean, mode = np.empty(points.shape[1]), np.empty(codes.shape[1], np.int64)
    left, group = records, 0
    while left >= 2 * group_size:
        _average_record(points, numbers, codes, remaining[:left], mean, mode)
        pair = left >= 3 * group_size
        extreme = _farthest(points, codes, remaining[:left], mean, mode)
        left = _form_group(points, codes, labels, remaining[:left], extreme, group_size, group)
        group += 1
        if pair:
            opposite = _farthest(points, codes, remaining[:left], points[extreme], codes[extreme])
            left = _form_group(points, codes, labels, remaining[:left], opposite, group_size, group)
            group += 1
    for index in range(left):
        labels[remaining[index]] = group
    return labels


@njit(cache=True, nogil=True)
def _average_record(
    points: NDArray[np.float64],
    numbers: int,
    codes: NDArray[np.int64],
    records: NDArray[np.int64],
    mean: NDArray[np.float64],
    mode: NDArray[np.int64],
) -> None:
    """Write the means, lower medians and modes of some records; NaN and -1 where nothing is observed."""
    values = np.empty(len(records))
    for column in range(points.shape[1]):
        observed, total = 0, 0.0
        for record in records:
            value = points[record, column]
            if value == value:
                values[observed] = value
                total += value
                observed += 1
        mean[column] = np.nan
        if observed > 0:
            mean[column] = total / observed if column < numbers else _of_rank(values[:observed], (observed - 1) // 2)
    for column in range(codes.shape[1]):
        mode[column] = _most_frequent(codes[:, column], records)


@njit(cache=True, nogil=True)
def _most_frequent(codes: NDArray[np.int64], records: NDArray[np.int64]) -> int:
    """The code that most of the records have, the lowest of several; -1 where all are missing."""
    highest = -1
    for record in records:
        highest = max(highest, codes[record])
    frequency = np.zeros(highest + 1, np.int64)
    for record in records:
        if codes[record] >= 0:
            frequency[codes[record]] += 1
    mode = -1
    for code in range(highest + 1):
        if frequency[code] > 0 and (mode < 0 or frequency[code] > frequency[mode]):
            mode = code
    return mode


@njit(cache=True, nogil=True)
def _of_rank(values: NDArray[np.float64], rank: int) -> float:
    """The value that has this many smaller ones before it in order; the values are put into another order."""
    items = np.empty(len(values), np.int64)
    for index in range(len(values)):
        items[index] = index
    select_smallest(values, items, 0, len(values), rank)
    return float(values[rank])


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
        distance = _distance_or(-np.inf, points[record], codes[record], point, code)
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
) -> int:
    """Label the seed and its nearest records; the others move to the front, in their order, and are counted."""
    labels[seed] = group
    others = 0
    for record in records:
        if record != seed:
            records[others] = record
            others += 1
    distances, near = np.empty(others), np.empty(others, np.int64)
    for index in range(others):
        record = records[index]
        distances[index] = _distance_or(np.inf, points[record], codes[record], points[seed], codes[seed])
    if group_size > 1:
        # the (k-1)-th smallest bounds the candidates: sorting these few is enough
        bound, close = _of_rank(distances.copy(), group_size - 2), 0
        for index in range(others):
            if distances[index] <= bound:
                distances[close], near[close] = distances[index], records[index]
                close += 1
        sort_with_items(distances[:close], near[:close])
        for index in range(group_size - 1):
            labels[near[index]] = group
    left = 0
    for index in range(others):
        if labels[records[index]] == UNASSIGNED:
            records[left] = records[index]
            left += 1
    return left
