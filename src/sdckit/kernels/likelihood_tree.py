"""A forest over items in which the log-likelihood of everything below a node is bounded, for each query.

Items lie in buckets by what must be equal; each bucket is a tree. Items are halved along the coordinate that divides
them most, and a node has the range of every code, point and interval of its items. A bound is summed up by the same
operations as a log-likelihood, so rounding never lowers it below the value of an item.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.kd_order import kd_order
from sdckit.kernels.log_likelihoods import ANY, UNKNOWN, Codes, Evidence, Floats, Indices, Side
from sdckit.kernels.sorted_positions import sorted_positions

LEAF = 16  # items in a leaf
COORDINATES = 8  # that items are halved along, at most
SAMPLE = 500  # queries that show how much a coordinate distinguishes
PEAKS = 50_000_000  # entries of the tables of maxima at most, which bounds the memory
REACH = 2.0  # standard deviations on either side that count as likely


class Ranges(NamedTuple):
    """What the items of each node have, a line for each node and a column for each table, code, point or interval.

    A node whose items miss some point has `missing`; one whose items miss all has an empty range.
    """

    table_low: Codes
    table_high: Codes
    code_low: Codes
    code_high: Codes
    penalty: Floats
    point_low: Floats
    point_high: Floats
    missing: NDArray[np.bool_]
    low: Floats
    high: Floats


class Nodes(NamedTuple):
    """Nodes in preorder, so that a left child follows its parent; `right` is −1 for a leaf.

    What a bound reads of a node lies together in memory. A line of `whole` has the lowest and the highest codes, which
    points are missing, and for each table a level, the first column, and where the last 2 to the power of the level
    columns begin; a line of `real` has lows, highs, penalties, lowest and highest points.
    """

    start: Indices
    stop: Indices
    right: Indices
    whole: Codes
    real: Floats


class Tree(NamedTuple):
    """The items in the order of the leaves, the nodes, and the root of each bucket."""

    order: Indices
    roots: Indices
    nodes: Nodes


def build_tree(evidence: Evidence, bucket_of_item: Indices, buckets: int, like: Tree | None = None) -> Tree:
    """The forest over the items; those with a negative bucket are left out.

    `like` is a tree of the same items for other evidence, whose order is taken over where there is one bucket.
    """
    if like is not None and buckets == len(like.roots) == 1 and len(like.order) == len(bucket_of_item):
        nodes = like.nodes
        return Tree(
            like.order, like.roots, _summarised(nodes.start, nodes.stop, nodes.right, evidence.items, like.order)
        )
    points = coordinates(evidence)
    by_bucket = np.argsort(bucket_of_item, kind="stable")
    bounds = np.searchsorted(bucket_of_item[by_bucket], np.arange(buckets + 1))
    order = _ordered(points, by_bucket, bounds)
    spans = leaf_spans(bounds)
    return Tree(order, spans[0], _summarised(*spans[1:], evidence.items, order))


def coordinates(evidence: Evidence) -> np.ndarray:
    """Coordinates of the items by rank, in units of the share of the items that a query finds likely."""
    queries, items = evidence.queries, evidence.items
    count, asked = queries.codes.shape[1], items.codes.shape[1]
    if not count or not asked:
        return np.zeros((asked, 1), dtype=np.float32)
    some = np.unique(np.linspace(0, count - 1, SAMPLE).astype(np.int64))
    found: list[tuple[float, Floats]] = []
    for index in range(len(queries.low)):
        middle = _middles(items.low[index], items.high[index])
        low, high = np.sort(items.low[index]), np.sort(items.high[index])
        reach = np.searchsorted(low, queries.high[index, some], "right") - np.searchsorted(
            high, queries.low[index, some]
        )
        found.append((float(reach.mean()) / asked, middle))
    for index in range(len(queries.points)):
        column, mine = items.points[index], queries.points[index, some]
        ordered = np.sort(column)
        reach = np.searchsorted(ordered, mine + REACH, "right") - np.searchsorted(ordered, mine - REACH)
        found.append((float(np.where(np.isnan(mine), asked, reach).mean()) / asked, np.nan_to_num(column)))
    for index in range(len(queries.codes)):
        column = items.codes[index]
        likely = np.bincount(np.maximum(column, 0)) / asked
        unlike = float(np.exp(np.minimum(items.penalty[index].mean(), 0.0)))
        found.append((float((likely**2).sum()) * (1 - unlike) + unlike, column.astype(np.float64)))
    for index, lines in enumerate(evidence.lines):
        start, width = evidence.starts[index], evidence.widths[index]
        entries = np.exp(np.minimum(evidence.entries[start : start + lines * width].reshape(lines, width), 50.0))
        margin = np.bincount(items.tables[index], minlength=width) / asked
        mean = entries @ margin
        likely = mean**2 / np.maximum(entries**2 @ margin, 1e-300)
        mine = queries.tables[index, some]
        found.append((float(np.where(mine < 0, 1.0, likely[mine]).mean()), items.tables[index].astype(np.float64)))
    telling = sorted((each for each in found if each[0] < 0.9), key=lambda each: each[0])[:COORDINATES]
    points = np.zeros((asked, max(len(telling), 1)), dtype=np.float32)
    for axis, (share, column) in enumerate(telling):
        below, up_to = sorted_positions(np.sort(column), column)
        points[:, axis] = (below + up_to) / (2 * asked * max(share, 1 / asked))
    return points


def _middles(low: Floats, high: Floats) -> Floats:
    """The middle of each interval; of one that is open on one side its other end, of one without any end 0."""
    below, above = np.isfinite(low), np.isfinite(high)
    first = np.where(below, low, np.where(above, high, 0.0))
    last = np.where(above, high, np.where(below, low, 0.0))
    return first / 2 + last / 2


def range_peaks(evidence: Evidence) -> Floats:
    """For each power of two, the largest of so many entries of a line of a table from each one on."""
    widest = int(evidence.widths.max(initial=1))
    levels = min(widest.bit_length(), max(PEAKS // max(len(evidence.entries), 1), 1))
    peaks = np.empty((levels, len(evidence.entries)))
    peaks[0] = evidence.entries
    for level in range(1, levels):
        peaks[level] = peaks[level - 1]
        half = 1 << (level - 1)
        for index, lines in enumerate(evidence.lines):
            start, width = evidence.starts[index], evidence.widths[index]
            table = slice(start, start + lines * width)
            below, out = peaks[level - 1, table].reshape(lines, width), peaks[level, table].reshape(lines, width)
            if half < width:
                out[:, : width - half] = np.maximum(below[:, : width - half], below[:, half:])
    return peaks


def _ordered(points: np.ndarray, by_bucket: Indices, bounds: Indices) -> Indices:
    """The items of each bucket in the order of leaves, bucket after bucket."""
    order = by_bucket.copy()
    for bucket in np.flatnonzero(np.diff(bounds) > LEAF):
        own = slice(bounds[bucket], bounds[bucket + 1])
        order[own] = by_bucket[own][kd_order(points[by_bucket[own]], LEAF)]
    return order


@njit(cache=True, nogil=True)
def leaf_spans(bounds: Indices) -> tuple[Indices, Indices, Indices, Indices]:
    """The roots, and the items from `start` to `stop` of each node in preorder with its right child."""
    buckets = len(bounds) - 1
    leaves = 0
    for bucket in range(buckets):
        leaves += max((bounds[bucket + 1] - bounds[bucket] + LEAF - 1) // LEAF, 1)
    roots = np.empty(buckets, np.int64)
    first, last, right = np.empty(2 * leaves, np.int64), np.empty(2 * leaves, np.int64), np.full(2 * leaves, -1)
    count = 0
    for bucket in range(buckets):
        roots[bucket] = count
        pending = [(bounds[bucket], bounds[bucket + 1], np.int64(-1))]
        while len(pending) > 0:
            start, stop, parent = pending.pop()
            node = count
            count += 1
            first[node], last[node] = start, stop
            if parent >= 0:
                right[parent] = node
            if stop - start <= LEAF:
                continue
            parts = (stop - start + LEAF - 1) // LEAF  # the same halving as in the order
            middle = start + (parts + 1) // 2 * LEAF
            pending.append((middle, stop, np.int64(node)))
            pending.append((start, middle, np.int64(-1)))
    return roots, first[:count].copy(), last[:count].copy(), right[:count].copy()


def _summarised(start: Indices, stop: Indices, right: Indices, items: Side, order: Indices) -> Nodes:
    """The nodes with the ranges of their items."""
    found = ranges(start, stop, right, items, order)
    width = np.maximum(found.table_high - found.table_low + 1, 1)
    level = np.frexp(width)[1].astype(np.int32) - 1
    tables = np.stack([level, found.table_low, found.table_high + 1 - (1 << level)], axis=2).reshape(len(start), -1)
    whole = np.concatenate([found.code_low, found.code_high, found.missing, tables], axis=1, dtype=np.int32)
    real = np.concatenate([found.low, found.high, found.penalty, found.point_low, found.point_high], axis=1)
    return Nodes(start, stop, right, whole, real)


def ranges(start: Indices, stop: Indices, right: Indices, items: Side, order: Indices) -> Ranges:
    """The ranges of the items below each node."""
    parents = np.flatnonzero(right >= 0)
    leaves = np.flatnonzero((right < 0) & (stop > start))
    level = np.setdiff1d(np.arange(len(start)), np.concatenate([parents + 1, right[parents]]))
    levels = []
    while len(level):
        above = level[right[level] >= 0]
        levels.append(above)
        level = np.concatenate([above + 1, right[above]])

    def extremes(smaller_or_larger: np.ufunc, columns: NDArray[Any], of_none: float, dtype: type) -> Any:
        found: NDArray[Any] = np.full((len(start), len(columns)), of_none, dtype)
        for index, column in enumerate(columns):
            found[leaves, index] = smaller_or_larger.reduceat(column[order], start[leaves]) if len(leaves) else of_none
        for above in reversed(levels):
            found[above] = smaller_or_larger(found[above + 1], found[right[above]])
        return found

    limits = np.iinfo(np.int32)
    anything = items.codes == ANY
    missing = np.isnan(items.points)
    return Ranges(
        extremes(np.minimum, items.tables, limits.max, np.int32),
        extremes(np.maximum, items.tables, -1, np.int32),
        extremes(np.minimum, np.where(anything, np.int32(limits.min), items.codes), limits.max, np.int32),
        extremes(np.maximum, np.where(anything, np.int32(limits.max), items.codes), limits.min, np.int32),
        extremes(np.maximum, items.penalty, -np.inf, np.float64),
        extremes(np.minimum, np.where(missing, np.inf, items.points), np.inf, np.float64),
        extremes(np.maximum, np.where(missing, -np.inf, items.points), -np.inf, np.float64),
        extremes(np.logical_or, missing, False, np.bool_),
        extremes(np.minimum, np.where(np.isnan(items.low), -np.inf, items.low), np.inf, np.float64),
        extremes(np.maximum, np.where(np.isnan(items.high), np.inf, items.high), -np.inf, np.float64),
    )


@njit(cache=True, nogil=True, inline="always")
def bound(
    peaks: Floats, starts: Indices, widths: Indices, queries: Side, hole: Floats, nodes: Nodes, query: int, node: int
) -> float:
    """No item below the node has a larger log-likelihood for the query; `hole` is that of the items."""
    whole, real = nodes.whole, nodes.real
    intervals, codes, points = len(queries.low), len(queries.codes), len(queries.points)
    for index in range(intervals):
        if real[node, intervals + index] < queries.low[index, query] or real[node, index] > queries.high[index, query]:
            return -np.inf
    value = 0.0
    for index in range(codes):
        code = queries.codes[index, query]
        if code != UNKNOWN:
            unequal = real[node, 2 * intervals + index] + queries.penalty[index, query]
            if code < whole[node, index] or code > whole[node, codes + index] or unequal > 0:
                value += unequal
    for index in range(points):
        point, missing = queries.points[index, query], whole[node, 2 * codes + index]
        if point == point:
            lowest = 2 * intervals + codes + index
            gap = max(real[node, lowest] - point, point - real[node, lowest + points], 0.0)
            most = -0.5 * gap * gap
            if missing:
                most = max(most, hole[index])
            value += most
        elif missing:
            value += max(queries.hole[index], 0.0)
        else:
            value += queries.hole[index]
    for index in range(len(widths)):
        line = queries.tables[index, query]
        if line >= 0:
            at = starts[index] + line * widths[index]
            field = 2 * codes + points + 3 * index
            level, first, last = whole[node, field], at + whole[node, field + 1], at + whole[node, field + 2]
            if level < len(peaks):
                value += max(peaks[level, first], peaks[level, last])
            else:  # tables too large for all levels: the largest of several shorter ranges
                step = 1 << (len(peaks) - 1)
                last += (1 << level) - step
                most = peaks[len(peaks) - 1, last]
                for column in range(first, last, step):
                    most = max(most, peaks[len(peaks) - 1, column])
                value += most
    return value
