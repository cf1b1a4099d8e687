"""Distances of distributions: of one column of two files, and of two columns together."""

import numpy as np
from numpy.typing import NDArray

MISSING = -np.inf  # a missing number counts as lower than all others


def total_variation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Half the sum of the differences of two distributions, given as counts or shares of the same cells.

    >>> total_variation(np.array([1.0, 1.0]), np.array([3.0, 1.0]))
    0.25
    """
    return float(np.abs(one / one.sum() - other / other.sum()).sum() / 2)


def expected_total_variation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """What two samples of these sizes from one distribution differ by on average, by the normal approximation."""
    share = (one + other) / (one.sum() + other.sum())
    variance = share * (1 - share) * (1 / one.sum() + 1 / other.sum())
    return float(min(np.sqrt(variance / (2 * np.pi)).sum(), 1.0))


def kolmogorov_distance(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The greatest difference of the distribution functions of two columns of numbers; NaN is lower than all others.

    >>> kolmogorov_distance(np.array([1.0, 2.0]), np.array([2.0, 3.0]))
    0.5
    """
    ours, theirs = (np.sort(np.where(np.isnan(column), MISSING, column)) for column in (one, other))
    points = np.concatenate([ours, theirs])
    below = [np.searchsorted(column, points, side="right") / len(column) for column in (ours, theirs)]
    return float(np.abs(below[0] - below[1]).max())


def quantile_bins(original: NDArray[np.float64], bins: int) -> NDArray[np.float64]:
    """The inner edges of bins with equally many values of the original, as far as ties allow."""
    present = original[~np.isnan(original)]
    if not len(present):
        return np.empty(0)
    return np.unique(np.quantile(present, np.linspace(0, 1, bins + 1)[1:-1], method="inverted_cdf"))


def binned(column: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.int64]:
    """The bin of each value, from 1; a missing one is in bin 0."""
    return np.where(np.isnan(column), 0, 1 + np.searchsorted(edges, column, side="left")).astype(np.int64)


def joint_counts(
    one: tuple[NDArray[np.int64], NDArray[np.int64]], other: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The counts of the cells of two columns of codes in two files, of the cells that occur in either."""
    width = int(max(one[1].max(), other[1].max())) + 1
    cells = np.concatenate([first * width + second for first, second in (one, other)])
    of_row = np.unique(cells, return_inverse=True)[1].ravel()
    number = int(of_row.max()) + 1
    ours, theirs = of_row[: len(one[0])], of_row[len(one[0]) :]
    return (
        np.bincount(ours, minlength=number).astype(np.float64),
        np.bincount(theirs, minlength=number).astype(np.float64),
    )
