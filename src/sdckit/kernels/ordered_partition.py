"""The best partition of records into runs of a given order (Hansen & Mukherjee 2003; Domingo-Ferrer et al. 2006)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import COMPILED_SOON, compiled_or_not, njit, spared
from sdckit.kernels.partitions import require_enough_records

BLOCK = 1024  # ends of groups whose costs are computed at a time: they stay in the cache
END = 6000  # differences squared and added up by numpy in the time in which it finds the best group with a given end


def best_partition_of_order(
    points: NDArray[np.float64], order: NDArray[np.int64], group_size: int
) -> NDArray[np.int64]:
    """Cut the order into runs of k to 2k-1 records with the least sum of squared errors, in time O(n k d).

    Groups are numbered along the order. Among equally good cuts the one whose last group starts first is taken.
    """
    require_enough_records(len(points), group_size)
    return label_runs(order, best_starts(np.ascontiguousarray(points[order].T), group_size))


def best_starts(columns: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """Where the groups start: a shortest path over their ends, g(j) = min over k <= j-i <= 2k-1 of g(i) + c(i, j).

    `columns` has the coordinates of the records in their order, one row per coordinate.
    """
    few = spared(_best_starts, columns.shape[1] * END, COMPILED_SOON)
    return best_starts_of_few(columns, group_size) if few else _best_starts(columns, group_size)


def best_starts_of_few(columns: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """The same without the compiler, to the last bit."""
    count = columns.shape[1]
    ends = np.arange(group_size, count + 1)
    cost = np.zeros((group_size, len(ends)))
    for column in columns:
        total, squares = np.zeros(len(ends)), np.zeros(len(ends))
        for size in range(2, 2 * group_size):
            reached = slice(max(0, size - group_size), None)  # the ends of groups as large
            gap = column[ends[reached] - 1] - column[ends[reached] - size]
            total[reached] += gap
            squares[reached] += gap * gap
            if size >= group_size:
                cost[size - group_size, reached] += squares[reached] - total[reached] * total[reached] / size
    best = np.full(count + 1, np.inf)
    best[0] = 0.0
    size_of_last = np.zeros(count + 1, np.int32)
    sizes = np.arange(2 * group_size - 1, group_size - 1, -1)
    for end in ends:
        possible = sizes[sizes <= end] if end < len(sizes) + group_size else sizes
        totals = best[end - possible] + cost[possible - group_size, end - group_size]
        least = int(np.argmin(totals))
        if totals[least] < np.inf:
            best[end], size_of_last[end] = totals[least], possible[least]
    return compiled_or_not(_trace_back, count)(size_of_last)


@njit(cache=True, nogil=True)
def _best_starts(columns: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    count = columns.shape[1]
    best = np.full(count + 1, np.inf)
    best[0] = 0.0
    size_of_last = np.zeros(count + 1, np.int32)
    cost = np.empty((group_size, BLOCK))
    for first in range(group_size, count + 1, BLOCK):
        ends = min(BLOCK, count + 1 - first)
        cost[:] = 0.0
        for column in columns:
            _add_costs(column, first, ends, group_size, cost)
        for offset in range(ends):
            end = first + offset
            least, size = np.inf, 0
            for candidate in range(min(2 * group_size - 1, end), group_size - 1, -1):
                total = best[end - candidate] + cost[candidate - group_size, offset]
                better = total < least
                least = total if better else least
                size = candidate if better else size
            best[end] = least
            size_of_last[end] = size
    return _trace_back(size_of_last)


@njit(cache=True, nogil=True)
def _add_costs(v: NDArray[np.float64], first: int, ends: int, group_size: int, cost: NDArray[np.float64]) -> None:
    """Add to cost[m - k, e] the sum of squares about their mean of the m values before position first + e.

    Measured from the last value of the group, as Σd² - (Σd)²/m: this value belongs to the group, so no more than a
    factor m of precision is lost, however far the values are from zero.
    """
    total, squares = np.zeros(BLOCK), np.zeros(BLOCK)
    for size in range(2, 2 * group_size):
        skipped = max(0, size - first)
        if skipped >= ends:
            return  # no group is as large
        last = v[first - 1 + skipped : first - 1 + ends]
        added = v[first - size + skipped : first - size + ends]
        s, q = total[skipped:ends], squares[skipped:ends]
        for e in range(len(added)):
            gap = last[e] - added[e]
            s[e] += gap
            q[e] += gap * gap
        if size >= group_size:
            c = cost[size - group_size, skipped:ends]
            for e in range(len(added)):
                c[e] += q[e] - s[e] * s[e] / size


@njit(cache=True, nogil=True)
def _trace_back(size_of_last: NDArray[np.int32]) -> NDArray[np.int64]:
    starts = np.empty(len(size_of_last), np.int64)
    first = len(starts)
    end = len(size_of_last) - 1
    while end > 0:
        end -= size_of_last[end]
        first -= 1
        starts[first] = end
    return starts[first:].copy()


def label_runs(order: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number the records by the run of the order they lie in."""
    labels = np.empty(len(order), np.int64)
    labels[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(order)))
    return labels
