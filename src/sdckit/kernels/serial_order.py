"""Serial order: what the order of a column's values says about the values."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.ranks import mid_ranks


def neighbour_rank_correlation(values: NDArray[np.float64]) -> float:
    """The correlation between the ranks of neighbouring values: 1 for a long sorted column, 0 for a random order."""
    if len(values) < 3:
        return 0.0
    ranks = mid_ranks(values[:, None])[:, 0]
    deviations = ranks - ranks.mean()
    total = float((deviations**2).sum())
    return float((deviations[1:] * deviations[:-1]).sum()) / total if total > 0 else 0.0


def neighbour_agreement(codes: NDArray[np.int64]) -> float:
    """How much more often two neighbours agree than in a random order (Cohen's kappa): 1 for few long runs."""
    if len(codes) < 3:
        return 0.0
    shares = np.bincount(codes) / len(codes)
    by_accident = float((shares**2).sum())
    agreeing = float((codes[1:] == codes[:-1]).mean())
    return (agreeing - by_accident) / (1 - by_accident) if by_accident < 1 else 0.0


def share_in_one_direction(values: NDArray[np.float64], one_group: NDArray[np.bool_]) -> tuple[float, int]:
    """The share of neighbours of one group that rise, or that fall if these are more, and how many neighbours count.

    `one_group` says of each value but the last whether the next one is of its group. Equal values and missing ones
    (NaN) are left out. In a random order the share is about one half.
    """
    steps = np.diff(values)[one_group]
    steps = steps[~np.isnan(steps) & (steps != 0)]
    if not len(steps):
        return 0.0, 0
    rising = float((steps > 0).mean())
    return max(rising, 1 - rising), len(steps)
