"""Mean variation: the average of |a − a′| / |a| over statistics a of the original and a′ of the masked file."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ROUNDING = 1e-12  # a statistic this small beside its scale is 0 but for the rounding of sums


def variation(
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    cap: float = np.inf,
    scale: NDArray[np.float64] | float = 0.0,
) -> tuple[NDArray[np.float64], int]:
    """|a − a′| / |a| for each pair, at most `cap`; NaN where a is 0 or missing, and how many a were 0.

    A value that the masking removed varies by all of itself: 1. `scale` is the size of what was summed up to a.
    """
    zero = np.abs(before) <= ROUNDING * scale
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.abs(before - after) / np.abs(before)
    ratio = np.where(np.isnan(after) & ~np.isnan(before), 1.0, ratio)
    ratio = np.where(zero, np.nan, np.minimum(ratio, cap))
    return ratio, int(zero.sum())


def mean_of(ratio: NDArray[np.float64], before: NDArray[np.float64], after: NDArray[np.float64]) -> float:
    """The mean over what could be compared; with nothing to compare, 0 if nothing changed and 1 if something did."""
    seen = ~np.isnan(ratio)
    if seen.any():
        return float(ratio[seen].mean())
    return float(not np.array_equal(np.nan_to_num(before), np.nan_to_num(after)))


def by_column(ratio: NDArray[np.float64], names: Sequence[str]) -> dict[str, float]:
    """The mean of each column; 0 where nothing could be compared."""
    counts = (~np.isnan(ratio)).sum(axis=0)
    sums = np.nansum(ratio, axis=0)
    return {
        name: float(total / count) if count else 0.0 for name, total, count in zip(names, sums, counts, strict=True)
    }


def moments(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means and covariances (n − 1), each pair over the records that have both values."""
    seen = ~np.isnan(values)
    counts = np.maximum(seen.sum(axis=0), 1)
    # Counted from a value of its own, a constant column has no variance at all, not even by rounding.
    anchor = np.where(seen.any(axis=0), values[seen.argmax(axis=0), np.arange(values.shape[1])], 0.0)
    offset = np.where(seen, values - anchor, 0.0).sum(axis=0) / counts
    centred = np.where(seen, values - anchor - offset, 0.0)
    pairs = seen.T.astype(float) @ seen.astype(float)
    return anchor + offset, (centred.T @ centred) / np.maximum(pairs - 1, 1)


def spread_products(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The product of the deviations of each pair of attributes: the most that their covariance can be."""
    deviation = np.sqrt(np.diag(covariances))
    return np.outer(deviation, deviation)


def correlations(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlations from covariances; 0 with a constant attribute."""
    scale = spread_products(covariances)
    found: NDArray[np.float64] = np.divide(covariances, scale, out=np.zeros_like(covariances), where=scale > 0)
    return found
