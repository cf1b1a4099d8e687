"""MDAV: groups of fixed size, formed from the outside inwards (Domingo-Ferrer & Torra 2005)."""

import math

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.mdav_by_scans import mdav_by_scans, operations
from sdckit.kernels.mixed_mdav import mixed_mdav
from sdckit.kernels.partitions import require_enough_records
from sdckit.kernels.shrinking_set import (
    ShrinkingSet,
    nearest,
    nearest_and_farthest,
    remove,
    shrinking_set,
    squared_distance,
    tighten,
)
from sdckit.kernels.sorting import sort_with_items

UNASSIGNED = -1
REBUILD_BELOW = 0.6  # share of a set still present when its boxes are rebuilt, so that searches stay quick
TIGHTEN_BELOW = 0.95  # share of the members still present when the boxes are fitted to them
SORT_COST = 20  # distances that are computed as quickly as one radius is sorted


def mdav(points: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """Group the record farthest from the centroid with its nearest records, then the record farthest from that one.

    The points are already standardised. While 3k records remain, two groups of k are formed; the rest makes one or two
    groups, the last of k to 2k-1 records. Ties go to the lowest record. The centroid is the correctly rounded sum over
    the count. A missing coordinate (NaN) is left out of a distance, which is rescaled to all coordinates.
    """
    require_enough_records(len(points), group_size)
    if group_size == 1:
        return np.arange(len(points))
    if np.isnan(points).any():
        no_categories = np.empty((len(points), 0), dtype=np.int64)
        return mixed_mdav(points, no_categories, np.empty(0, dtype=np.int64), no_categories, group_size)
    records, attributes = points.shape
    if spared(_mdav, operations(records, attributes, group_size)):
        return scanned_mdav(points, group_size)
    return _mdav(np.ascontiguousarray(points), group_size)


def scanned_mdav(points: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """The same groups without the compiler."""
    columns = np.ascontiguousarray(points.T)
    total = np.array([math.fsum(column) for column in columns])
    residue = np.array([math.fsum([*column, -sum_]) for column, sum_ in zip(columns, total, strict=True)])
    inside = np.ones(len(points), dtype=np.bool_)

    def centroid(records: NDArray[np.int64]) -> NDArray[np.float64]:
        nonlocal total, residue, inside
        here = np.zeros(len(points), dtype=np.bool_)
        here[records] = True
        for gone in points[inside & ~here]:
            total, residue = _less(total, residue, gone)
        inside = here
        return total / len(records)

    def distances(records: NDArray[np.int64], query: NDArray[np.float64], nothing_shared: float) -> NDArray[np.float64]:
        total = np.zeros(len(records))
        for column, here in zip(columns, query, strict=True):
            gap = column[records] - here
            total += gap * gap
        return total

    return mdav_by_scans(len(points), group_size, centroid, points.__getitem__, distances)


def _less(
    total: NDArray[np.float64], residue: NDArray[np.float64], point: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """As `_add` with the sign -1, of all coordinates at once."""
    rounded = total - point
    part = rounded - total
    low = residue + ((total - (rounded - part)) - (point + part))
    total = rounded + low
    return total, low - (total - rounded)


@njit(cache=True, nogil=True)
def _mdav(points: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    count, dimensions = points.shape
    labels = np.full(count, UNASSIGNED)
    remaining = np.arange(count)
    left = count
    members = shrinking_set(points, remaining)
    tightened = left
    total, residue = np.zeros(dimensions), np.zeros(dimensions)
    for record in range(count):
        _add(total, residue, points[record], 1.0)
    anchor, outward, radius = total, remaining, np.zeros(0)
    measured = np.inf
    group = 0
    while left >= 2 * group_size:
        if left < REBUILD_BELOW * len(remaining):
            remaining = _unassigned(remaining, labels)
            members = shrinking_set(points, remaining)
            tightened = left
        elif left < TIGHTEN_BELOW * tightened:
            tighten(members)
            tightened = left
        centroid = np.empty(dimensions)
        for axis in range(dimensions):
            centroid[axis] = total[axis] / left
        if measured > SORT_COST * left:
            anchor = centroid
            outward, radius = _outward(points, _unassigned(outward, labels), anchor)
            measured = 0.0
        extreme, tried = _farthest_from_centroid(points, labels, centroid, anchor, outward, radius)
        measured += tried

        remove(members, extreme)
        companions, opposite = nearest_and_farthest(members, points[extreme], group_size - 1)
        _assign(extreme, companions, group, points, labels, members, total, residue)
        group += 1
        left -= group_size
        if left < 2 * group_size:
            break
        if labels[opposite] != UNASSIGNED:  # all others are equally far: take the lowest of those that remain
            _, opposite = nearest_and_farthest(members, points[extreme], 0)
        remove(members, opposite)
        companions = nearest(members, points[opposite], group_size - 1)
        _assign(opposite, companions, group, points, labels, members, total, residue)
        group += 1
        left -= group_size
    for record in range(count):
        if labels[record] == UNASSIGNED:
            labels[record] = group
    return labels


@njit(cache=True, nogil=True)
def _unassigned(records: NDArray[np.int64], labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Those of the records that have no group yet, in their order."""
    left, count = np.empty(len(records), np.int64), 0
    for record in records:
        if labels[record] == UNASSIGNED:
            left[count] = record
            count += 1
    return left[:count]


@njit(cache=True, nogil=True)
def _assign(
    seed: int,
    companions: NDArray[np.int64],
    group: int,
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    members: ShrinkingSet,
    total: NDArray[np.float64],
    residue: NDArray[np.float64],
) -> None:
    labels[seed] = group
    _add(total, residue, points[seed], -1.0)
    for record in companions:
        remove(members, record)
        labels[record] = group
        _add(total, residue, points[record], -1.0)


@njit(cache=True, nogil=True)
def _add(total: NDArray[np.float64], residue: NDArray[np.float64], point: NDArray[np.float64], sign: float) -> None:
    """Add a point to a sum in twice the precision, so that no rounding error builds up as records leave."""
    for axis in range(len(total)):
        value = sign * point[axis]
        rounded = total[axis] + value
        part = rounded - total[axis]
        low = residue[axis] + ((total[axis] - (rounded - part)) + (value - part))
        total[axis] = rounded + low
        residue[axis] = low - (total[axis] - rounded)


@njit(cache=True, nogil=True)
def _outward(
    points: NDArray[np.float64], records: NDArray[np.int64], anchor: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The records, sorted in place by descending distance from the anchor, and these distances."""
    radius = np.empty(len(records))
    for index, record in enumerate(records):
        radius[index] = -np.sqrt(squared_distance(points[record], anchor))
    sort_with_items(radius, records)
    for index in range(len(radius)):
        radius[index] = -radius[index]
    return records, radius


@njit(cache=True, nogil=True)
def _farthest_from_centroid(
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    centroid: NDArray[np.float64],
    anchor: NDArray[np.float64],
    outward: NDArray[np.int64],
    radius: NDArray[np.float64],
) -> tuple[int, int]:
    """The farthest unassigned record, and the number of records compared: few while the centroid is near the anchor.

    By the triangle inequality no record is farther from the centroid than its radius plus the shift of the centroid.
    """
    moved = np.sqrt(squared_distance(centroid, anchor))
    farthest, farthest_at, measured = UNASSIGNED, -1.0, 0
    for index, record in enumerate(outward):
        if (radius[index] + moved) ** 2 < farthest_at * (1 - 1e-12):
            break
        measured += 1
        if labels[record] != UNASSIGNED:
            continue
        distance = squared_distance(points[record], centroid)
        if distance > farthest_at or (distance == farthest_at and record < farthest):
            farthest, farthest_at = record, distance
    return farthest, measured
