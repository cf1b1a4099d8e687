"""Asymptotic sampling errors of statistics: means, variances, covariances, correlations and quantiles.

Every function returns the statistic and its sampling variance, by attribute or by pair of attributes, over the observed
values; moments have 1 / n. The variances are those of the delta method (Kendall and Stuart); that of a quantile uses
the density near it.
"""

import numpy as np
from numpy.typing import NDArray

Estimate = tuple[NDArray[np.float64], NDArray[np.float64]]

ROUNDING = 1e-12  # a difference below this share of the statistic's scale is rounding
WINDOWS = 1000  # the density at a quantile is counted within a thousandth of the range on either side


class Moments:
    """Central moments of each attribute and each pair, a pair over the records that have both values."""

    def __init__(self, values: NDArray[np.float64]) -> None:
        observed = ~np.isnan(values)
        self.counts = np.maximum(observed.sum(axis=0), 1)
        # Measured from one of its values, a constant column has central moments of exactly 0.
        self.anchor = np.where(observed.any(axis=0), values[observed.argmax(axis=0), np.arange(values.shape[1])], 0.0)
        offset = np.where(observed, values - self.anchor, 0.0).sum(axis=0) / self.counts
        self.means = self.anchor + offset
        self.pairs = np.maximum(observed.T.astype(float) @ observed.astype(float), 1)
        powers = [np.where(observed, (values - self.anchor - offset) ** power, 0.0) for power in range(5)]
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
        """Each correlation, with the variance of the delta method; 0 with a constant attribute."""
        first = self.joint[2, 0]
        varies = (first > 0) & (first.T > 0)
        first = np.where(varies, first, 1.0)
        deviations = np.sqrt(first * first.T)
        r = np.where(varies, self.joint[1, 1] / deviations, 0.0)
        both = self.joint[2, 2] / deviations**2
        tails, skew = self.joint[4, 0] / first**2, self.joint[3, 1] / (first * deviations)
        variance = both + r**2 * (tails + tails.T + 2 * both) / 4 - r * (skew + skew.T)
        return r, np.where(varies, np.maximum(variance, 0.0), 0.0) / self.pairs


def quantiles(values: NDArray[np.float64], percentages: NDArray[np.int64]) -> Estimate:
    """Quantiles, one row per percentage: the value at position ⌊(n − 1) · q⌋, Var = q · (1 − q) / (n · f²)."""
    found = np.full((len(percentages), values.shape[1]), np.nan)
    variance = np.zeros_like(found)
    for index, column in enumerate(values.T):
        ordered = np.sort(column[~np.isnan(column)])
        n = len(ordered)
        if n:
            found[:, index] = ordered[(n - 1) * percentages // 100]
            reach = (ordered[-1] - ordered[0]) / WINDOWS
            near = np.searchsorted(ordered, found[:, index] + reach) - np.searchsorted(
                ordered, found[:, index] - reach, side="right"
            )
            share = percentages / 100
            variance[:, index] = share * (1 - share) * n * (2 * reach) ** 2 / np.maximum(near, 1) ** 2
    return found, variance


def probability_of_less(
    estimate: Estimate, after: NDArray[np.float64], scale: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The probability that another sample's statistic differs by less than `after` does: 2 · Φ(|θ − θ′| / √Var) − 1.

    Where the sampling variance is 0, any difference beyond rounding gives 1; so does a statistic missing in `after`.
    NaN where the original statistic is missing. `scale` is the magnitude of the terms summed in the statistic.
    """
    from scipy.special import erf

    before, variance = estimate
    gap = np.abs(before - after)
    differs = gap > ROUNDING * scale
    varies = variance > (ROUNDING * scale) ** 2
    probability = np.where(varies, erf(gap / np.sqrt(2 * np.where(varies, variance, 1.0))), 1.0)
    probability = np.where(np.isnan(after), 1.0, np.where(differs, probability, 0.0))
    return np.where(np.isnan(before), np.nan, probability)
