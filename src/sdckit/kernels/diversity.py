"""Diversity: how confidential values are distributed among the records that agree on the keys."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.equivalence_classes import MISSING, EquivalenceClasses, class_of, comparisons

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK = 1 << 22  # counts in memory at a time
PART = 200  # squared differences in the time in which numpy adds the counts of one combination of keys

Statistic = Callable[[NDArray[np.float64]], NDArray[np.float64]]


class Column(NamedTuple):
    """Values of the records as codes, −1 where missing; how many codes there are; and the statistic of their counts."""

    values: NDArray[np.integer]
    categories: int
    statistic: Statistic


def of_matching_records(codes: NDArray[np.integer], columns: Sequence[Column]) -> list[NDArray[np.float64]]:
    """For each column, a statistic of its counts among the records that agree with each record, itself included.

    A missing key agrees with every value; a missing value is not counted. The statistic maps a matrix of counts, one
    row per set of records, to a figure per row; it is evaluated once for each distinct combination of keys.
    """
    distinct = class_of(codes)
    rows = codes[distinct.first()]
    counts = [_counts(distinct, column) for column in columns]
    figures = [np.empty(len(rows)) for _ in columns]
    if not (rows == MISSING).any():
        for column, count, figure in zip(columns, counts, figures, strict=True):
            for block in _blocks(len(rows), column.categories):
                figure[block] = column.statistic(count[block].toarray())
        return [figure[distinct.of] for figure in figures]
    arrays = [(each.indptr.astype(np.int64), each.indices.astype(np.int64), each.data) for each in counts]
    for _, of_pattern in groupby(comparisons(rows), key=lambda comparison: int(comparison.members[0])):
        parts = list(of_pattern)
        members = parts[0].members
        for column, array, figure in zip(columns, arrays, figures, strict=True):
            for block in _blocks(len(members), column.categories):
                among = np.zeros((len(members[block]), max(column.categories, 1)))
                for part in parts:
                    add = _add_matching_of_few if spared(_add_matching, PART * len(part.others)) else _add_matching
                    add(among, part.of_members[block], part.others, part.of_others, part.cells, *array)
                figure[members[block]] = column.statistic(among)
    return [figure[distinct.of] for figure in figures]


def _counts(distinct: EquivalenceClasses, column: Column) -> "csr_array":
    """How often each distinct combination of keys has each value."""
    from scipy.sparse import csr_array

    seen = column.values >= 0
    entries = (np.ones(int(seen.sum())), (distinct.of[seen], column.values[seen]))
    return csr_array(entries, shape=(len(distinct.sizes), max(column.categories, 1)))


@njit(cache=True, nogil=True)
def _add_matching(
    among: NDArray[np.float64],
    of_members: NDArray[np.int64],
    others: NDArray[np.int64],
    of_others: NDArray[np.int64],
    cells: int,
    starts: NDArray[np.int64],
    values: NDArray[np.int64],
    counts: NDArray[np.float64],
) -> None:
    """Add to each member the counts of values of the others in its cell."""
    first = np.full(cells, -1, np.int64)  # the first member of each cell, which collects for all of them
    for member in range(len(of_members)):
        if first[of_members[member]] < 0:
            first[of_members[member]] = member
    categories = among.shape[1]
    collected = np.zeros((len(among), categories))
    for index in range(len(others)):
        member = first[of_others[index]]
        if member >= 0:
            for entry in range(starts[others[index]], starts[others[index] + 1]):
                collected[member, values[entry]] += counts[entry]
    for member in range(len(of_members)):
        collector = first[of_members[member]]
        for value in range(categories):
            among[member, value] += collected[collector, value]


def _add_matching_of_few(
    among: NDArray[np.float64],
    of_members: NDArray[np.int64],
    others: NDArray[np.int64],
    of_others: NDArray[np.int64],
    cells: int,
    starts: NDArray[np.int64],
    values: NDArray[np.int64],
    counts: NDArray[np.float64],
) -> None:
    """The same in numpy; sums of whole numbers have no order."""
    seen = np.zeros(cells, dtype=bool)
    seen[of_members] = True
    collector = np.cumsum(seen) - 1
    inside = seen[of_others]
    lines, target = others[inside], collector[of_others[inside]]
    sizes = starts[lines + 1] - starts[lines]
    entry = np.arange(int(sizes.sum())) + np.repeat(starts[lines] - np.cumsum(sizes) + sizes, sizes)
    collected = np.zeros((int(seen.sum()), among.shape[1]))
    np.add.at(collected, (np.repeat(target, sizes), values[entry]), counts[entry])
    among += collected[collector[of_members]]


def _blocks(rows: int, categories: int) -> list[slice]:
    size = max(1, BLOCK // max(categories, 1))
    return [slice(start, start + size) for start in range(0, rows, size)]


def distinct_values(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The number of distinct values."""
    return np.asarray((counts > 0).sum(axis=1), dtype=np.float64)


def effective_values(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """The number of equally frequent values with the same entropy; 0 without values."""
    total = counts.sum(axis=1, keepdims=True)
    shares = counts / np.maximum(total, 1)
    entropy = -(shares * np.log(np.where(shares > 0, shares, 1))).sum(axis=1)
    return np.where(total[:, 0] > 0, np.exp(entropy), 0.0)


def recursive_ratio(counts: NDArray[np.float64], diversity: int) -> NDArray[np.float64]:
    """r_1 / (r_l + … + r_m), the counts r in descending order; infinite with fewer than l distinct values."""
    descending = -np.sort(-counts, axis=1)
    rest = descending[:, diversity - 1 :].sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(rest > 0, descending[:, 0] / rest, np.inf)


def nominal_distance(counts: NDArray[np.float64], overall: NDArray[np.float64]) -> NDArray[np.float64]:
    """The earth mover's distance where all values are 1 apart: half of Σ |p − q|."""
    return np.asarray(np.abs(_surplus(counts, overall)).sum(axis=1) / 2, dtype=np.float64)


def ordered_distance(counts: NDArray[np.float64], overall: NDArray[np.float64]) -> NDArray[np.float64]:
    """The earth mover's distance where neighbouring values are 1 / (m − 1) apart."""
    moved = np.abs(np.cumsum(_surplus(counts, overall), axis=1)[:, :-1])
    return np.asarray(moved.sum(axis=1) / max(counts.shape[1] - 1, 1), dtype=np.float64)


def tree_distance(
    counts: NDArray[np.float64],
    overall: NDArray[np.float64],
    levels: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The earth mover's distance where two values are as far apart as the level of their lowest common ancestor.

    `levels` has one row per value: the number of its ancestor on each level, from itself to the root.
    """
    height = levels.shape[1] - 1
    if not height:
        return np.zeros(len(counts))
    surplus = _surplus(counts, overall)
    work = np.zeros(len(counts))
    for level in range(1, height + 1):
        below, first = np.unique(levels[:, level - 1], return_index=True)
        by_node = np.stack([surplus[:, levels[:, level - 1] == node].sum(axis=1) for node in below], axis=1)
        parents = levels[first, level]
        for parent in np.unique(parents):
            children = by_node[:, parents == parent]
            excess, deficit = np.maximum(children, 0).sum(axis=1), np.maximum(-children, 0).sum(axis=1)
            work += level / height * np.minimum(excess, deficit)
    return work


def _surplus(counts: NDArray[np.float64], overall: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shares of each set minus the overall shares; 0 for a set without values."""
    total = counts.sum(axis=1, keepdims=True)
    return np.where(total > 0, counts / np.maximum(total, 1) - overall / overall.sum(), 0.0)


def banded(column: NDArray[np.float64], bands: int) -> NDArray[np.int64]:
    """The number of each value's band of about equal frequency, equal values in one; few values are bands of their own.

    A missing value has −1.
    """
    codes = np.full(len(column), -1, dtype=np.int64)
    seen = ~np.isnan(column)
    distinct, of, times = np.unique(column[seen], return_inverse=True, return_counts=True)
    band = np.arange(len(distinct))
    if len(distinct) > bands:
        below = np.cumsum(times) - times
        band = np.unique(below * bands // len(of), return_inverse=True)[1]
    codes[seen] = band[of]
    return codes
