"""Optimal univariate microaggregation (Hansen & Mukherjee 2003)."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sdckit.kernels.partitions import require_enough_records
from sdckit.kernels.stable_order import stable_order

BLOCK = 1024  # ends of groups whose costs are held at a time: they stay in the cache


def optimal_univariate(values: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """Partition the values into groups of at least `group_size` with the least sum of squared errors.

    Groups are runs of the sorted values, of k to 2k-1 records, numbered by rising value. Among equally good
    partitions the one whose last group starts first is taken, and so on downwards; equal values keep their order.
    """
    require_enough_records(len(values), group_size)
    order = stable_order(np.ascontiguousarray(values))
    return _label_runs(order, _starts(_take(values, order), group_size))


def partition_sorted(sorted_values: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """The places where the groups of the optimal partition of sorted values start; the first is 0."""
    require_enough_records(len(sorted_values), group_size)
    return _starts(np.ascontiguousarray(sorted_values), group_size)


@njit(cache=True, nogil=True)
def _starts(v: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """Shortest path over the ends of groups: g(j) = min over k <= j-i <= 2k-1 of g(i) + c(i, j)."""
    count = len(v)
    widest = 2 * group_size - 1
    best = np.full(count + 1, np.inf)
    best[0] = 0.0
    size_of_last = np.zeros(count + 1, np.int32)
    cost = np.empty((group_size, BLOCK))
    for first in range(group_size, count + 1, BLOCK):
        ends = min(BLOCK, count + 1 - first)
        _costs(v, first, ends, group_size, cost)
        for offset in range(ends):
            end = first + offset
            least, size = np.inf, 0
            for candidate in range(min(widest, end), group_size - 1, -1):
                total = best[end - candidate] + cost[candidate - group_size, offset]
                better = total < least
                least = total if better else least
                size = candidate if better else size
            best[end] = least
            size_of_last[end] = size
    groups = 0
    end = count
    while end > 0:
        end -= size_of_last[end]
        groups += 1
    starts = np.empty(groups, np.int64)
    end = count
    while end > 0:
        end -= size_of_last[end]
        groups -= 1
        starts[groups] = end
    return starts


@njit(cache=True, nogil=True)
def _costs(v: NDArray[np.float64], first: int, ends: int, group_size: int, cost: NDArray[np.float64]) -> None:
    """cost[m - k, e]: the sum of squares about their mean of the m values before place first + e.

    Measured from the last value of the group, as Σd² - (Σd)²/m: this value belongs to the group, so no more than a
    factor m of precision is lost, however far the values are from zero.
    """
    total, squares = np.zeros(BLOCK), np.zeros(BLOCK)
    for size in range(2, 2 * group_size):
        skipped = max(0, size - first)
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
                c[e] = q[e] - s[e] * s[e] / size
    if group_size == 1:
        cost[0] = 0.0


@njit(cache=True, nogil=True)
def _take(values: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    return values[order]


@njit(cache=True, nogil=True)
def _label_runs(order: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    labels = np.empty(len(order), np.int64)
    for group in range(len(starts)):
        stop = starts[group + 1] if group + 1 < len(starts) else len(order)
        for place in range(starts[group], stop):
            labels[order[place]] = group
    return labels
