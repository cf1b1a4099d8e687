"""Sampling errors: how far a statistic of a file varies from sample to sample, in large samples (moments with 1 / n).

Every function gives the statistic and its sampling variance, by attribute or by pair of attributes, over what is
observed. The variances are those of the delta method (Kendall and Stuart); that of a quantile uses the density near it.
"""

import numpy as np
from numpy.typing import NDArray

Estimate = tuple[NDArray[np.float64], NDArray[np.float64]]

ROUNDING = 1e-12  # a difference this small beside the statistic's scale is none
WINDOWS = 1000  # the density at a quantile is counted within a thousandth of the range on either side


class Moments:
    """Central moments of each attribute and each pair, a pair over the records that have both values."""

    def __init__(self, values: NDArray[np.float64]) -> None:
        seen = ~np.isnan(values)
        self.counts = np.maximum(seen.sum(axis=0), 1)
        # Counted from a value of its own, a constant column has no moments at all, not even by rounding.
        self.anchor = np.where(seen.any(axis=0), values[seen.argmax(axis=0), np.arange(values.shape[1])], 0.0)
        offset = np.where(seen, values - self.anchor, 0.0).sum(axis=0) / self.counts
        self.means = self.anchor + offset
        self.pairs = np.maximum(seen.T.astype(float) @ seen.astype(float), 1)
        powers = [np.where(seen, (values - self.anchor - offset) ** power, 0.0) for power in range(5)]
        self.joint = {
            (one, other): (powers[one].T @ powers[other]) / self.pairs
            for one, other in ((1, 1), (2, 2), (3, 1), (2, 0), (4, 0))
        }

    def mean(self) -> Estimate:
        """Each mean: Var = μ₂ / n."""
        return self.means, np.diag(self.joint[1, 1]) / self.counts

    def variance(self) -> Estimate:
        """Each variance: Var = (μ₄ − μ₂²) / n."""
        second, fourth = np.diag(self.joint[1, 1]), np.diag(self.joint[2, 2])
        return second, np.maximum(fourth - second**2, 0.0) / self.counts

    def covariance(self) -> Estimate:
        """Each covariance: Var = (μ₂₂ − μ₁₁²) / n."""
        return self.joint[1, 1], np.maximum(self.joint[2, 2] - self.joint[1, 1] ** 2, 0.0) / self.pairs

    def correlation(self) -> Estimate:
        """Each correlation, and the delta method's variance; 0 with a constant attribute."""
        first = self.joint[2, 0]
        varies = (first > 0) & (first.T > 0)
        first = np.where(varies, first, 1.0)
        spread = np.sqrt(first * first.T)
        r = np.where(varies, self.joint[1, 1] / spread, 0.0)
        both = self.joint[2, 2] / spread**2
        tails, skew = self.joint[4, 0] / first**2, self.joint[3, 1] / (first * spread)
        variance = both + r**2 * (tails + tails.T + 2 * both) / 4 - r * (skew + skew.T)
        return r, np.where(varies, np.maximum(variance, 0.0), 0.0) / self.pairs


def quantiles(values: NDArray[np.float64], percentages: NDArray[np.int64]) -> Estimate:
    """Quantiles, a row a percentage: the value at place ⌊(n − 1) · q⌋, Var = q · (1 − q) / (n · f²)."""
    found = np.full((len(percentages), values.shape[1]), np.nan)
    variance = np.zeros_like(found)
    for place, column in enumerate(values.T):
        ordered = np.sort(column[~np.isnan(column)])
        n = len(ordered)
        if n:
            found[:, place] = ordered[(n - 1) * percentages // 100]
            reach = (ordered[-1] - ordered[0]) / WINDOWS
            near = np.searchsorted(ordered, found[:, place] + reach) - np.searchsorted(
                ordered, found[:, place] - reach, side="right"
            )
            share = percentages / 100
            variance[:, place] = share * (1 - share) * n * (2 * reach) ** 2 / np.maximum(near, 1) ** 2
    return found, variance


def chance_of_less(estimate: Estimate, after: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely another sample's statistic differs by less than this one does: 2 · Φ(|θ − θ′| / √Var) − 1.

    Without a sampling error any difference, but for rounding, counts as 1; so does a statistic that is gone. NaN where
    there was none before. `scale` is the size of what was summed up to the statistic.
    """
    from scipy.special import erf

    before, variance = estimate
    gap = np.abs(before - after)
    differs = gap > ROUNDING * scale
    varies = variance > (ROUNDING * scale) ** 2
    chance = np.where(varies, erf(gap / np.sqrt(2 * np.where(varies, variance, 1.0))), 1.0)
    chance = np.where(np.isnan(after), 1.0, np.where(differs, chance, 0.0))
    return np.where(np.isnan(before), np.nan, chance)
