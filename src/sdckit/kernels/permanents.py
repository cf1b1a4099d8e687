"""Permanents of small matrices: the sum over all ways to match two groups of equal size one to one.

The sum runs over subsets of columns, so that nothing is subtracted and no digit is lost: 2ᵐ · m terms for m members.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def log_permanents(log_weights: Floats) -> Floats:
    """The logarithm of the permanent of each matrix, given the logarithms of its entries.

    >>> entries = np.array([[[1.0, 2.0], [3.0, 4.0]]])
    >>> np.exp(log_permanents(np.log(entries))).round(9).tolist()
    [10.0]
    """
    weights, scale = _scaled(log_weights)
    return _log_totals(_forwards(weights), scale)


def permanents_and_shares(log_weights: Floats) -> tuple[Floats, Floats]:
    """The log-permanents, and the probability that each row is matched with each column.

    A matching weighs the product of its entries; a matrix without a matching has shares of 0.
    """
    weights, scale = _scaled(log_weights)
    ahead, behind = _forwards(weights), _backwards(weights)
    _, members, _ = weights.shape
    shares = np.zeros_like(weights)
    for row in range(members):
        for subset in combinations(range(members), row):
            mask = _mask(subset)
            for column in range(members):
                if not mask >> column & 1:
                    shares[:, row, column] += ahead[:, mask] * behind[:, mask | 1 << column]
    shares *= weights
    total = ahead[:, -1]
    possible = total > 0
    shares[possible] /= total[possible][:, None, None]
    shares[~possible] = 0.0
    return _log_totals(ahead, scale), shares


def log_means(log_weights: Floats) -> tuple[Floats, Floats]:
    """The logarithm of the product of the rows' means, and the share of each entry in its row.

    For groups too large for a permanent: several rows may take the same column.
    """
    weights, scale = _scaled(log_weights)
    total = weights.sum(axis=2, keepdims=True)
    with np.errstate(divide="ignore"):
        mean: Floats = np.log(total / weights.shape[2]).sum(axis=(1, 2)) + scale
    return mean, np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


def _log_totals(sums: Floats, scale: Floats) -> Floats:
    """The logarithms of the permanents, from the sums over subsets of all columns."""
    with np.errstate(divide="ignore"):
        total: Floats = np.log(sums[:, -1]) + scale
    return total


def _scaled(log_weights: Floats) -> tuple[Floats, Floats]:
    """The entries divided by the largest of their row, and the sum of the logarithms of these."""
    top = log_weights.max(axis=2, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    return np.exp(log_weights - top), top.sum(axis=(1, 2))


def _forwards(weights: Floats) -> Floats:
    """For each set of columns, the sum over matchings of the first rows with them."""
    matrices, members, _ = weights.shape
    sums = np.zeros((matrices, 1 << members))
    sums[:, 0] = 1.0
    for size in range(1, members + 1):
        for subset in combinations(range(members), size):
            mask = _mask(subset)
            for column in subset:
                sums[:, mask] += sums[:, mask ^ 1 << column] * weights[:, size - 1, column]
    return sums


def _backwards(weights: Floats) -> Floats:
    """For each set of columns that the first rows have taken, the sum over matchings of the other rows."""
    matrices, members, _ = weights.shape
    sums = np.zeros((matrices, 1 << members))
    sums[:, -1] = 1.0
    for size in range(members - 1, -1, -1):
        for subset in combinations(range(members), size):
            mask = _mask(subset)
            for column in range(members):
                if not mask >> column & 1:
                    sums[:, mask] += sums[:, mask | 1 << column] * weights[:, size, column]
    return sums


def _mask(subset: tuple[int, ...]) -> int:
    return sum(1 << column for column in subset)
