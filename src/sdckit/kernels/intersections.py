"""Intersections: the released rows that every constraint on a record admits, and the nearest of them.

Constraints are boxes (an interval for each ordered attribute) and sets (each released row has one class, and a record
admits some of the classes). For each record the constraint that admits the fewest rows is enumerated and the others
are checked, so the cost is that of the smallest set and nothing is stored for pairs of records. In a large file, rows
that are only counted or listed are searched in a tree.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.boxes import BoxLinks, box_links
from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.intersection_tree import RowSearch
from sdckit.kernels.intersections_of_few import rows_of_few, sizes_of_few
from sdckit.kernels.kd_search import Box, contains
from sdckit.kernels.missing_costs import squared_missing_costs
from sdckit.kernels.mixed_tree import MixedRecords, Trees, category_distance
from sdckit.kernels.nearest import TOLERANCE, nearest_links
from sdckit.kernels.row_blocks import over_row_blocks
from sdckit.kernels.row_constraints import Sets, prepared, present_values

PAIRS = 20_000_000  # of records and rows from which on rows are counted in a tree
COMPARED = 8  # values that numpy compares in the time of one squared difference
CATEGORY_WEIGHT = 2.0  # the expected squared difference of two standardised numbers: both kinds weigh alike


def intersection_links(
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    values: NDArray[np.float64],
    sets: list[Sets],
    known: MixedRecords,
    released: MixedRecords,
    trees: Trees,
    truth: NDArray[np.int64],
    missing_fits: NDArray[np.bool_] | None = None,
) -> BoxLinks:
    """Count the rows that each record's box over `values` and all its sets admit, and link it to the nearest of them.

    Nearest is by the squared differences of `numbers`, which are standardised, plus the distances of categories times
    CATEGORY_WEIGHT; a missing value of a row counts as in `squared_missing_costs`. A missing value in `values` is
    admitted only where the box is unbounded at both ends, or where `missing_fits` is true for its attribute.
    """
    categories = known.nodes.shape[1] > 0
    if not sets and not values.shape[1] and not categories:
        return _unrestricted(known.numbers, released.numbers, truth)
    present = present_values(values, missing_fits)
    points = np.isfinite(released.numbers).all() and np.isfinite(known.numbers).all() and not categories
    if not sets and np.isfinite(present).all() and points:
        no_distance = np.full((len(truth), values.shape[1]), np.nan)  # missing: adds nothing to the distance
        rows, records = np.hstack([present, released.numbers]), np.hstack([no_distance, known.numbers])
        open_ends = np.full(known.numbers.shape, np.inf)
        return box_links(np.hstack([lower, -open_ends]), np.hstack([upper, open_ends]), records, rows, truth)
    m = len(truth)
    links = BoxLinks.empty(m)
    arrays = prepared(lower, upper, present, sets)
    costs = squared_missing_costs(known, released, trees, CATEGORY_WEIGHT)
    found: tuple[Any, ...] = (links.count, links.nearest, links.ties, links.truth_tied, links.truth_covered)
    passed: tuple[Any, ...] = (*arrays, known, released, trees, costs, truth, *found)
    over_row_blocks(m, lambda start, stop: _link(start, stop, *passed))
    return links


def intersection_sizes(
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    values: NDArray[np.float64],
    sets: list[Sets],
    missing_fits: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """How many rows each record's box over `values` and all its sets admit."""
    if not sets and not values.shape[1]:
        return np.full(len(lower), len(values))
    present = present_values(values, missing_fits)
    if _without_kernel(lower, present, sets):
        return sizes_of_few(lower, upper, present, sets)
    if len(lower) * len(values) > PAIRS:
        return RowSearch(lower, upper, present, sets).counts()
    sizes = np.zeros(len(lower), np.int64)
    nowhere = np.empty(0, np.int64)
    arrays = prepared(lower, upper, present, sets)
    counted: tuple[Any, ...] = (*arrays, sizes, nowhere, nowhere)
    over_row_blocks(len(lower), lambda start, stop: _collect(start, stop, *counted))
    return sizes


def intersection_rows(
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    values: NDArray[np.float64],
    sets: list[Sets],
    missing_fits: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows that each record's box over `values` and all its sets admit, ascending; where each record's begin."""
    m, present = len(lower), present_values(values, missing_fits)
    if _without_kernel(lower, present, sets):
        return rows_of_few(lower, upper, present, sets)
    if m * len(values) > PAIRS and (sets or values.shape[1]):
        search = RowSearch(lower, upper, present, sets)
        sizes = search.counts()
        starts = np.concatenate([[0], np.cumsum(sizes)])
        rows = search.rows(starts)
    else:
        arrays = prepared(lower, upper, present, sets)
        sizes = intersection_sizes(lower, upper, values, sets, missing_fits)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        rows = np.empty(starts[-1], np.int64)
        written: tuple[Any, ...] = (*arrays, sizes, starts, rows)
        over_row_blocks(m, lambda start, stop: _collect(start, stop, *written))
    before = np.repeat(np.arange(m) * len(values), sizes)  # brings the rows of each record behind those of the last
    return starts, np.sort(before + rows) - before


def _without_kernel(lower: NDArray[np.float64], present: NDArray[np.float64], sets: list[Sets]) -> bool:
    """Whether all pairs of records and rows are looked at sooner than the kernel would be compiled."""
    comparisons = len(lower) * len(present) * (present.shape[1] + len(sets))
    return spared(_collect, comparisons // COMPARED)


def _unrestricted(known: NDArray[np.float64], released: NDArray[np.float64], truth: NDArray[np.int64]) -> BoxLinks:
    """The links where nothing restricts the rows: every row is admitted."""
    plain = nearest_links(known, released, truth)
    count = np.full(len(known), len(released))
    return BoxLinks(count, plain.nearest, plain.ties, plain.truth_tied, truth >= 0)


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
    known: MixedRecords,
    released: MixedRecords,
    trees: Trees,
    costs: NDArray[np.float64],
    truth: NDArray[np.int64],
    count: NDArray[np.int64],
    nearest: NDArray[np.int64],
    ties: NDArray[np.int64],
    truth_tied: NDArray[np.bool_],
    truth_covered: NDArray[np.bool_],
) -> None:
    member = np.zeros(max(len(class_starts), 1), np.bool_)
    rows = np.empty(len(present), np.int64)
    sets = (of_row, starts, listed, listed_from, row_order, class_starts, class_from)
    for record in range(begin, end):
        count[record] = _enumerate(record, lower, upper, present, order, first, last, missing, *sets, member, rows)
        least = np.inf
        for index in range(count[record]):
            row = rows[index]
            distance = _distance(known, record, released, row, trees, costs)
            if row == truth[record]:
                truth_covered[record] = True
            if distance < least * (1 - TOLERANCE) or ties[record] == 0:
                least, ties[record], nearest[record] = distance, 1, row
                truth_tied[record] = row == truth[record]
            elif distance <= least * (1 + TOLERANCE):
                ties[record] += 1
                nearest[record] = min(nearest[record], row)
                truth_tied[record] |= row == truth[record]


@njit(cache=True, nogil=True)
def _collect(
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
    sizes: NDArray[np.int64],
    into: NDArray[np.int64],
    collected: NDArray[np.int64],
) -> None:
    """Count the rows of each record, or write them from `into` on where that is not empty."""
    member = np.zeros(max(len(class_starts), 1), np.bool_)
    rows = np.empty(len(present), np.int64)
    sets = (of_row, starts, listed, listed_from, row_order, class_starts, class_from)
    for record in range(begin, end):
        size = _enumerate(record, lower, upper, present, order, first, last, missing, *sets, member, rows)
        sizes[record] = size
        if len(into):
            for index in range(size):
                collected[into[record] + index] = rows[index]


@njit(cache=True, nogil=True)
def _enumerate(
    record: int,
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
    member: NDArray[np.bool_],
    rows: NDArray[np.int64],
) -> int:
    """Write the rows that all constraints of a record admit, and return their number; the smallest set is searched."""
    n, constraints = len(present), len(of_row)
    records = len(lower)
    fewest, source = n, -1
    for j in range(lower.shape[1]):
        size = last[record, j] - first[record, j] + missing[j]
        if size < fewest:
            fewest, source = size, j
    for c in range(constraints):
        size = 0
        for index in range(starts[c * (records + 1) + record], starts[c * (records + 1) + record + 1]):
            group = class_from[c] + listed[listed_from[c] + index]
            member[group] = True
            size += class_starts[group + 1] - class_starts[group]
        if size < fewest:
            fewest, source = size, lower.shape[1] + c
    box = Box(lower[record], upper[record])
    filled = 0
    if source < 0:
        for row in range(n):
            if _admitted(row, box, present, of_row, class_from, member):
                rows[filled] = row
                filled += 1
    elif source < lower.shape[1]:
        for index in range(last[record, source] - first[record, source] + missing[source]):
            at = first[record, source] + index
            if at >= last[record, source]:
                at += n - missing[source] - last[record, source]
            if _admitted(order[at, source], box, present, of_row, class_from, member):
                rows[filled] = order[at, source]
                filled += 1
    else:
        c = source - lower.shape[1]
        for index in range(starts[c * (records + 1) + record], starts[c * (records + 1) + record + 1]):
            group = class_from[c] + listed[listed_from[c] + index]
            for row_index in range(class_starts[group], class_starts[group + 1]):
                row = row_order[c, row_index]
                if _admitted(row, box, present, of_row, class_from, member):
                    rows[filled] = row
                    filled += 1
    for c in range(constraints):
        for index in range(starts[c * (records + 1) + record], starts[c * (records + 1) + record + 1]):
            member[class_from[c] + listed[listed_from[c] + index]] = False
    return filled


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
def _distance(
    known: MixedRecords,
    record: int,
    released: MixedRecords,
    row: int,
    trees: Trees,
    costs: NDArray[np.float64],
) -> float:
    """Squared, over the attributes known of the record; a missing value of the row adds its cost."""
    total, numbers = 0.0, known.numbers.shape[1]
    for j in range(numbers):
        gap = known.numbers[record, j] - released.numbers[row, j]
        if gap == gap:
            total += gap * gap
        elif known.numbers[record, j] == known.numbers[record, j]:
            total += costs[record, j]
    for j in range(known.nodes.shape[1]):
        mine, theirs = known.nodes[record, j], released.nodes[row, j]
        if mine >= 0 and theirs >= 0:
            total += CATEGORY_WEIGHT * category_distance(trees, mine, theirs, j)
        elif mine >= 0:
            total += costs[record, numbers + j]
    return total
