"""Records of numbers and categories, their distance (Gower 1971), and a tree of boxes to search them.

Each attribute has a distance between 0 and 1: for numbers, already scaled, the absolute difference; for categories,
that in a tree of categories. The distance of two records is the mean over the attributes that both have; it is infinite
if they have none in common.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

LEAF = 16  # rows in a leaf
DEPTH = 128  # size of the stack of pending boxes; halving stays below it
HOLE_SPLITS = 64  # halvings by whether a value is missing, above any other; leaves room in the stack
MIXED = -1  # a box whose rows differ in a category, or some of them miss it
ABSENT = -2  # a box all of whose rows miss the category


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
    low: NDArray[np.float64]  # its smallest number of each attribute; -∞ where some rows miss it, ∞ where all do
    high: NDArray[np.float64]  # its largest; ∞ where some rows miss it, -∞ where all do
    shared_category: NDArray[np.int32]  # the category of all its rows, MIXED or ABSENT


def mixed_tree(records: MixedRecords) -> MixedTree:
    """Divide the rows until few are left or none varies: by what they miss, then at medians of the widest attribute.

    Rows of one box then miss the same values, so that their distance to a record is a mean over the same attributes.
    """
    order = np.arange(len(records.nodes))
    boxes: list[tuple[int, int]] = []
    right: list[int] = []
    low, high, shared_category = [], [], []
    waiting = [(0, len(order), -1, 0)]
    while waiting:
        start, stop, left_of, depth = waiting.pop()
        if left_of >= 0:
            right[left_of] = len(boxes)
        numbers, nodes = records.numbers[order[start:stop]], records.nodes[order[start:stop]]
        missing = np.column_stack([np.isnan(numbers), nodes < 0])
        holes = missing.sum(axis=0)
        some, everything = (holes > 0) & (holes < stop - start), holes == stop - start
        columns = numbers.shape[1]
        lowest, highest = _ends(numbers)
        first, last = nodes.min(axis=0, initial=np.iinfo(np.int32).max), nodes.max(axis=0, initial=MIXED)
        low.append(np.where(some[:columns], -np.inf, lowest))
        high.append(np.where(some[:columns], np.inf, highest))
        shared_category.append(np.where(everything[columns:], ABSENT, np.where(first == last, last, MIXED)))
        boxes.append((start, stop))
        right.append(-1)
        ranges = np.concatenate([np.where(highest > lowest, highest - lowest, 0.0), (first < last).astype(np.float64)])
        if stop - start <= LEAF or not (some.any() or (ranges > 0).any()):
            continue
        if some.any() and depth < HOLE_SPLITS:
            most_even = int(np.argmin(np.where(some, np.abs(2 * holes - (stop - start)), np.inf)))
            halves, middle = np.argsort(missing[:, most_even], kind="stable"), stop - start - holes[most_even]
        else:
            widest = int(np.argmax(ranges))
            keys = numbers[:, widest] if widest < columns else nodes[:, widest - columns]
            middle = (stop - start) // 2
            halves = np.argpartition(keys, middle)
        order[start:stop] = order[start:stop][halves]
        waiting += [(start + middle, stop, len(boxes) - 1, depth + 1), (start, start + middle, -1, depth + 1)]
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
    )


def _ends(numbers: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    seen = ~np.isnan(numbers)
    lowest = np.where(seen, numbers, np.inf).min(axis=0, initial=np.inf)
    return lowest, np.where(seen, numbers, -np.inf).max(axis=0, initial=-np.inf)


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
def comparable(known: MixedRecords, record: int, tree: MixedTree, box: int) -> int:
    """The largest number of attributes that a record shares with a row of the box."""
    count = 0
    for j in range(known.numbers.shape[1]):
        count += known.numbers[record, j] == known.numbers[record, j] and tree.low[box, j] <= tree.high[box, j]
    for j in range(known.nodes.shape[1]):
        count += known.nodes[record, j] >= 0 and tree.shared_category[box, j] != ABSENT
    return count


@njit(cache=True, nogil=True)
def distance(known: MixedRecords, record: int, tree: MixedTree, row: int, trees: Trees) -> float:
    """The mean distance over the attributes that both records have; infinite if there are none."""
    total, shared = 0.0, 0
    for j in range(known.numbers.shape[1]):
        gap = abs(known.numbers[record, j] - tree.numbers[row, j])
        if gap == gap:  # neither is missing
            total += gap
            shared += 1
    for j in range(known.nodes.shape[1]):
        mine, theirs = known.nodes[record, j], tree.nodes[row, j]
        if mine >= 0 and theirs >= 0:
            total += category_distance(trees, mine, theirs, j)
            shared += 1
    return total / shared if shared > 0 else np.inf


@njit(cache=True, nogil=True)
def exceeds(known: MixedRecords, record: int, tree: MixedTree, row: int, trees: Trees, limit: float) -> bool:
    """Whether the distances over the attributes sum to more than a limit; stops at the attribute where they do.

    The categories come first, as they differ by most. The order makes the sum differ from that of `distance` by
    rounding.
    """
    total = 0.0
    for j in range(known.nodes.shape[1]):
        mine, theirs = known.nodes[record, j], tree.nodes[row, j]
        if mine != theirs and mine >= 0 and theirs >= 0:
            total += category_distance(trees, mine, theirs, j)
            if total > limit:
                return True
    for j in range(known.numbers.shape[1]):
        gap = abs(known.numbers[record, j] - tree.numbers[row, j])
        if gap == gap:
            total += gap
            if total > limit:
                return True
    return False


@njit(cache=True, nogil=True)
def distance_to_box(known: MixedRecords, record: int, tree: MixedTree, box: int, trees: Trees) -> float:
    """A lower bound of the distance to every row of the box."""
    total, shared = 0.0, 0
    for j in range(known.numbers.shape[1]):
        mine = known.numbers[record, j]
        if mine == mine and tree.low[box, j] <= tree.high[box, j]:
            shared += 1
            if mine < tree.low[box, j]:
                total += tree.low[box, j] - mine
            elif mine > tree.high[box, j]:
                total += mine - tree.high[box, j]
    for j in range(known.nodes.shape[1]):
        if known.nodes[record, j] >= 0 and tree.shared_category[box, j] != ABSENT:
            shared += 1
            if tree.shared_category[box, j] >= 0:
                total += category_distance(trees, known.nodes[record, j], tree.shared_category[box, j], j)
    return total / shared if shared > 0 else np.inf
