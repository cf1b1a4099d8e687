"""The likeliest rows of each record: of all released rows that equalities leave, those with the largest log-likelihood.

Rows come in classes of equal ones. Classes and records lie in buckets by what must be equal, so that only pairs of one
bucket are evaluated; nothing is stored for the others.
"""

from typing import NamedTuple

import numpy as np

from sdckit.kernels.compiled import njit
from sdckit.kernels.log_likelihoods import ANY, UNKNOWN, Evidence, Floats, Indices, Side
from sdckit.kernels.row_blocks import over_row_blocks

BLOCK = 64  # records given to a core at a time
NEGLIGIBLE = -40.0  # a log-likelihood this far below another one adds nothing to a sum of floats


class Likeliest(NamedTuple):
    """For each record up to T classes of rows, likeliest first, with −1 behind the last.

    `left_out` is the log of the sum of the likelihoods of the possible classes that are not listed, or a bound of it;
    `estimate` is that sum or, where not all were evaluated, an estimate.
    """

    rows: Indices
    log_likelihood: Floats
    left_out: Floats
    estimate: Floats

    def taken(self, records: Indices) -> "Likeliest":
        """The lists of these records, in this order."""
        lists = self.rows[records], self.log_likelihood[records]
        return Likeliest(*lists, self.left_out[records], self.estimate[records])


def likeliest_rows(
    evidence: Evidence, bucket_of_record: Indices, bucket_starts: Indices, bucket_rows: Indices, most: int
) -> Likeliest:
    """The `most` likeliest rows of each record out of its bucket (−1: none)."""
    records = len(bucket_of_record)
    evidence = evidence._replace(items=evidence.items.taken(bucket_rows))
    rows = np.full((records, most), -1, dtype=np.int64)
    log_likelihood = np.full((records, most), -np.inf)
    left_out = np.full(records, -np.inf)

    def part(start: int, stop: int) -> None:
        _search(start, stop, bucket_of_record, bucket_starts, bucket_rows, *evidence, rows, log_likelihood, left_out)
        likeliest_first = np.argsort(-log_likelihood[start:stop], axis=1, kind="stable")
        reorder(rows[start:stop], log_likelihood[start:stop], likeliest_first)

    over_row_blocks(records, part, BLOCK)
    return Likeliest(rows, log_likelihood, left_out, left_out)


def reorder(rows: Indices, log_likelihood: Floats, order: Indices) -> None:
    """Bring the rows of each record into an order: numpy sorts them faster than a sort in a kernel is compiled."""
    rows[:] = np.take_along_axis(rows, order, axis=1)
    log_likelihood[:] = np.take_along_axis(log_likelihood, order, axis=1)


@njit(cache=True, nogil=True)
def lift(heap: Floats, items: Indices, size: int, value: float, item: int) -> None:
    """Insert into a heap whose root is the worst: the smallest value, of equal ones the largest item."""
    child = size
    while child > 0:
        parent = (child - 1) // 2
        if heap[parent] > value or (heap[parent] == value and items[parent] < item):
            heap[child], items[child] = heap[parent], items[parent]
            child = parent
        else:
            break
    heap[child], items[child] = value, item


@njit(cache=True, nogil=True)
def replace_root(heap: Floats, items: Indices, size: int, value: float, item: int) -> None:
    """Replace the root of the heap."""
    parent = 0
    while True:
        child = 2 * parent + 1
        if child >= size:
            break
        other = child + 1
        if other < size and (heap[other] < heap[child] or (heap[other] == heap[child] and items[other] > items[child])):
            child = other
        if heap[child] < value or (heap[child] == value and items[child] > item):
            heap[parent], items[parent] = heap[child], items[child]
            parent = child
        else:
            break
    heap[parent], items[parent] = value, item


@njit(cache=True, nogil=True)
def insert(heap: Floats, items: Indices, size: int, most: int, value: float, item: int) -> tuple[int, float]:
    """Insert into a heap of at most `most`; returns its size, and the value that was left out (−inf: none)."""
    if size < most:
        lift(heap, items, size, value, item)
        return size + 1, -np.inf
    if value > heap[0] or (value == heap[0] and item < items[0]):
        out = heap[0]
        replace_root(heap, items, most, value, item)
        return size, out
    return size, value


@njit(cache=True, nogil=True)
def _search(
    start: int,
    stop: int,
    bucket_of_record: Indices,
    bucket_starts: Indices,
    bucket_rows: Indices,
    entries: Floats,
    starts: Indices,
    widths: Indices,
    queries: Side,
    items: Side,
    rows: Indices,
    values: Floats,
    left_out: Floats,
) -> None:
    """Search the records from `start` to `stop`; the items are in the order of `bucket_rows`."""
    most = rows.shape[1]
    every = np.empty(len(bucket_rows))
    for record in range(start, stop):
        bucket = bucket_of_record[record]
        if bucket < 0:
            continue
        first, last = bucket_starts[bucket], bucket_starts[bucket + 1]
        _of_items(entries, starts, widths, queries, items, record, first, last, every)
        heap, listed, size = values[record], rows[record], 0
        for position in range(first, last):
            value = every[position - first]
            if value > -np.inf and (size < most or value >= heap[0]):
                size, _ = insert(heap, listed, size, most, value, bucket_rows[position])
        if size == most:
            worst = heap[0]
            as_bad = 0
            for value in heap:
                as_bad += value == worst
            beside = _sum_up_to(worst, every[: last - first]) - as_bad
            if beside > 0:
                left_out[record] = worst + np.log(beside)


@njit(cache=True, nogil=True)
def _sum_up_to(limit: float, values: Floats) -> float:
    """The sum of the exponentials of values up to a limit, relative to that of the limit."""
    total = 0.0
    for value in values:
        below = value - limit
        if NEGLIGIBLE < below <= 0.0:
            total += np.exp(below)
    return total


@njit(cache=True, nogil=True)
def _of_items(
    entries: Floats,
    starts: Indices,
    widths: Indices,
    queries: Side,
    items: Side,
    query: int,
    first: int,
    last: int,
    value: Floats,
) -> None:
    """The log-likelihoods of consecutive items for one query: as `log_likelihood`, one part after the other."""
    count = last - first
    value[:count] = 0.0
    for index in range(queries.codes.shape[0]):
        code, added = queries.codes[index, query], queries.penalty[index, query]
        if code != UNKNOWN:
            codes, penalty = items.codes[index, first:last], items.penalty[index, first:last]
            for item in range(count):
                unequal = penalty[item] + added
                value[item] += unequal if (code != codes[item]) & (codes[item] != ANY) else 0.0
    for index in range(queries.points.shape[0]):
        point, points = queries.points[index, query], items.points[index, first:last]
        if point == point:
            hole = items.hole[index]
            for item in range(count):
                gap = point - points[item]
                value[item] += -0.5 * gap * gap if gap == gap else hole
        else:
            hole = queries.hole[index]
            for item in range(count):
                value[item] += hole if points[item] == points[item] else 0.0
    for index in range(len(widths)):
        line = queries.tables[index, query]
        if line >= 0:
            begin = starts[index] + line * widths[index]
            of_line, columns = entries[begin : begin + widths[index]], items.tables[index, first:last]
            for item in range(count):
                value[item] += of_line[columns[item]]
    for index in range(queries.low.shape[0]):
        low, high = queries.low[index, query], queries.high[index, query]
        lowest, highest = items.low[index, first:last], items.high[index, first:last]
        for item in range(count):
            if (highest[item] < low) | (lowest[item] > high):
                value[item] = -np.inf
