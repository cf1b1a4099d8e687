"""Diversity: how confidential values are distributed among the records that agree on the keys."""

from collections.abc import Callable
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import MISSING, class_of, comparisons

BLOCK = 1 << 22  # counts in memory at a time

Statistic = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def of_matching_records(
    codes: NDArray[np.integer], values: NDArray[np.integer], categories: int, statistic: Statistic
) -> NDArray[np.float64]:
    """A statistic of the counts of values among the records that agree with each record, itself included.

    A missing key agrees with every value; a missing value is not counted. The statistic maps a matrix of counts, one
    row per set of records, to a figure per row; it is evaluated once for each distinct combination of keys.
    """
    from scipy.sparse import csr_array

    distinct = class_of(codes)
    rows = codes[distinct.first()]
    seen = values >= 0
    counts = csr_array(
        (np.ones(int(seen.sum())), (distinct.of[seen], values[seen])), shape=(len(rows), max(categories, 1))
    )
    figures = np.empty(len(rows))
    if not (rows == MISSING).any():
        for block in _blocks(len(rows), categories):
            figures[block] = statistic(counts[block].toarray())
        return figures[distinct.of]
    for _, of_pattern in groupby(comparisons(rows), key=lambda comparison: int(comparison.members[0])):
        parts = []
        for comparison in of_pattern:
            width = len(comparison.others)
            membership = csr_array(
                (np.ones(width), (comparison.of_others, np.arange(width))), shape=(comparison.cells, width)
            )
            parts.append((membership @ counts[comparison.others], comparison.of_members))
        for block in _blocks(len(comparison.members), categories):
            among = [cell_counts[of[block]].toarray() for cell_counts, of in parts]
            figures[comparison.members[block]] = statistic(np.sum(among, axis=0))
    return figures[distinct.of]


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
