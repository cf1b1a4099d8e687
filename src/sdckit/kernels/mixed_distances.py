"""Linkage of records of numbers and categories: each known record's nearest released rows, ties included."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.equivalence_classes import class_of, equal_rows
from sdckit.kernels.kd_tree import NO_ROW
from sdckit.kernels.missing_costs import missing_costs
from sdckit.kernels.mixed_in_blocks import mixed_links_in_blocks, tree_excludes_little
from sdckit.kernels.mixed_tree import (
    DEPTH,
    MixedRecords,
    MixedTree,
    Trees,
    category_distances,
    distance,
    distance_to_box,
    mixed_tree,
    observed,
)
from sdckit.kernels.nearest import TOLERANCE, Links
from sdckit.kernels.nearest_of_few import PAIRS
from sdckit.kernels.row_blocks import over_row_blocks

BLOCK = 256  # known records handed to a core at a time
MEAN = 2  # how many times as long a mixed difference takes as one that is squared
NONE = -1


def mixed_links(
    known: MixedRecords,
    released: MixedRecords,
    trees: Trees,
    truth: NDArray[np.int64],
    *,
    tolerance: float = TOLERANCE,
) -> Links:
    """Link each known record to the released rows at the least distance; ties and `truth` are as in `nearest_links`.

    A missing value of a row counts as a share of the expected distance (`missing_costs`).
    """
    m = len(truth)
    if len(released.nodes) == 0 or m == 0:
        return Links(np.full(m, np.inf), np.zeros(m, np.int64), np.zeros(m, np.bool_), np.full(m, NONE))
    pairs = m * len(released.nodes)
    if pairs <= PAIRS or spared(_link, pairs * MEAN * (known.numbers.shape[1] + known.nodes.shape[1])):
        return Links(*mixed_links_in_blocks(known, released, trees, truth, tolerance))
    return links_by_tree(known, released, trees, truth, tolerance)


def links_by_tree(
    known: MixedRecords,
    released: MixedRecords,
    trees: Trees,
    truth: NDArray[np.int64],
    tolerance: float = TOLERANCE,
) -> Links:
    """The same links of one record or more to one row or more, by a tree, or by all pairs where it excludes little."""
    m = len(truth)
    links = Links(np.full(m, np.inf), np.zeros(m, np.int64), np.zeros(m, np.bool_), np.full(m, NONE))
    of_numbers = equal_rows(released.numbers).of if released.numbers.shape[1] else np.zeros(len(released.nodes))
    classes = class_of(np.column_stack([of_numbers, released.nodes]).astype(np.int64))
    tree = mixed_tree(released.take(classes.first()))
    true_row = _positions(tree, np.where(truth >= 0, classes.of[np.maximum(truth, 0)], NONE))
    multiplicity, first = classes.sizes[tree.order], classes.first()[tree.order]
    records, costs = known.take(np.arange(m)), missing_costs(known, released, trees)
    rows = len(released.nodes)
    if m * rows > PAIRS and tree_excludes_little(tree, rows, records, costs, trees):
        return Links(*mixed_links_in_blocks(known, released, trees, truth, tolerance))
    over_row_blocks(
        m,
        lambda start, stop: _link(
            records, costs, tree, multiplicity, first, trees, true_row, tolerance, start, stop, links
        ),
        BLOCK,
    )
    return links


def shares_of_ties_inside(
    known: MixedRecords,
    released: MixedRecords,
    trees: Trees,
    left_out: NDArray[np.int64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    values: NDArray[np.float64],
    *,
    tolerance: float = TOLERANCE,
) -> NDArray[np.float64]:
    """Of the released rows at the least distance, the share whose value lies in the known record's interval.

    `lower`, `upper` (known records) and `values` (released rows) have one column per attribute. `left_out` is a row
    that a record is not compared with, -1 for none. A missing value is in no interval; without a row to compare the
    share is 0.
    """
    m = len(lower)
    shares = np.zeros(lower.shape)
    if len(released.nodes) == 0 or m == 0:
        return shares
    tree = mixed_tree(released)
    skipped = _positions(tree, left_out)
    costs = missing_costs(known, released, trees)
    records, sorted_values = known.take(np.arange(m)), np.ascontiguousarray(values[tree.order])
    over_row_blocks(
        m,
        lambda start, stop: _inside(
            records, costs, tree, trees, skipped, tolerance, lower, upper, sorted_values, start, stop, shares
        ),
        BLOCK,
    )
    return shares


def distances_by_attribute(known: MixedRecords, released: MixedRecords, trees: Trees) -> NDArray[np.float64]:
    """Each attribute's distance between the first known record and every released row; NaN where a value is missing."""
    numbers = np.abs(released.numbers - known.numbers[0])
    nodes = np.full(released.nodes.shape, np.nan)
    for j, mine in enumerate(known.nodes[0]):
        if mine >= 0:
            seen = released.nodes[:, j] >= 0
            nodes[seen, j] = category_distances(trees, mine, released.nodes[seen, j], j)
    return np.hstack([numbers, nodes])


def _positions(tree: MixedTree, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The position of each of these rows in the order of the tree; -1 stays -1."""
    position = np.empty(len(tree.order), dtype=np.int64)
    position[tree.order] = np.arange(len(tree.order))
    return np.where(rows >= 0, position[np.maximum(rows, 0)], NONE)


@njit(cache=True, nogil=True)
def _least(
    known: MixedRecords,
    record: int,
    attributes: int,
    costs: NDArray[np.float64],
    tree: MixedTree,
    trees: Trees,
    skipped: int,
    smallest: float,
    boxes: NDArray[np.int64],
    bounds: NDArray[np.float64],
) -> float:
    """The minimum of a distance found before and those in the tree, nearer half first."""
    boxes[0], bounds[0] = 0, distance_to_box(known, record, attributes, costs, tree, 0, trees)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        box = boxes[waiting]
        if bounds[waiting] >= smallest:
            continue
        if tree.right[box] < 0:
            for row in range(tree.start[box], tree.stop[box]):
                if row != skipped:
                    smallest = min(smallest, distance(known, record, attributes, costs, tree, row, trees, smallest))
            continue
        left, right = box + 1, tree.right[box]
        to_left = distance_to_box(known, record, attributes, costs, tree, left, trees)
        to_right = distance_to_box(known, record, attributes, costs, tree, right, trees)
        if to_left < to_right:
            left, right, to_left, to_right = right, left, to_right, to_left
        boxes[waiting], bounds[waiting] = left, to_left
        boxes[waiting + 1], bounds[waiting + 1] = right, to_right
        waiting += 2
    return smallest


@njit(cache=True, nogil=True)
def _leaves_within(
    known: MixedRecords,
    record: int,
    attributes: int,
    costs: NDArray[np.float64],
    tree: MixedTree,
    trees: Trees,
    limit: float,
    boxes: NDArray[np.int64],
    leaves: NDArray[np.int64],
) -> int:
    """List the leaves that may contain a row within the limit; returns their number."""
    boxes[0] = 0
    waiting, found = 1, 0
    while waiting > 0:
        waiting -= 1
        box = boxes[waiting]
        # A bound is summed in another order than a distance and may differ by rounding.
        if distance_to_box(known, record, attributes, costs, tree, box, trees) * (1 - TOLERANCE) > limit:
            continue
        if tree.right[box] < 0:
            leaves[found] = box
            found += 1
        else:
            boxes[waiting], boxes[waiting + 1] = tree.right[box], box + 1
            waiting += 2
    return found


@njit(cache=True, nogil=True)
def _link(
    known: MixedRecords,
    costs: NDArray[np.float64],
    tree: MixedTree,
    multiplicity: NDArray[np.int64],
    first: NDArray[np.int64],
    trees: Trees,
    true_row: NDArray[np.int64],
    tolerance: float,
    start: int,
    stop: int,
    links: Links,
) -> None:
    boxes, bounds, leaves = np.empty(DEPTH, np.int64), np.empty(DEPTH), np.empty(len(tree.right), np.int64)
    for record in range(start, stop):
        attributes = observed(known, record)
        own = np.inf
        if true_row[record] >= 0:  # the distance to the true row bounds the least one from the start
            own = distance(known, record, attributes, costs, tree, true_row[record], trees, np.inf)
        least = _least(known, record, attributes, costs, tree, trees, NONE, own, boxes, bounds)
        limit = least * (1 + tolerance)
        ties, nearest = 0, NO_ROW
        for leaf in leaves[: _leaves_within(known, record, attributes, costs, tree, trees, limit, boxes, leaves)]:
            for row in range(tree.start[leaf], tree.stop[leaf]):
                if distance(known, record, attributes, costs, tree, row, trees, limit) <= limit:
                    ties += multiplicity[row]
                    nearest = min(nearest, first[row])
        links.distance[record] = least
        links.ties[record] = ties
        links.truth_tied[record] = true_row[record] >= 0 and own <= limit
        links.nearest[record] = nearest if ties > 0 else NONE


@njit(cache=True, nogil=True)
def _inside(
    known: MixedRecords,
    costs: NDArray[np.float64],
    tree: MixedTree,
    trees: Trees,
    skipped: NDArray[np.int64],
    tolerance: float,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    values: NDArray[np.float64],
    start: int,
    stop: int,
    shares: NDArray[np.float64],
) -> None:
    boxes, bounds, leaves = np.empty(DEPTH, np.int64), np.empty(DEPTH), np.empty(len(tree.right), np.int64)
    for record in range(start, stop):
        attributes = observed(known, record)
        limit = _least(known, record, attributes, costs, tree, trees, skipped[record], np.inf, boxes, bounds) * (
            1 + tolerance
        )
        ties = 0
        for leaf in leaves[: _leaves_within(known, record, attributes, costs, tree, trees, limit, boxes, leaves)]:
            for row in range(tree.start[leaf], tree.stop[leaf]):
                if (
                    row != skipped[record]
                    and distance(known, record, attributes, costs, tree, row, trees, limit) <= limit
                ):
                    ties += 1
                    for j in range(lower.shape[1]):
                        shares[record, j] += lower[record, j] <= values[row, j] <= upper[record, j]
        if ties > 0:
            for j in range(lower.shape[1]):
                shares[record, j] /= ties
