"""Intervals around a share or a mean: what a number on risk is worth."""

from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 22  # draws held at a time: bounds memory


def wilson(successes: float, trials: int, level: float = 0.95) -> tuple[float, float]:
    """The shares that a score test at this level does not reject (Wilson 1927).

    Fractional successes are allowed, as when ties share the credit; with no trial nothing is known: 0 to 1.
    """
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    spread = z * sqrt(max(share * (1 - share), 0.0) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # At no and at all successes the bounds are exactly 0 and 1, and near them a rounding may step beyond.
    low = 0.0 if successes <= 0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if successes >= trials else min(1.0, (centre + spread) / scale)
    return low, high


def bootstrap_sums(
    by_record: NDArray[np.float64], rng: np.random.Generator, replicates: int = 1000
) -> NDArray[np.float64]:
    """The sums of columns over records drawn with replacement, all columns over the same records: a row a replicate."""
    records = len(by_record)
    at_once = max(1, BLOCK // max(records, 1))
    sums = np.empty((replicates, by_record.shape[1]))
    for start in range(0, replicates, at_once):
        size = min(at_once, replicates - start)
        drawn = rng.integers(records, size=(size, records)) + records * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * records).reshape(size, records)
        sums[start : start + size] = times @ by_record
    return sums


def bootstrap_mean(
    by_record: NDArray[np.float64], rng: np.random.Generator, level: float = 0.95, replicates: int = 1000
) -> tuple[float, float]:
    """The central share of the means of records drawn with replacement (Efron 1979), missing ones left out."""
    observed = by_record[~np.isnan(by_record)]
    if len(observed) == 0:
        return float("nan"), float("nan")
    at_once = max(1, BLOCK // len(observed))
    means = np.concatenate(
        [
            observed[rng.integers(len(observed), size=(min(at_once, replicates - start), len(observed)))].mean(axis=1)
            for start in range(0, replicates, at_once)
        ]
    )
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
