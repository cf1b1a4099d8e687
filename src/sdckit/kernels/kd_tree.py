"""A kd-tree over the distinct rows of a file, missing values allowed.

Rows that miss different attributes are in separate trees, so that within a tree every row has the same coordinates. A
missing coordinate has NaN bounds: every comparison with them is false, so it neither excludes a row nor adds to a
distance between coordinates; what a row's missing values add is the same for all rows of a tree (`missing_cost`).
Lower bounds are computed by the same operations as the distances, so rounding never lifts a bound above a
distance and a search loses no tie.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.equivalence_classes import class_of, equal_rows
from sdckit.kernels.kd_order import kd_order
from sdckit.kernels.standardisation import mean_and_deviation

LEAF = 16  # rows in a leaf: far more or fewer would be found as well, and less quickly
NO_ROW = np.iinfo(np.int64).max  # above every row
DEPTH = 64  # pending nodes that there is memory for; halving stays far below it
MISSING_SHARE = 0.1  # of the expected squared difference to another record: between that of a match and that of none


class KdTree(NamedTuple):
    """Distinct rows in the order of the leaves, and the nodes in preorder: a node's left child comes right after it."""

    rows: NDArray[np.float64]
    multiplicity: NDArray[np.int64]
    first: NDArray[np.int64]  # the first row of the file equal to each
    position: NDArray[np.int64]  # index of each row of the file among the distinct rows
    roots: NDArray[np.int64]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    right: NDArray[np.int64]  # -1 for a leaf
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    total: NDArray[np.int64]  # rows of the file under the node
    lowest: NDArray[np.int64]  # the first row of the file under the node
    mean: NDArray[np.float64]  # of the observed values of each attribute
    variance: NDArray[np.float64]


def build_tree(values: NDArray[np.float64]) -> KdTree:
    """Build the tree of a file's rows."""
    classes = equal_rows(values)
    first = classes.first()
    distinct = np.ascontiguousarray(values[first], dtype=np.float64)
    missing = np.isnan(distinct)
    pattern = class_of(missing.astype(np.int64))
    parts = []
    for number, head in enumerate(pattern.first()):
        members = np.flatnonzero(pattern.of == number)
        parts.append(members[kd_order(np.ascontiguousarray(distinct[members][:, ~missing[head]]), LEAF)])
    order = np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    bounds = np.concatenate([[0], np.cumsum(pattern.sizes)])
    rows, multiplicity, first = distinct[order], classes.sizes[order], first[order]
    mean, deviation = mean_and_deviation(values)
    nodes = _nodes(rows, multiplicity, first, bounds)
    return KdTree(rows, multiplicity, first, position[classes.of], *nodes, mean, deviation**2)


def true_rows(tree: KdTree, truth: NDArray[np.int64]) -> NDArray[np.int64]:
    """The index of each record's true row among the distinct rows; -1 if it has none."""
    if not len(tree.position):
        return np.full(len(truth), -1)
    return np.where(truth >= 0, tree.position[np.maximum(truth, 0)], -1)


@njit(cache=True, nogil=True)
def _nodes(
    rows: NDArray[np.float64], multiplicity: NDArray[np.int64], first: NDArray[np.int64], bounds: NDArray[np.int64]
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.int64],
]:
    d = rows.shape[1]
    trees = len(bounds) - 1
    count = 0
    for tree in range(trees):
        count += 2 * ((bounds[tree + 1] - bounds[tree] + LEAF - 1) // LEAF) - 1
    roots = np.empty(trees, np.int64)
    start, stop, right = np.empty(count, np.int64), np.empty(count, np.int64), np.full(count, -1)
    lower, upper = np.full((count, d), np.nan), np.full((count, d), np.nan)
    total, lowest = np.zeros(count, np.int64), np.empty(count, np.int64)
    begins, ends, parents = np.empty(DEPTH, np.int64), np.empty(DEPTH, np.int64), np.empty(DEPTH, np.int64)
    node = 0
    for tree in range(trees):
        roots[tree] = node
        begins[0], ends[0], parents[0] = bounds[tree], bounds[tree + 1], -1
        depth = 1
        while depth > 0:
            depth -= 1
            begin, end, parent = begins[depth], ends[depth], parents[depth]
            if parent >= 0:
                right[parent] = node
            start[node], stop[node] = begin, end
            leaves = (end - begin + LEAF - 1) // LEAF
            if leaves > 1:
                middle = begin + (leaves + 1) // 2 * LEAF
                begins[depth], ends[depth], parents[depth] = middle, end, node
                begins[depth + 1], ends[depth + 1], parents[depth + 1] = begin, middle, -1
                depth += 2
            node += 1
    for node in range(count - 1, -1, -1):  # children before parents
        if right[node] >= 0:
            total[node] = total[node + 1] + total[right[node]]
            lowest[node] = min(lowest[node + 1], lowest[right[node]])
            for j in range(d):
                lower[node, j] = min(lower[node + 1, j], lower[right[node], j])
                upper[node, j] = max(upper[node + 1, j], upper[right[node], j])
            continue
        begin, end = start[node], stop[node]
        lowest[node] = first[begin]
        for row in range(begin, end):
            total[node] += multiplicity[row]
            lowest[node] = min(lowest[node], first[row])
            for j in range(d):
                lower[node, j] = min(lower[node, j], rows[row, j]) if row > begin else rows[row, j]
                upper[node, j] = max(upper[node, j], rows[row, j]) if row > begin else rows[row, j]
    return roots, start, stop, right, lower, upper, total, lowest


@njit(cache=True, nogil=True)
def missing_cost(tree: KdTree, root: int, known: NDArray[np.float64], record: int) -> float:
    """What the missing values of the rows under a root add to their squared distances from a known record.

    A missing value is a share of the expected squared difference away from a known one, the expectation over the
    observed values of the attribute. An attribute that is not known of the record adds nothing.
    """
    total = 0.0
    for j in range(known.shape[1]):
        value = known[record, j]
        if value == value and np.isnan(tree.lower[root, j]):
            total += MISSING_SHARE * ((value - tree.mean[j]) ** 2 + tree.variance[j])
    return total


@njit(cache=True, nogil=True)
def squared_distance(rows: NDArray[np.float64], row: int, known: NDArray[np.float64], record: int) -> float:
    """Sum of squared differences over the jointly observed attributes."""
    total = 0.0
    for j in range(known.shape[1]):
        gap = rows[row, j] - known[record, j]
        if gap == gap:
            total += gap * gap
    return total


@njit(cache=True, nogil=True)
def squared_distance_to_node(tree: KdTree, node: int, known: NDArray[np.float64], record: int) -> float:
    """A lower bound of the squared distance to every row under the node."""
    total = 0.0
    for j in range(known.shape[1]):
        value = known[record, j]
        gap = 0.0
        if value < tree.lower[node, j]:
            gap = tree.lower[node, j] - value
        elif value > tree.upper[node, j]:
            gap = value - tree.upper[node, j]
        total += gap * gap
    return total
