"""Calibration: of the claims made with some confidence, how many are correct."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.intervals import wilson

BINS = 10
ENOUGH = 20  # claims that a bin needs to be judged
LEVEL = 0.999


class Bin(NamedTuple):
    """The claims with a confidence in (low, high]: their number, the mean confidence stated, and the share correct."""

    low: float
    high: float
    claims: int
    stated: float
    correct: float
    interval: tuple[float, float]

    def to_dict(self) -> dict[str, object]:
        """Plain values."""
        return {
            "low": self.low,
            "high": self.high,
            "count": self.claims,
            "stated": self.stated,
            "correct": self.correct,
            "interval": self.interval,
        }


def calibration(confidence: NDArray[np.float64], correct: NDArray[np.float64]) -> tuple[Bin, ...]:
    """The bins that have claims."""
    index = np.clip(np.ceil(confidence * BINS - 1e-9).astype(np.int64) - 1, 0, BINS - 1)
    bins = []
    for number in range(BINS):
        mine = index == number
        if mine.any():
            count = int(mine.sum())
            interval = wilson(float(correct[mine].sum()), count)
            stated, right = float(confidence[mine].mean()), float(correct[mine].mean())
            bins.append(Bin(number / BINS, (number + 1) / BINS, count, stated, right, interval))
    return tuple(bins)


def is_calibrated(bins: tuple[Bin, ...]) -> bool:
    """Whether neither a bin with enough claims nor all claims together are further off than chance explains."""
    claims = sum(each.claims for each in bins)
    stated = sum(each.claims * each.stated for each in bins)
    correct = sum(each.claims * each.correct for each in bins)
    judged = [(each.claims, each.stated, each.correct) for each in bins]
    judged.append((claims, stated / max(claims, 1), correct / max(claims, 1)))
    return all(_within(*each) for each in judged if each[0] >= ENOUGH)


def _within(claims: int, stated: float, correct: float) -> bool:
    """Whether the share stated is in the interval of the share that is correct."""
    low, high = wilson(correct * claims, claims, LEVEL)
    return low <= stated <= high
