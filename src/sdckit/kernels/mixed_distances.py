"""Distances between records of numbers and categories (Gower 1971), and each known record's nearest released rows.

An attribute adds between 0 and 1: numbers, scaled already, their difference; categories, how far apart they are in a
tree. The distance is the mean over the attributes that both have; where they have none in common it is infinite.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import class_of, equal_rows
from sdckit.kernels.nearest import TOLERANCE, Links
from sdckit.kernels.row_blocks import over_row_blocks

BLOCK = 64  # known records handed to a core at a time: each may look at every released row


class MixedRecords(NamedTuple):
    """Records as numbers (NaN: missing) and categories (a node of `Trees`, -1: missing), a row a record."""

    numbers: NDArray[np.float64]
    nodes: NDArray[np.int32]

    def take(self, rows: NDArray[np.int64]) -> "MixedRecords":
        """These records."""
        return MixedRecords(self.numbers[rows], self.nodes[rows])


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


class _Rows(NamedTuple):
    """Distinct released rows in the order of their leading number, those without one last."""

    numbers: NDArray[np.float64]
    nodes: NDArray[np.int32]
    multiplicity: NDArray[np.int64]
    first: NDArray[np.int64]  # the lowest of the equal rows
    led: int  # rows that have the leading number
    lead: int  # which number leads, -1: there is none


def mixed_links(
    known: MixedRecords,
    released: MixedRecords,
    trees: Trees,
    truth: NDArray[np.int64],
    *,
    tolerance: float = TOLERANCE,
) -> Links:
    """Link each known record to the released rows at the least distance; ties and `truth` as in `nearest_links`."""
    m = len(truth)
    links = Links(np.full(m, np.inf), np.zeros(m, np.int64), np.zeros(m, np.bool_), np.full(m, -1))
    if len(released.nodes) == 0 or m == 0:
        return links
    rows, place = _distinct(released)
    home = np.where(truth >= 0, place[np.maximum(truth, 0)], -1)
    numbers, nodes = _contiguous(known)
    over_row_blocks(
        m, lambda start, stop: _link(numbers, nodes, rows, trees, home, tolerance, start, stop, links), BLOCK
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

    One column an attribute of `lower`, `upper` (known records) and `values` (released rows). `left_out` is a row that
    a record is not compared with, -1 for none. A missing value is in no interval; with no row to compare, 0.
    """
    shares = np.zeros(lower.shape)
    if len(released.nodes) == 0 or len(lower) == 0:
        return shares
    lead, order, led = _order(released.numbers)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    rows = _Rows(*_contiguous(released.take(order)), np.ones(len(order), np.int64), order, led, lead)
    skipped = np.where(left_out >= 0, place[np.maximum(left_out, 0)], -1)
    numbers, nodes = _contiguous(known)
    sorted_values = np.ascontiguousarray(values[order])
    over_row_blocks(
        len(lower),
        lambda start, stop: _inside(
            numbers, nodes, rows, trees, skipped, tolerance, lower, upper, sorted_values, start, stop, shares
        ),
        BLOCK,
    )
    return shares


def distances_by_attribute(known: MixedRecords, released: MixedRecords, trees: Trees) -> NDArray[np.float64]:
    """What each attribute adds between the first known record and every released row, NaN where one has it not."""
    numbers = np.abs(released.numbers - known.numbers[0])
    nodes = np.full(released.nodes.shape, np.nan)
    for j, mine in enumerate(known.nodes[0]):
        for theirs in np.unique(released.nodes[:, j]):
            if mine >= 0 and theirs >= 0:
                apart = 0.0 if mine == theirs else _apart(trees, mine, theirs, trees.heights[j])
                nodes[released.nodes[:, j] == theirs, j] = apart
    return np.hstack([numbers, nodes])


def _contiguous(records: MixedRecords) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    return (
        np.ascontiguousarray(records.numbers, dtype=np.float64),
        np.ascontiguousarray(records.nodes, dtype=np.int32),
    )


def _order(numbers: NDArray[np.float64]) -> tuple[int, NDArray[np.int64], int]:
    """The number with the most distinct values, the rows in its order, and how many have it."""
    if not numbers.shape[1]:
        return -1, np.arange(len(numbers)), 0
    lead = int(np.argmax([len(np.unique(column[~np.isnan(column)])) for column in numbers.T]))
    return lead, np.argsort(numbers[:, lead], kind="stable"), int((~np.isnan(numbers[:, lead])).sum())


def _distinct(released: MixedRecords) -> tuple[_Rows, NDArray[np.int64]]:
    """The distinct rows, and which of them each released row is."""
    of_numbers = equal_rows(released.numbers).of if released.numbers.shape[1] else np.zeros(len(released.nodes))
    classes = class_of(np.column_stack([of_numbers, released.nodes]).astype(np.int64))
    first = classes.first()
    lead, order, led = _order(released.numbers[first])
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    rows = _Rows(*_contiguous(released.take(first[order])), classes.sizes[order], first[order], led, lead)
    return rows, place[classes.of]


@njit(cache=True, nogil=True)
def _distance(
    numbers: NDArray[np.float64],
    nodes: NDArray[np.int32],
    record: int,
    rows: _Rows,
    row: int,
    trees: Trees,
    limit: float,
) -> float:
    """The mean of what the attributes add; infinite as soon as it is beyond the limit."""
    total, shared = 0.0, 0
    most = numbers.shape[1] + nodes.shape[1]
    for j in range(numbers.shape[1]):
        gap = abs(numbers[record, j] - rows.numbers[row, j])
        if gap == gap:  # neither is missing
            total += gap
            shared += 1
    if total > limit * most:
        return np.inf
    for j in range(nodes.shape[1]):
        mine, theirs = nodes[record, j], rows.nodes[row, j]
        if mine >= 0 and theirs >= 0:
            shared += 1
            if mine != theirs:
                total += _apart(trees, mine, theirs, trees.heights[j])
    return total / shared if shared > 0 else np.inf


@njit(cache=True, nogil=True)
def _apart(trees: Trees, one: int, other: int, height: float) -> float:
    shorter = min(trees.depths[one], trees.depths[other])
    common = 0
    while common < shorter and trees.paths[one, common] == trees.paths[other, common]:
        common += 1
    return 0.0 if common == shorter else 1.0 - common / height


@njit(cache=True, nogil=True)
def _middle(numbers: NDArray[np.float64], record: int, rows: _Rows) -> int:
    """Where the record would stand among the rows that have the leading number; -1 where it does not have it."""
    if rows.lead < 0 or numbers[record, rows.lead] != numbers[record, rows.lead]:
        return -1
    return int(np.searchsorted(rows.numbers[: rows.led, rows.lead], numbers[record, rows.lead]))


@njit(cache=True, nogil=True)
def _least(
    numbers: NDArray[np.float64],
    nodes: NDArray[np.int32],
    record: int,
    rows: _Rows,
    trees: Trees,
    middle: int,
    skipped: int,
    least: float,
) -> float:
    """The least distance: outwards from the middle until the leading number alone is too far."""
    most = numbers.shape[1] + nodes.shape[1]
    start = 0 if middle < 0 else rows.led
    for row in range(start, len(rows.numbers)):
        if row != skipped:
            least = min(least, _distance(numbers, nodes, record, rows, row, trees, least))
    if middle >= 0:
        mine = numbers[record, rows.lead]
        left, right = middle - 1, middle
        while left >= 0 or right < rows.led:
            if left >= 0:
                if mine - rows.numbers[left, rows.lead] > least * most:
                    left = -1
                else:
                    if left != skipped:
                        least = min(least, _distance(numbers, nodes, record, rows, left, trees, least))
                    left -= 1
            if right < rows.led:
                if rows.numbers[right, rows.lead] - mine > least * most:
                    right = rows.led
                else:
                    if right != skipped:
                        least = min(least, _distance(numbers, nodes, record, rows, right, trees, least))
                    right += 1
    return least


@njit(cache=True, nogil=True)
def _span(
    numbers: NDArray[np.float64], record: int, rows: _Rows, most: int, middle: int, limit: float
) -> tuple[int, int]:
    """The rows whose leading number alone is not too far; all of them where the record does not have it."""
    if middle < 0:
        return 0, rows.led
    mine, low, high = numbers[record, rows.lead], middle, middle
    while low > 0 and mine - rows.numbers[low - 1, rows.lead] <= limit * most:
        low -= 1
    while high < rows.led and rows.numbers[high, rows.lead] - mine <= limit * most:
        high += 1
    return low, high


@njit(cache=True, nogil=True)
def _link(
    numbers: NDArray[np.float64],
    nodes: NDArray[np.int32],
    rows: _Rows,
    trees: Trees,
    home: NDArray[np.int64],
    tolerance: float,
    start: int,
    stop: int,
    links: Links,
) -> None:
    most = numbers.shape[1] + nodes.shape[1]
    for record in range(start, stop):
        own = np.inf
        if home[record] >= 0:  # the distance to the true row bounds the least one from the start
            own = _distance(numbers, nodes, record, rows, home[record], trees, np.inf)
        middle = _middle(numbers, record, rows)
        least = _least(numbers, nodes, record, rows, trees, middle, -1, own)
        limit = least * (1 + tolerance)
        ties, nearest = 0, np.iinfo(np.int64).max
        low, high = _span(numbers, record, rows, most, middle, limit)
        for at in range(high - low + len(rows.numbers) - rows.led):
            row = low + at if at < high - low else rows.led + at - (high - low)
            if _distance(numbers, nodes, record, rows, row, trees, limit) <= limit:
                ties += rows.multiplicity[row]
                nearest = min(nearest, rows.first[row])
        links.distance[record] = least
        links.ties[record] = ties
        links.among[record] = home[record] >= 0 and own <= limit
        links.nearest[record] = nearest if ties > 0 else -1


@njit(cache=True, nogil=True)
def _inside(
    numbers: NDArray[np.float64],
    nodes: NDArray[np.int32],
    rows: _Rows,
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
    most = numbers.shape[1] + nodes.shape[1]
    for record in range(start, stop):
        middle = _middle(numbers, record, rows)
        limit = _least(numbers, nodes, record, rows, trees, middle, skipped[record], np.inf) * (1 + tolerance)
        ties = 0
        low, high = _span(numbers, record, rows, most, middle, limit)
        for at in range(high - low + len(rows.numbers) - rows.led):
            row = low + at if at < high - low else rows.led + at - (high - low)
            if row != skipped[record] and _distance(numbers, nodes, record, rows, row, trees, limit) <= limit:
                ties += 1
                for j in range(lower.shape[1]):
                    if lower[record, j] <= values[row, j] <= upper[record, j]:
                        shares[record, j] += 1
        if ties > 0:
            for j in range(lower.shape[1]):
                shares[record, j] /= ties
