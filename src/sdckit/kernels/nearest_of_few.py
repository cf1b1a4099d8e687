"""Nearest rows by all distances of a small file, in numpy: nothing is compiled, and every distance has the same bits.

Differences are squared and added coordinate after coordinate, and what missing values cost is added at the end, as in
a tree.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.kd_tree import MISSING_SHARE
from sdckit.kernels.standardisation import mean_and_deviation

PAIRS = 1 << 20  # known records times rows, up to which all distances are as quick as a tree; also those at a time


def nearest_of_few(
    known: NDArray[np.float64], released: NDArray[np.float64], truth: NDArray[np.int64], tolerance: float
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """The least distance of each record, the number of rows at it, whether its own is one of them, and the lowest."""
    step = max(PAIRS // max(len(released), 1), 1)
    parts = [
        nearest_by(_squared_distances(known[begin : begin + step], released), truth[begin : begin + step], tolerance)
        for begin in range(0, max(len(known), 1), step)
    ]
    least, ties, truth_tied, nearest = (np.concatenate(part) for part in zip(*parts, strict=True))
    return least, ties, truth_tied, nearest


def nearest_by(
    distance: NDArray[np.float64], truth: NDArray[np.int64], tolerance: float
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """The same by the distances of all pairs, one line per known record."""
    least = distance.min(axis=1, initial=np.inf)
    tied = distance <= (least * (1 + tolerance))[:, None]
    ties = tied.sum(axis=1)
    nearest = np.where(ties > 0, tied.argmax(axis=1) if tied.shape[1] else -1, -1)
    truth_tied = np.zeros(len(truth), dtype=np.bool_)
    present = np.flatnonzero(truth >= 0)
    truth_tied[present] = tied[present, truth[present]]
    return least, ties, truth_tied, nearest


def _squared_distances(known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
    mean, deviation = mean_and_deviation(released)
    shape = len(known), len(released)
    total, cost, gap = np.zeros(shape), np.zeros(shape), np.empty(shape)
    absent, costly = np.isnan(released), False
    for j in range(known.shape[1]):
        np.subtract(released[:, j], known[:, j, None], out=gap)
        np.multiply(gap, gap, out=gap)
        if absent[:, j].any() or not np.isfinite(known[:, j]).all():
            gap[np.isnan(gap)] = 0.0
        total += gap
        if absent[:, j].any():
            of_missing = MISSING_SHARE * ((known[:, j] - mean[j]) ** 2 + deviation[j] ** 2)
            cost[:, absent[:, j]] += np.where(np.isnan(of_missing), 0.0, of_missing)[:, None]
            costly = True
    return total + cost if costly else total
