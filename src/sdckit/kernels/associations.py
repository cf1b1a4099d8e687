"""Associations of two columns: Cramér's V of two of codes, and the correlation ratio of codes and numbers.

Both are corrected for chance: without a relation they are 0 on average instead of growing with the number of codes.
"""

import numpy as np
from numpy.typing import NDArray

MISSING = -1


def cramers_v(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Cramér's V with Bergsma's correction, over the records that have both codes; 0 where one of them is constant.

    >>> cramers_v(np.array([0, 1] * 20), np.array([1, 0] * 20)) > 0.999
    True
    """
    both = (one > MISSING) & (other > MISSING)
    n = int(both.sum())
    rows, columns = _renumbered(one[both]), _renumbered(other[both])
    if not n or rows.max() == 0 or columns.max() == 0:
        return 0.0
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    cells, counts = np.unique(rows * width + columns, return_counts=True)
    row_shares, column_shares = np.bincount(rows) / n, np.bincount(columns) / n
    expected = row_shares[cells // width] * column_shares[cells % width]
    phi_squared = float(((counts / n) ** 2 / expected).sum() - 1)  # Σ p² / e − 1: empty cells add nothing
    corrected = max(0.0, phi_squared - (height - 1) * (width - 1) / (n - 1))
    smaller = min(height - (height - 1) ** 2 / (n - 1), width - (width - 1) ** 2 / (n - 1)) - 1
    return float(np.sqrt(min(corrected / smaller, 1.0))) if smaller > 0 else 0.0


def correlation_ratio(codes: NDArray[np.int64], values: NDArray[np.float64]) -> float:
    """The share of the standard deviation of numbers that the codes explain (η, by Kelley's unbiased ε²).

    >>> round(correlation_ratio(np.array([0, 0, 1, 1]), np.array([1.0, 1.0, 5.0, 5.0])), 9)
    1.0
    """
    both = (codes > MISSING) & ~np.isnan(values)
    n = int(both.sum())
    if n < 3:
        return 0.0
    group = _renumbered(codes[both])
    groups = int(group.max()) + 1
    centred = values[both] - values[both].mean()
    total = float(centred @ centred)
    if groups < 2 or groups >= n or total <= n * (1e-12 * np.abs(values[both]).max()) ** 2:
        return 0.0
    sums = np.bincount(group, weights=centred)
    within = total - float((sums**2 / np.bincount(group)).sum())
    explained = 1 - max(within, 0.0) / total * (n - 1) / (n - groups)
    return float(np.sqrt(max(explained, 0.0)))


def _renumbered(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The codes that occur, numbered from 0."""
    return np.unique(codes, return_inverse=True)[1].astype(np.int64).ravel() if len(codes) else np.zeros(1, np.int64)
