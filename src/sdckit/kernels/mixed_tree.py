"""Records of numbers and categories, their distance (Gower 1971), and a tree of boxes to search them.

Each attribute has a distance between 0 and 1: for numbers, already scaled, the absolute difference; for categories,
that in a tree of categories. The distance of two records is the mean over the attributes known of the first; where the
second has no value, a cost per record and attribute takes the place of the difference.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

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
    order = np.arange(len(records.nodes))
    boxes: list[tuple[int, int]] = []
    right: list[int] = []
    low, high, shared_category, missing = [], [], [], []
    waiting = [(0, len(order), -1)]
    while waiting:
        start, stop, left_of = waiting.pop()
        if left_of >= 0:
            right[left_of] = len(boxes)
        numbers, nodes = records.numbers[order[start:stop]], records.nodes[order[start:stop]]
        lowest, highest = _ends(numbers)
        absent = nodes < 0
        first = np.where(absent, np.iinfo(np.int32).max, nodes).min(axis=0, initial=np.iinfo(np.int32).max)
        last = nodes.max(axis=0, initial=MIXED)
        low.append(lowest)
        high.append(highest)
        shared_category.append(np.where(last < 0, ABSENT, np.where(first == last, last, MIXED)))
        missing.append(np.concatenate([np.isnan(numbers).any(axis=0), absent.any(axis=0)]))
        boxes.append((start, stop))
        right.append(-1)
        ranges = np.concatenate([np.where(highest > lowest, highest - lowest, 0.0), (first < last).astype(np.float64)])
        if stop - start <= LEAF or not (ranges > 0).any():
            continue
        widest = int(np.argmax(ranges))
        keys = numbers[:, widest] if widest < numbers.shape[1] else nodes[:, widest - numbers.shape[1]]
        middle = (stop - start) // 2
        order[start:stop] = order[start:stop][np.argpartition(keys, middle)]
        waiting += [(start + middle, stop, len(boxes) - 1), (start, start + middle, -1)]
    sorted_records = records.take(order)
    starts, stops = np.array(boxes, dtype=np.int64).T
    return MixedTree(
        sorted_records.numbers,
        sorted_records.nodes,
        order,
        starts.copy(),
        stops.copy(),
        np.array(right, dtype=np.int64),
        np.array(low),
        np.array(high),
        np.array(shared_category, dtype=np.int32),
        np.array(missing),
    )


def _ends(numbers: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    seen = ~np.isnan(numbers)
    lowest = np.where(seen, numbers, np.inf).min(axis=0, initial=np.inf)
    return lowest, np.where(seen, numbers, -np.inf).max(axis=0, initial=-np.inf)


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
