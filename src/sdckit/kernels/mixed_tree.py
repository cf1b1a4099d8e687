"""Records of numbers and categories, their distance (Gower 1971), and a tree of boxes to search them.

Each attribute has a distance between 0 and 1: for numbers, already scaled, the absolute difference; for categories,
that in a tree of categories. The distance of two records is the mean over the attributes known of the first; where the
second has no value, a cost per record and attribute takes the place of the difference.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_order import select_smallest

LEAF = 8  # rows in a leaf: with fewer or many more a search is not faster
SLACK = 1e-9  # of a limit, so that rounding never cuts off a row
DEPTH = 128  # pending boxes in memory; halving stays below it
MIXED, ABSENT = -1, -2  # a box whose rows differ in a category, or all miss it


class MixedRecords(NamedTuple):
    """Records as numbers (NaN: missing) and categories (a node of `Trees`, -1: missing), one row per record."""

    numbers: NDArray[np.float64]
    nodes: NDArray[np.int32]

    def take(self, rows: NDArray[np.int64]) -> "MixedRecords":
        """These records."""
        return MixedRecords(
            np.ascontiguousarray(self.numbers[rows], dtype=np.float64),
            np.ascontiguousarray(self.nodes[rows], dtype=np.int32),
        )


class Trees(NamedTuple):
    """The categories of all coded attributes as nodes of trees, numbered consecutively.

    A node includes all nodes below it, so it is at distance 0 from them; the distance of other nodes is one minus the
    depth of their lowest common ancestor as a share of the tree's height. In a tree of only a root and leaves,
    categories are at distance 0 or 1.
    """

    paths: NDArray[np.int32]  # from below the root down to the node
    depths: NDArray[np.int32]  # length of the path, 0 for the root
    heights: NDArray[np.float64]  # of each attribute's tree

    @classmethod
    def of(cls, trees: list[tuple[list[list[int]], int]]) -> "Trees":
        """Build the trees from the paths of each attribute's nodes and the height of its tree."""
        paths = [path for attribute_paths, _ in trees for path in attribute_paths]
        longest = max(map(len, paths), default=0)
        padded = np.array([path + [-1] * (longest - len(path)) for path in paths], dtype=np.int32)
        depths = np.array([len(path) for path in paths], dtype=np.int32)
        return cls(padded.reshape(len(paths), longest), depths, np.array([float(height) for _, height in trees]))


class MixedTree(NamedTuple):
    """Rows sorted into nested boxes; the left half of a box comes right after it."""

    numbers: NDArray[np.float64]
    nodes: NDArray[np.int32]
    order: NDArray[np.int64]  # the original index of each row
    start: NDArray[np.int64]  # the rows of each box
    stop: NDArray[np.int64]
    right: NDArray[np.int64]  # its right half, -1 for a leaf
    low: NDArray[np.float64]  # its smallest observed number of each attribute, infinite where there is none
    high: NDArray[np.float64]
    shared_category: NDArray[np.int32]  # the category of all its rows that have one, MIXED or ABSENT
    missing: NDArray[np.bool_]  # whether some row misses each attribute, numbers first


def mixed_tree(records: MixedRecords) -> MixedTree:
    """Halve the rows at the median of the attribute with the widest range, until few are left or none varies."""
    rows, numbers = records.numbers.shape
    categories = records.nodes.shape[1]
    most = (
        max(rows // (LEAF // 2), 1) * 2
    )  # boxes: a leaf that is half of a larger box has half a leaf of rows at least
    order, spans = np.arange(rows), np.full((most, 3), -1)
    low, high = np.empty((most, numbers)), np.empty((most, numbers))
    shared_category = np.empty((most, categories), dtype=np.int32)
    missing = np.zeros((most, numbers + categories), dtype=np.bool_)
    boxes = _halved(records, order, spans, low, high, shared_category, missing)
    sorted_records = records.take(order)
    start, stop, right = (np.ascontiguousarray(column) for column in spans[:boxes].T)
    ranges = low[:boxes].copy(), high[:boxes].copy()
    found = sorted_records.numbers, sorted_records.nodes, order, start, stop, right
    return MixedTree(*found, *ranges, shared_category[:boxes].copy(), missing[:boxes].copy())


@njit(cache=True, nogil=True)
def _halved(
    records: MixedRecords,
    order: NDArray[np.int64],
    spans: NDArray[np.int64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    shared_category: NDArray[np.int32],
    missing: NDArray[np.bool_],
) -> int:
    """Sort the rows into boxes and describe each of them; return the number of boxes.

    `spans` gets the first row of a box, the row after its last one and its right half.
    """
    numbers = records.numbers.shape[1]
    key = np.empty(len(order))
    first, last, left_of = np.empty(DEPTH, np.int64), np.empty(DEPTH, np.int64), np.empty(DEPTH, np.int64)
    first[0], last[0], left_of[0] = 0, len(order), -1
    waiting, boxes = 1, 0
    while waiting > 0:
        waiting -= 1
        start, stop, box = first[waiting], last[waiting], boxes
        if left_of[waiting] >= 0:
            spans[left_of[waiting], 2] = box
        spans[box, 0], spans[box, 1] = start, stop
        boxes += 1
        widest = _described(records, order, start, stop, low[box], high[box], shared_category[box], missing[box])
        if stop - start <= LEAF or widest < 0:
            continue
        for position in range(start, stop):
            if widest < numbers:
                value = records.numbers[order[position], widest]
                key[position] = value if value == value else np.inf  # missing numbers come last
            else:
                key[position] = records.nodes[order[position], widest - numbers]
        middle = start + (stop - start) // 2
        select_smallest(key, order, start, stop, middle)
        first[waiting], last[waiting], left_of[waiting] = middle, stop, box
        first[waiting + 1], last[waiting + 1], left_of[waiting + 1] = start, middle, -1
        waiting += 2
    return boxes


@njit(cache=True, nogil=True)
def _described(
    records: MixedRecords,
    order: NDArray[np.int64],
    start: int,
    stop: int,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    shared_category: NDArray[np.int32],
    missing: NDArray[np.bool_],
) -> int:
    """Describe the box of the rows from `start` to `stop`; return its widest attribute, or -1 if none varies."""
    numbers, categories = len(low), len(shared_category)
    low[:], high[:], shared_category[:] = np.inf, -np.inf, ABSENT
    for position in range(start, stop):
        row = order[position]
        for j in range(numbers):
            value = records.numbers[row, j]
            if value == value:
                low[j], high[j] = min(low[j], value), max(high[j], value)
            else:
                missing[j] = True
        for j in range(categories):
            node = records.nodes[row, j]
            if node < 0:
                missing[numbers + j] = True
            elif shared_category[j] == ABSENT:
                shared_category[j] = node
            elif shared_category[j] != node:
                shared_category[j] = MIXED
    widest, widest_range = -1, 0.0
    for j in range(numbers):
        if high[j] - low[j] > widest_range:
            widest, widest_range = j, high[j] - low[j]
    for j in range(categories):
        if shared_category[j] == MIXED and widest_range < 1.0:
            widest, widest_range = numbers + j, 1.0
    return widest


def category_distances(trees: Trees, one: int, others: NDArray[np.integer], attribute: int) -> NDArray[np.float64]:
    """The distances of one category of an attribute from others."""
    shorter = np.minimum(trees.depths[one], trees.depths[others])
    agree = np.cumprod(trees.paths[others] == trees.paths[one], axis=1).sum(axis=1)
    return np.where(agree >= shorter, 0.0, 1.0 - agree / trees.heights[attribute])


@njit(cache=True, nogil=True)
def category_distance(trees: Trees, one: int, other: int, attribute: int) -> float:
    """The distance of two categories of an attribute."""
    if one == other:
        return 0.0
    shorter = min(trees.depths[one], trees.depths[other])
    common = 0
    while common < shorter and trees.paths[one, common] == trees.paths[other, common]:
        common += 1
    return 0.0 if common == shorter else 1.0 - common / trees.heights[attribute]


@njit(cache=True, nogil=True)
def observed(known: MixedRecords, record: int) -> int:
    """The number of observed attributes of a record, at least 1 because it is a divisor."""
    count = 0
    for j in range(known.numbers.shape[1]):
        count += known.numbers[record, j] == known.numbers[record, j]
    for j in range(known.nodes.shape[1]):
        count += known.nodes[record, j] >= 0
    return max(count, 1)


@njit(cache=True, nogil=True)
def distance(
    known: MixedRecords,
    record: int,
    attributes: int,
    costs: NDArray[np.float64],
    tree: MixedTree,
    row: int,
    trees: Trees,
    limit: float,
) -> float:
    """The mean distance over the attributes known of the record; a missing value of the row adds its cost.

    Infinite where it is clearly above the limit.
    """
    total, numbers = 0.0, known.numbers.shape[1]
    enough = limit * attributes * (1 + SLACK)
    for j in range(numbers):
        gap = abs(known.numbers[record, j] - tree.numbers[row, j])
        if gap == gap:  # neither is missing
            total += gap
        elif known.numbers[record, j] == known.numbers[record, j]:
            total += costs[record, j]
    if total > enough:
        return np.inf
    for j in range(known.nodes.shape[1]):
        mine, theirs = known.nodes[record, j], tree.nodes[row, j]
        if mine >= 0:
            total += category_distance(trees, mine, theirs, j) if theirs >= 0 else costs[record, numbers + j]
    return total / attributes


@njit(cache=True, nogil=True)
def distance_to_box(
    known: MixedRecords,
    record: int,
    attributes: int,
    costs: NDArray[np.float64],
    tree: MixedTree,
    box: int,
    trees: Trees,
) -> float:
    """A lower bound of the distance to every row of the box, for a record with `attributes` observed attributes.

    Where a row of the box misses a value, its cost bounds what the attribute adds.
    """
    total, numbers = 0.0, known.numbers.shape[1]
    for j in range(numbers):
        mine, gap = known.numbers[record, j], 0.0
        if mine < tree.low[box, j]:
            gap = tree.low[box, j] - mine
        elif mine > tree.high[box, j]:
            gap = mine - tree.high[box, j]
        total += min(gap, costs[record, j]) if tree.missing[box, j] else gap
    for j in range(known.nodes.shape[1]):
        mine, shared = known.nodes[record, j], tree.shared_category[box, j]
        if mine >= 0 and shared != MIXED:
            gap = np.inf if shared == ABSENT else category_distance(trees, mine, shared, j)
            total += min(gap, costs[record, numbers + j]) if tree.missing[box, numbers + j] else gap
    return total / attributes
