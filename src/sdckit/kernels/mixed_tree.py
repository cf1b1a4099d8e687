"""Records of numbers and categories, their distance (Gower 1971), and a tree of boxes to search them by.

An attribute adds between 0 and 1 to a distance: numbers, scaled already, their difference; categories, how far apart
they are in a tree of categories. The distance is the mean over the attributes that both records have; where they have
none in common it is infinite.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

LEAF = 16  # rows that are looked at one by one
DEPTH = 128  # nodes waiting at most: boxes are halved, so that there are never more
MIXED = -1  # a box whose rows differ in a category, or lack it


class MixedRecords(NamedTuple):
    """Records as numbers (NaN: missing) and categories (a node of `Trees`, -1: missing), a row a record."""

    numbers: NDArray[np.float64]
    nodes: NDArray[np.int32]

    def take(self, rows: NDArray[np.int64]) -> "MixedRecords":
        """These records."""
        return MixedRecords(
            np.ascontiguousarray(self.numbers[rows], dtype=np.float64),
            np.ascontiguousarray(self.nodes[rows], dtype=np.int32),
        )


class Trees(NamedTuple):
    """The categories of all coded attributes as nodes of trees, numbered through.

    A node stands for all nodes below it, so it is at distance 0 from them; other nodes are at one minus the depth of
    their lowest common ancestor as a share of the tree's height. Where a tree is but a root and its leaves, categories
    are at distance 0 or 1.
    """

    paths: NDArray[np.int32]  # from below the root down to the node
    depths: NDArray[np.int32]  # how long the path is, 0 for the root
    heights: NDArray[np.float64]  # of each attribute's tree

    @classmethod
    def of(cls, trees: list[tuple[list[list[int]], int]]) -> "Trees":
        """From the paths of each attribute's nodes, and the height of its tree."""
        paths = [path for told, _ in trees for path in told]
        longest = max(map(len, paths), default=0)
        padded = np.array([path + [-1] * (longest - len(path)) for path in paths], dtype=np.int32)
        depths = np.array([len(path) for path in paths], dtype=np.int32)
        return cls(padded.reshape(len(paths), longest), depths, np.array([float(height) for _, height in trees]))


class MixedTree(NamedTuple):
    """Rows sorted into boxes within boxes; the left half of a box comes right after it."""

    numbers: NDArray[np.float64]
    nodes: NDArray[np.int32]
    order: NDArray[np.int64]  # where each row stood before
    start: NDArray[np.int64]  # the rows of each box
    stop: NDArray[np.int64]
    right: NDArray[np.int64]  # its right half, -1 for a leaf
    low: NDArray[np.float64]  # its least number of each attribute, infinite where one is missing
    high: NDArray[np.float64]
    alike: NDArray[np.int32]  # the category that all its rows have


def mixed_tree(records: MixedRecords) -> MixedTree:
    """Halve the rows at the middle of the attribute that varies most, until few are left or none varies."""
    order = np.arange(len(records.nodes))
    boxes: list[tuple[int, int]] = []
    right: list[int] = []
    low, high, alike = [], [], []
    waiting = [(0, len(order), -1)]
    while waiting:
        start, stop, left_of = waiting.pop()
        if left_of >= 0:
            right[left_of] = len(boxes)
        numbers, nodes = records.numbers[order[start:stop]], records.nodes[order[start:stop]]
        least, most = _ends(numbers)
        first, last = nodes.min(axis=0, initial=np.iinfo(np.int32).max), nodes.max(axis=0, initial=MIXED)
        gone = np.isnan(numbers).any(axis=0)
        low.append(np.where(gone, -np.inf, least))
        high.append(np.where(gone, np.inf, most))
        alike.append(np.where(first == last, last, MIXED))
        boxes.append((start, stop))
        right.append(-1)
        spread = np.concatenate([np.where(most > least, most - least, 0.0), (first < last).astype(np.float64)])
        if stop - start <= LEAF or not (spread > 0).any():
            continue
        widest = int(np.argmax(spread))
        keys = numbers[:, widest] if widest < numbers.shape[1] else nodes[:, widest - numbers.shape[1]]
        middle = (stop - start) // 2
        order[start:stop] = order[start:stop][np.argpartition(keys, middle)]
        waiting += [(start + middle, stop, len(boxes) - 1), (start, start + middle, -1)]
    held = records.take(order)
    starts, stops = np.array(boxes, dtype=np.int64).T
    return MixedTree(
        held.numbers,
        held.nodes,
        order,
        starts.copy(),
        stops.copy(),
        np.array(right, dtype=np.int64),
        np.array(low),
        np.array(high),
        np.array(alike, dtype=np.int32),
    )


def _ends(numbers: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    seen = ~np.isnan(numbers)
    least = np.where(seen, numbers, np.inf).min(axis=0, initial=np.inf)
    return least, np.where(seen, numbers, -np.inf).max(axis=0, initial=-np.inf)


@njit(cache=True, nogil=True)
def apart(trees: Trees, one: int, other: int, attribute: int) -> float:
    """How far apart two categories are."""
    if one == other:
        return 0.0
    shorter = min(trees.depths[one], trees.depths[other])
    common = 0
    while common < shorter and trees.paths[one, common] == trees.paths[other, common]:
        common += 1
    return 0.0 if common == shorter else 1.0 - common / trees.heights[attribute]


@njit(cache=True, nogil=True)
def observed(known: MixedRecords, record: int) -> int:
    """How many attributes a record has; 1 where it has none, to divide by."""
    count = 0
    for j in range(known.numbers.shape[1]):
        count += known.numbers[record, j] == known.numbers[record, j]
    for j in range(known.nodes.shape[1]):
        count += known.nodes[record, j] >= 0
    return max(count, 1)


@njit(cache=True, nogil=True)
def distance(known: MixedRecords, record: int, tree: MixedTree, row: int, trees: Trees) -> float:
    """The mean of what the attributes add that both have; infinite where there is none."""
    total, shared = 0.0, 0
    for j in range(known.numbers.shape[1]):
        gap = abs(known.numbers[record, j] - tree.numbers[row, j])
        if gap == gap:  # neither is missing
            total += gap
            shared += 1
    for j in range(known.nodes.shape[1]):
        mine, theirs = known.nodes[record, j], tree.nodes[row, j]
        if mine >= 0 and theirs >= 0:
            total += apart(trees, mine, theirs, j)
            shared += 1
    return total / shared if shared > 0 else np.inf


@njit(cache=True, nogil=True)
def distance_to_box(known: MixedRecords, record: int, has: int, tree: MixedTree, box: int, trees: Trees) -> float:
    """A distance that no row of the box falls below; the record has so many attributes."""
    total = 0.0
    for j in range(known.numbers.shape[1]):
        mine = known.numbers[record, j]
        if mine < tree.low[box, j]:
            total += tree.low[box, j] - mine
        elif mine > tree.high[box, j]:
            total += mine - tree.high[box, j]
    for j in range(known.nodes.shape[1]):
        if known.nodes[record, j] >= 0 and tree.alike[box, j] >= 0:
            total += apart(trees, known.nodes[record, j], tree.alike[box, j], j)
    return total / has
