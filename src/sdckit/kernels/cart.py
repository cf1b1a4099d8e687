"""Classification and regression trees on binned predictors, and the records in each leaf.

A split minimises the squared error of numbers, or the Gini impurity of classes, over the bins of every predictor. The
result is a partition of the records into leaves: what is drawn from a leaf is decided elsewhere.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

BINS = 256  # bin 0 is for missing values
LEAF = -1  # in `feature`


class Tree(NamedTuple):
    """A tree by nodes, the root first, and the records by leaf.

    `feature`    the predictor that a node splits by, −1 for a leaf
    `threshold`  the last bin that goes left
    `child`      the left child; the right one follows it
    `start`      where the records of a leaf begin in `order`
    `size`       the number of records of a node
    """

    feature: NDArray[np.int32]
    threshold: NDArray[np.int32]
    child: NDArray[np.int64]
    start: NDArray[np.int64]
    size: NDArray[np.int64]
    order: NDArray[np.int64]


def grow(
    bins: NDArray[np.uint8], target: NDArray[np.float64], classes: int, leaf_size: int, min_gain: float = 1e-8
) -> Tree:
    """The tree of a target by predictors (one line of bins each), with at least `leaf_size` records in every leaf.

    With `classes` above 0 the target is a class from 0 on. A split must lower the error by the share `min_gain` of that
    of the root.
    """
    lines = np.ascontiguousarray(bins, dtype=np.uint8)
    return Tree(*_grow(lines, np.ascontiguousarray(target, dtype=np.float64), classes, leaf_size, min_gain))


def leaves(tree: Tree, bins: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The node of the leaf that each record falls into."""
    lines = np.ascontiguousarray(bins, dtype=np.uint8)
    return np.asarray(_leaves(tree.feature, tree.threshold, tree.child, lines), dtype=np.int64)


def sorted_within_leaves(tree: Tree, values: NDArray[np.float64]) -> Tree:
    """The same tree with the records of each leaf in the order of their values, missing ones last."""
    leaf = np.flatnonzero(tree.feature == LEAF)
    number = np.empty(len(tree.order), dtype=np.int64)
    by_start = leaf[np.argsort(tree.start[leaf])]
    number[:] = np.repeat(np.arange(len(by_start)), tree.size[by_start])
    order = tree.order[np.lexsort((values[tree.order], number))]
    return tree._replace(order=order)


@njit(cache=True)
def _grow(
    bins: NDArray[np.uint8], target: NDArray[np.float64], classes: int, leaf_size: int, min_gain: float
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
]:
    count = len(target)
    most = 2 * (count // max(leaf_size, 1)) + 3
    feature = np.full(most, LEAF, dtype=np.int32)
    threshold = np.zeros(most, dtype=np.int32)
    child = np.zeros(most, dtype=np.int64)
    start = np.zeros(most, dtype=np.int64)
    size = np.zeros(most, dtype=np.int64)
    order = np.arange(count)
    spare = np.empty(count, dtype=np.int64)
    number = np.zeros(BINS, dtype=np.int64)
    sums = np.zeros((BINS, max(classes, 1)))
    left, whole = np.zeros(max(classes, 1)), np.zeros(max(classes, 1))
    size[0] = count
    nodes, at = 1, 0
    needed = min_gain * _error(target, order, 0, count, classes, whole)
    while at < nodes:
        first, end = start[at], start[at] + size[at]
        if size[at] >= 2 * leaf_size:
            own = _error(target, order, first, end, classes, whole)
            best, best_feature, best_bin = needed, -1, 0
            if own > needed:
                for candidate in range(len(bins)):
                    gain, split = _best_split(
                        bins[candidate], target, order, first, end, classes, leaf_size, number, sums, left, whole
                    )
                    if gain > best:
                        best, best_feature, best_bin = gain, candidate, split
            if best_feature >= 0:
                middle = _divide(bins[best_feature], best_bin, order, first, end, spare)
                feature[at], threshold[at], child[at] = best_feature, best_bin, nodes
                start[nodes], size[nodes] = first, middle - first
                start[nodes + 1], size[nodes + 1] = middle, end - middle
                nodes += 2
        at += 1
    return feature[:nodes], threshold[:nodes], child[:nodes], start[:nodes], size[:nodes], order


@njit(cache=True)
def _error(
    target: NDArray[np.float64],
    order: NDArray[np.int64],
    first: int,
    end: int,
    classes: int,
    whole: NDArray[np.float64],
) -> float:
    """The squared error about the mean, or the impurity times the number of records; `whole` gets the sums."""
    whole[:] = 0.0
    count = end - first
    if classes > 0:
        for position in range(first, end):
            whole[int(target[order[position]])] += 1.0
        return count - float((whole**2).sum()) / count
    squares = 0.0
    for position in range(first, end):
        whole[0] += target[order[position]]
    mean = whole[0] / count
    for position in range(first, end):
        squares += (target[order[position]] - mean) ** 2
    return squares


@njit(cache=True)
def _best_split(
    line: NDArray[np.uint8],
    target: NDArray[np.float64],
    order: NDArray[np.int64],
    first: int,
    end: int,
    classes: int,
    leaf_size: int,
    number: NDArray[np.int64],
    sums: NDArray[np.float64],
    left: NDArray[np.float64],
    whole: NDArray[np.float64],
) -> tuple[float, int]:
    """How much the best split by one predictor lowers the error, and the last bin that goes left."""
    low, high = BINS, -1
    count = end - first
    mean = whole[0] / count  # numbers are summed from the mean: nothing cancels
    for position in range(first, end):
        record = order[position]
        bin_of = int(line[record])
        number[bin_of] += 1
        if classes > 0:
            sums[bin_of, int(target[record])] += 1.0
        else:
            sums[bin_of, 0] += target[record] - mean
        low, high = min(low, bin_of), max(high, bin_of)
    left[:] = 0.0
    base = (whole**2).sum() / count if classes > 0 else 0.0
    records, best, split = 0, 0.0, -1
    for bin_of in range(low, high):
        if number[bin_of] == 0:
            continue
        records += number[bin_of]
        for each in range(len(left)):
            left[each] += sums[bin_of, each]
        if records < leaf_size:
            continue
        if count - records < leaf_size:
            break
        gain = 0.0
        if classes > 0:
            for each in range(classes):
                gain += left[each] ** 2 / records + (whole[each] - left[each]) ** 2 / (count - records)
            gain -= base
        else:
            gain = left[0] ** 2 / records + left[0] ** 2 / (count - records)
        if gain > best:
            best, split = gain, bin_of
    number[low : high + 1] = 0
    sums[low : high + 1] = 0.0
    return best, split


@njit(cache=True)
def _divide(
    line: NDArray[np.uint8],
    last: int,
    order: NDArray[np.int64],
    first: int,
    end: int,
    spare: NDArray[np.int64],
) -> int:
    """Put the records that go left before the others, each part in its own order; where the second part begins."""
    middle, kept = first, 0
    for position in range(first, end):
        record = order[position]
        if line[record] <= last:
            order[middle] = record
            middle += 1
        else:
            spare[kept] = record
            kept += 1
    order[middle:end] = spare[:kept]
    return middle


@njit(cache=True)
def _leaves(
    feature: NDArray[np.int32], threshold: NDArray[np.int32], child: NDArray[np.int64], bins: NDArray[np.uint8]
) -> NDArray[np.int64]:
    count = bins.shape[1]
    found = np.zeros(count, dtype=np.int64)
    for record in range(count):
        node = 0
        while feature[node] != LEAF:
            goes_right = bins[feature[node], record] > threshold[node]
            node = child[node] + (1 if goes_right else 0)
        found[record] = node
    return found
