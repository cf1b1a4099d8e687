"""Confidence intervals of a share, and bootstrap replicates of sums."""

from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 22  # draws in memory at a time


def wilson(successes: float, trials: int, level: float = 0.95) -> tuple[float, float]:
    """The shares that a score test at this level does not reject (Wilson 1927).

    Fractional successes are allowed, as when ties share the credit; without trials the interval is 0 to 1.
    """
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    half_width = z * sqrt(max(share * (1 - share), 0.0) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # With no successes, or only successes, a bound is exactly 0 or 1; near these, rounding may step beyond.
    low = 0.0 if successes <= 0 else max(0.0, (centre - half_width) / scale)
    high = 1.0 if successes >= trials else min(1.0, (centre + half_width) / scale)
    return low, high


def bootstrap_sums(
    by_record: NDArray[np.float64], rng: np.random.Generator, replicates: int = 1000
) -> NDArray[np.float64]:
    """The sums of columns over records drawn with replacement, the same for all columns; one row per replicate."""
    records = len(by_record)
    at_once = max(1, BLOCK // max(records, 1))
    sums = np.empty((replicates, by_record.shape[1]))
    for start in range(0, replicates, at_once):
        size = min(at_once, replicates - start)
        drawn = rng.integers(records, size=(size, records)) + records * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * records).reshape(size, records)
        sums[start : start + size] = times @ by_record
    return sums
