"""Intersections: the released rows that every constraint on a record admits, and the nearest of them.

Constraints are boxes (an interval for each ordered attribute) and sets (each released row has one class, and a record
admits some of the classes). For each record the constraint that admits the fewest rows is enumerated and the others
are checked, so the cost is that of the smallest set and nothing is stored for pairs of records.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sdckit.kernels.boxes import BoxLinks, box_links
from sdckit.kernels.kd_search import Box, contains
from sdckit.kernels.nearest import TOLERANCE, nearest_links
from sdckit.kernels.row_blocks import over_row_blocks


@dataclass(frozen=True)
class Sets:
    """Row r has class `of_row[r]`; record i admits the classes `listed[starts[i] : starts[i + 1]]`, ascending."""

    of_row: NDArray[np.int64]
    starts: NDArray[np.int64]
    listed: NDArray[np.int64]


def intersection_links(
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    values: NDArray[np.float64],
    sets: list[Sets],
    known: NDArray[np.float64],
    released: NDArray[np.float64],
    truth: NDArray[np.int64],
    missing_fits: NDArray[np.bool_] | None = None,
) -> BoxLinks:
    """Count the rows that each record's box over `values` and all its sets admit, and link it to the nearest of them.

    Nearest is by squared Euclidean distance between `known` and `released`, over the attributes both have. A missing
    value in `values` is admitted only where the box is unbounded at both ends, or where `missing_fits` is true for its
    attribute.
    """
    if not sets and not values.shape[1]:
        return _unrestricted(known, released, truth)
    fits = np.zeros(values.shape[1], dtype=bool) if missing_fits is None else missing_fits
    # Only an unbounded interval contains infinity; NaN is outside no interval.
    present = np.where(np.isnan(values) & ~fits, np.inf, values)
    if not sets and np.isfinite(present).all() and np.isfinite(released).all() and np.isfinite(known).all():
        no_distance = np.full((len(known), values.shape[1]), np.nan)  # missing: adds nothing to the distance
        rows, records = np.hstack([present, released]), np.hstack([no_distance, known])
        open_ends = np.full((len(known), known.shape[1]), np.inf)
        return box_links(np.hstack([lower, -open_ends]), np.hstack([upper, open_ends]), records, rows, truth)
    order = np.argsort(present, axis=0, kind="stable")
    sorted_values = np.take_along_axis(present, order, axis=0)
    m = len(known)
    links = BoxLinks.empty(m)
    flat = _flattened(sets, len(values))
    first, last = _windows(lower, upper, sorted_values)
    missing = np.isnan(present).sum(axis=0)  # they are last in the order, and fit every record
    found: tuple[Any, ...] = (links.count, links.nearest, links.ties, links.truth_tied, links.truth_covered)
    arrays: tuple[Any, ...] = (lower, upper, present, order, first, last, missing, *flat, known, released, truth)
    over_row_blocks(m, lambda start, stop: _link(start, stop, *arrays, *found))
    return links


def _unrestricted(known: NDArray[np.float64], released: NDArray[np.float64], truth: NDArray[np.int64]) -> BoxLinks:
    """The links where nothing restricts the rows: every row is admitted."""
    plain = nearest_links(known, released, truth)
    count = np.full(len(known), len(released))
    return BoxLinks(count, plain.nearest, plain.ties, plain.truth_tied, truth >= 0)


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


@njit(cache=True, nogil=True)
def _link(
    begin: int,
    end: int,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    present: NDArray[np.float64],
    order: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    missing: NDArray[np.int64],
    of_row: NDArray[np.int64],
    starts: NDArray[np.int64],
    listed: NDArray[np.int64],
    listed_from: NDArray[np.int64],
    row_order: NDArray[np.int64],
    class_starts: NDArray[np.int64],
    class_from: NDArray[np.int64],
    known: NDArray[np.float64],
    released: NDArray[np.float64],
    truth: NDArray[np.int64],
    count: NDArray[np.int64],
    nearest: NDArray[np.int64],
    ties: NDArray[np.int64],
    truth_tied: NDArray[np.bool_],
    truth_covered: NDArray[np.bool_],
) -> None:
    m, n = len(known), len(released)
    constraints = len(of_row)
    member = np.zeros(max(len(class_starts), 1), np.bool_)
    rows = np.empty(n, np.int64)
    for record in range(begin, end):
        for c in range(constraints):
            for index in range(starts[c * (m + 1) + record], starts[c * (m + 1) + record + 1]):
                member[class_from[c] + listed[listed_from[c] + index]] = True
        fewest, source = n, -1
        for j in range(lower.shape[1]):
            size = last[record, j] - first[record, j] + missing[j]
            if size < fewest:
                fewest, source = size, j
        for c in range(constraints):
            size = 0
            for index in range(starts[c * (m + 1) + record], starts[c * (m + 1) + record + 1]):
                group = class_from[c] + listed[listed_from[c] + index]
                size += class_starts[group + 1] - class_starts[group]
            if size < fewest:
                fewest, source = size, lower.shape[1] + c
        filled = 0
        if source < 0:
            for row in range(n):
                rows[filled] = row
                filled += 1
        elif source < lower.shape[1]:
            for index in range(first[record, source], last[record, source]):
                rows[filled] = order[index, source]
                filled += 1
            for index in range(n - missing[source], n):
                rows[filled] = order[index, source]
                filled += 1
        else:
            c = source - lower.shape[1]
            for index in range(starts[c * (m + 1) + record], starts[c * (m + 1) + record + 1]):
                group = class_from[c] + listed[listed_from[c] + index]
                for row_index in range(class_starts[group], class_starts[group + 1]):
                    rows[filled] = row_order[c, row_index]
                    filled += 1
        box = Box(lower[record], upper[record])
        least = np.inf
        for index in range(filled):
            row = rows[index]
            if not _admitted(row, box, present, of_row, class_from, member):
                continue
            count[record] += 1
            distance = _distance(known[record], released[row])
            if row == truth[record]:
                truth_covered[record] = True
            if distance < least * (1 - TOLERANCE) or ties[record] == 0:
                least, ties[record], nearest[record] = distance, 1, row
                truth_tied[record] = row == truth[record]
            elif distance <= least * (1 + TOLERANCE):
                ties[record] += 1
                nearest[record] = min(nearest[record], row)
                truth_tied[record] |= row == truth[record]
        for c in range(constraints):
            for index in range(starts[c * (m + 1) + record], starts[c * (m + 1) + record + 1]):
                member[class_from[c] + listed[listed_from[c] + index]] = False


@njit(cache=True, nogil=True)
def _admitted(
    row: int,
    box: Box,
    present: NDArray[np.float64],
    of_row: NDArray[np.int64],
    class_from: NDArray[np.int64],
    member: NDArray[np.bool_],
) -> bool:
    for c in range(len(of_row)):
        if not member[class_from[c] + of_row[c, row]]:
            return False
    return contains(box, present[row])


@njit(cache=True, nogil=True)
def _distance(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Squared, over the attributes that both have, rescaled to all; infinite where they share none."""
    total, shared = 0.0, 0
    for j in range(len(a)):
        if not (np.isnan(a[j]) or np.isnan(b[j])):
            total += (a[j] - b[j]) ** 2
            shared += 1
    if shared == 0:
        return np.inf
    return total * len(a) / shared
