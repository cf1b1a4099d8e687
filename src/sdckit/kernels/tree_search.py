"""The likeliest items of each query by branch and bound in a likelihood tree, without evaluating all pairs."""

from typing import Any

import numpy as np

from sdckit.kernels.compiled import njit
from sdckit.kernels.likeliest_rows import Likeliest, insert, lift, reorder, replace_root
from sdckit.kernels.likelihood_tree import LEAF, Tree, bound, build_tree, range_peaks
from sdckit.kernels.log_likelihoods import Evidence, Floats, Indices, Side, log_likelihoods_at
from sdckit.kernels.row_blocks import over_row_blocks

BLOCK = 64  # queries given to a core at a time
NEGLIGIBLE = 1e-5  # share of the likelihood that items may have together which are neither listed nor evaluated
PATIENCE = 10_000  # items evaluated for the sake of the share that is left out, not of the list: bounds the time
EFFORT = 200_000  # items evaluated for a query, which bounds the time; of what is left then, only the bound is known
QUEUE = 50_000  # nodes that wait for a query: bounds the memory
STANDS_FOR, MOST_SAMPLED = 32, 16  # items that one stands for in an estimate, and items evaluated of a node


class LikelihoodIndex:
    """The items of some evidence in a tree, for searches by queries."""

    def __init__(
        self, evidence: Evidence, bucket_of_query: Indices, bucket_of_item: Indices, like: Tree | None = None
    ) -> None:
        self.tree = tree = build_tree(evidence, bucket_of_item, int(bucket_of_item.max(initial=-1)) + 1, like)
        self._peaks = range_peaks(evidence)
        self._buckets = np.where(np.isin(bucket_of_query, bucket_of_item), bucket_of_query, -1)  # −1: with no items
        items = evidence.items.taken(tree.order)
        self._evidence = evidence._replace(items=Side(*map(_by_item, items)))

    def likeliest(
        self,
        queries: Indices,
        most: int,
        patience: int = PATIENCE,
        effort: int = EFFORT,
        *,
        negligible: float = NEGLIGIBLE,
        least: float = 0.0,
    ) -> Likeliest:
        """The `most` likeliest items of some queries, without those whose likelihoods are together negligible.

        Items whose likelihood is below `least`, as a share of the largest one, are not looked for.

        `left_out` is a bound of what is not listed; for the estimate, some items of each node that was not searched
        stand for the others.
        """
        evidence, tree = self._evidence, self.tree
        asked = evidence.queries.taken(queries)
        buckets = self._buckets[queries]
        rows = np.full((len(queries), most), -1, dtype=np.int64)
        values = np.full((len(queries), most), -np.inf)
        left_out, estimate = np.full(len(queries), -np.inf), np.full(len(queries), -np.inf)
        fixed = (self._peaks, evidence.entries, evidence.starts, evidence.widths, asked, evidence.items)
        share = np.log(negligible) if negligible > 0 else -np.inf
        lowest = np.log(least) if least > 0 else -np.inf

        def part(start: int, stop: int) -> None:
            _search(
                start, stop, buckets, *fixed, tree, share, lowest, patience, effort, rows, values, left_out, estimate
            )
            likeliest_first = np.lexsort((rows[start:stop], -values[start:stop]))  # of equal ones, the first row
            reorder(rows[start:stop], values[start:stop], likeliest_first)

        over_row_blocks(len(queries), part, BLOCK)
        return Likeliest(rows, values, left_out, estimate)


def _by_item(values: Any) -> Any:
    """The same array with what belongs to one item together in memory.

    It has at least two lines and items, of which the queries ask for their own: with fewer, an array is in both orders,
    which is another type, and the search would be compiled once more for every mixture of such arrays.
    """
    if values.ndim == 1:
        return values
    by_item = np.zeros(np.maximum(values.shape, 2), values.dtype, order="F")
    by_item[: len(values), : values.shape[1]] = values
    return by_item


@njit(cache=True, nogil=True)
def _added(top: float, total: float, value: float) -> tuple[float, float]:
    """A log-sum, as its largest term and the sum relative to it, with one more term."""
    if value > top:
        return value, total * np.exp(top - value) + 1.0
    return top, total + np.exp(value - top) if value > -np.inf else total


@njit(cache=True, nogil=True)
def _search(
    start: int,
    stop: int,
    buckets: Indices,
    peaks: Floats,
    entries: Floats,
    starts: Indices,
    widths: Indices,
    queries: Side,
    items: Side,
    tree: Tree,
    share: float,
    lowest: float,
    patience: int,
    effort: int,
    rows: Indices,
    values: Floats,
    left_out: Floats,
    estimate: Floats,
) -> None:
    most = rows.shape[1]
    nodes, order = tree.nodes, tree.order
    pending, bounds = np.empty(QUEUE + 2, np.int64), np.empty(QUEUE + 2)
    room = max((QUEUE + 2) * MOST_SAMPLED, LEAF)  # of items that are evaluated together; unused memory costs nothing
    positions, found, stands_for = np.empty(room, np.int64), np.empty(room), np.empty(room)
    for query in range(start, stop):
        if buckets[query] < 0:
            continue
        heap, listed, size = values[query], rows[query], 0
        bounded = (
            -np.inf,
            0.0,
        )  # a log-sum: of what was evaluated and is not listed, and later of what is not searched
        estimated = bounded
        top, total = -np.inf, 0.0  # of everything evaluated
        root = tree.roots[buckets[query]]
        small = share - np.log(max(nodes.stop[root] - nodes.start[root], 1))
        evaluated, queued, skipped = 0, 1, False
        pending[0] = root
        bounds[0] = -bound(peaks, starts, widths, queries, items.hole, nodes, query, root)
        while queued > 0:
            node, limit = pending[0], -bounds[0]
            if limit == -np.inf:
                break  # the best bound comes first: no other node is possible
            skipped = evaluated >= effort or queued >= QUEUE or (total > 0 and limit < top + np.log(total) + small)
            if not skipped and size == most and limit < heap[0]:
                skipped = evaluated >= patience
            skipped |= limit < top + lowest
            if skipped:  # and so are all others
                estimated, samples = bounded, 0
                for index in range(queued):
                    first, count = nodes.start[pending[index]], nodes.stop[pending[index]] - nodes.start[pending[index]]
                    bounded = _added(*bounded, np.log(count) - bounds[index])
                    if -bounds[index] < top + small:
                        estimated = _added(*estimated, np.log(count) - bounds[index])
                        continue
                    some = min(1 + count // STANDS_FOR, MOST_SAMPLED)
                    for sample in range(some):
                        positions[samples] = first + (2 * sample + 1) * count // (2 * some)
                        stands_for[samples] = np.log(count / some)
                        samples += 1
                log_likelihoods_at(entries, starts, widths, queries, items, query, positions, samples, found)
                for sample in range(samples):
                    estimated = _added(*estimated, stands_for[sample] + found[sample])
                break
            queued -= 1
            if queued > 0:
                replace_root(bounds, pending, queued, bounds[queued], pending[queued])
            if nodes.right[node] >= 0:
                for child in (node + 1, nodes.right[node]):
                    below = bound(peaks, starts, widths, queries, items.hole, nodes, query, child)
                    if below > -np.inf:
                        lift(bounds, pending, queued, -below, child)
                        queued += 1
                continue
            first, count = nodes.start[node], nodes.stop[node] - nodes.start[node]
            for line in range(count):
                positions[line] = first + line
            log_likelihoods_at(entries, starts, widths, queries, items, query, positions, count, found)
            evaluated += count
            for line, value in enumerate(found[:count]):
                if value > -np.inf:
                    top, total = _added(top, total, value)
                    size, out = insert(heap, listed, size, most, value, order[first + line])
                    bounded = _added(*bounded, out)
        if not skipped:
            estimated = bounded
        left_out[query], estimate[query] = bounded[0] + np.log(bounded[1]), estimated[0] + np.log(estimated[1])
