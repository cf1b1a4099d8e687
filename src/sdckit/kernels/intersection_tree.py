"""Intersections in a large file: rows are halved along what the constraints restrict most, and counted box by box.

A box of rows that a record admits all, or none, is not opened: the rows of wide intervals and of many classes are
counted without looking at each of them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_order import DEPTH, kd_order
from sdckit.kernels.likelihood_tree import LEAF, leaf_spans
from sdckit.kernels.row_blocks import over_row_blocks
from sdckit.kernels.row_constraints import Sets
from sdckit.kernels.sorted_positions import first_from, sorted_positions

BLOCK = 256  # records given to a core at a time
RESTRICTED = 0.9  # share of the rows that a constraint admits, on average, below which rows are halved along it
OUTSIDE, ACROSS, INSIDE = 0, 1, 2


class RowTree(NamedTuple):
    """Rows in the order of the leaves, and boxes in preorder with the ranges of their values and classes.

    `right` is −1 for a leaf; `missing` says whether a row of the box has a missing value, which every interval admits.
    """

    values: NDArray[np.float64]
    classes: NDArray[np.int32]
    order: NDArray[np.int64]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    right: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    missing: NDArray[np.bool_]
    class_low: NDArray[np.int32]
    class_high: NDArray[np.int32]


class Admitted(NamedTuple):
    """The box of each record, and the classes it admits: set c of record i has `listed[starts[c, i] : ends[c, i]]`."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    listed: NDArray[np.int64]


class RowSearch:
    """The rows of a file in a tree, and what some records admit; values are as `present_values` has them."""

    def __init__(
        self, lower: NDArray[np.float64], upper: NDArray[np.float64], present: NDArray[np.float64], sets: list[Sets]
    ) -> None:
        classes = np.column_stack([np.empty((len(present), 0), np.int32), *(each.of_row for each in sets)])
        offsets = np.cumsum([0, *(len(each.listed) for each in sets)])
        bounds = [each.starts + offset for each, offset in zip(sets, offsets[:-1], strict=True)]
        table = np.array(bounds, dtype=np.int64).reshape(len(sets), len(lower) + 1)
        listed = np.concatenate([np.empty(0, np.int64), *(each.listed for each in sets)])
        self._admitted = Admitted(lower, upper, table[:, :-1].copy(), table[:, 1:].copy(), listed)
        points = _coordinates(lower, upper, present, sets)
        self._tree = _tree(kd_order(points, LEAF), present, classes.astype(np.int32))

    def counts(self) -> NDArray[np.int64]:
        """How many rows each record admits."""
        counts, nothing = np.zeros(len(self._admitted.lower), np.int64), np.empty(0, np.int64)
        self._search(counts, nothing, nothing)
        return counts

    def rows(self, starts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows that each record admits, in any order; `starts` says where those of each record begin."""
        rows = np.empty(starts[-1], np.int64)
        self._search(np.zeros(len(self._admitted.lower), np.int64), starts, rows)
        return rows

    def _search(self, counts: NDArray[np.int64], into: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        tree, admitted = self._tree, self._admitted
        over_row_blocks(
            len(counts), lambda start, stop: _collect(start, stop, tree, admitted, counts, into, rows), BLOCK
        )


def _coordinates(
    lower: NDArray[np.float64], upper: NDArray[np.float64], present: NDArray[np.float64], sets: list[Sets]
) -> np.ndarray:
    """The ranks of the rows by each constraint, in units of the share of the rows that a record admits on average."""
    count = len(present)
    found = []
    for index in range(present.shape[1]):
        column = np.where(np.isnan(present[:, index]), np.inf, present[:, index])
        ordered = np.sort(column)
        windows = np.searchsorted(ordered, upper[:, index], "right") - np.searchsorted(ordered, lower[:, index])
        found.append((float(windows.mean()) / count, column, ordered))
    for each in sets:
        sizes = np.bincount(each.of_row, minlength=int(each.listed.max(initial=-1)) + 1)
        column = each.of_row.astype(np.float64)
        found.append((float(sizes[each.listed].sum()) / len(lower) / count, column, np.sort(column)))
    telling = [each for each in found if each[0] < RESTRICTED]
    points = np.zeros((count, max(len(telling), 1)), dtype=np.float32)
    for axis, (share, column, ordered) in enumerate(telling):
        below, up_to = sorted_positions(ordered, column)
        points[:, axis] = (below + up_to) / (2 * count * max(share, 1 / count))
    return points


def _tree(order: NDArray[np.int64], present: NDArray[np.float64], classes: NDArray[np.int32]) -> RowTree:
    _, start, stop, right = leaf_spans(np.array([0, len(order)]))
    boxes, attributes, sets = len(start), present.shape[1], classes.shape[1]
    tree = RowTree(
        np.ascontiguousarray(present[order]),
        np.ascontiguousarray(classes[order]),
        order,
        start,
        stop,
        right,
        np.full((boxes, attributes), np.inf),
        np.full((boxes, attributes), -np.inf),
        np.zeros((boxes, attributes), np.bool_),
        np.full((boxes, sets), np.iinfo(np.int32).max, np.int32),
        np.full((boxes, sets), -1, np.int32),
    )
    _summarise(tree)
    return tree


@njit(cache=True, nogil=True)
def _summarise(tree: RowTree) -> None:
    """Fill in the ranges of the boxes, from the last one on: halves come after the whole."""
    for box in range(len(tree.start) - 1, -1, -1):
        if tree.right[box] >= 0:
            for half in (box + 1, tree.right[box]):
                for j in range(tree.low.shape[1]):
                    tree.low[box, j] = min(tree.low[box, j], tree.low[half, j])
                    tree.high[box, j] = max(tree.high[box, j], tree.high[half, j])
                    tree.missing[box, j] |= tree.missing[half, j]
                for c in range(tree.class_low.shape[1]):
                    tree.class_low[box, c] = min(tree.class_low[box, c], tree.class_low[half, c])
                    tree.class_high[box, c] = max(tree.class_high[box, c], tree.class_high[half, c])
            continue
        for row in range(tree.start[box], tree.stop[box]):
            for j in range(tree.low.shape[1]):
                value = tree.values[row, j]
                if value == value:
                    tree.low[box, j] = min(tree.low[box, j], value)
                    tree.high[box, j] = max(tree.high[box, j], value)
                else:
                    tree.missing[box, j] = True
            for c in range(tree.class_low.shape[1]):
                tree.class_low[box, c] = min(tree.class_low[box, c], tree.classes[row, c])
                tree.class_high[box, c] = max(tree.class_high[box, c], tree.classes[row, c])


@njit(cache=True, nogil=True)
def _collect(
    begin: int,
    end: int,
    tree: RowTree,
    admitted: Admitted,
    counts: NDArray[np.int64],
    into: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> None:
    """Count the rows of each record, and write them from `into` on where that is not empty."""
    waiting = np.empty(DEPTH, np.int64)
    for record in range(begin, end):
        waiting[0] = 0
        boxes, count = 1, 0
        while boxes > 0:
            boxes -= 1
            box = waiting[boxes]
            side = _side(tree, admitted, record, box)
            if side == OUTSIDE:
                continue
            if side == ACROSS and tree.right[box] >= 0:
                waiting[boxes], waiting[boxes + 1] = tree.right[box], box + 1
                boxes += 2
                continue
            for row in range(tree.start[box], tree.stop[box]):
                if side == INSIDE or _admits(tree, admitted, record, row):
                    if len(into):
                        rows[into[record] + count] = tree.order[row]
                    count += 1
        counts[record] = count


@njit(cache=True, nogil=True)
def _side(tree: RowTree, admitted: Admitted, record: int, box: int) -> int:
    """Whether a record admits no row of the box, all of them, or possibly some."""
    found = INSIDE
    for j in range(tree.low.shape[1]):
        low, high = tree.low[box, j], tree.high[box, j]
        lower, upper = admitted.lower[record, j], admitted.upper[record, j]
        if high < lower or low > upper:
            if not tree.missing[box, j]:
                return OUTSIDE
            if low <= high:
                found = ACROSS
        elif low < lower or high > upper:
            found = ACROSS
    for c in range(tree.class_low.shape[1]):
        low_class, high_class = tree.class_low[box, c], tree.class_high[box, c]
        stop = admitted.ends[c, record]
        first = first_from(admitted.listed, admitted.starts[c, record], stop, low_class)
        last = first_from(admitted.listed, first, stop, high_class + 1)
        if first == last:
            return OUTSIDE
        if last - first <= high_class - low_class:
            found = ACROSS
    return found


@njit(cache=True, nogil=True)
def _admits(tree: RowTree, admitted: Admitted, record: int, row: int) -> bool:
    for j in range(tree.values.shape[1]):
        value = tree.values[row, j]
        if value < admitted.lower[record, j] or value > admitted.upper[record, j]:
            return False
    for c in range(tree.classes.shape[1]):
        stop, own = admitted.ends[c, record], tree.classes[row, c]
        at = first_from(admitted.listed, admitted.starts[c, record], stop, own)
        if at == stop or admitted.listed[at] != own:
            return False
    return True
