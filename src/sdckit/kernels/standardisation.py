"""Standardisation: subtract the mean of each attribute and divide by its standard deviation."""

import numpy as np
from numpy.typing import NDArray


def standardise(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Subtract each column's mean and divide by its standard deviation (n - 1 in the denominator).

    Missing values stay missing and are ignored; a constant column becomes zeros.
    """
    return standardise_like(values, values)


def standardise_like(values: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standardise with the mean and standard deviation of another file's columns."""
    mean, deviation = mean_and_deviation(reference)
    centred = np.asarray(values, dtype=np.float64) - mean
    varies = deviation > 0
    scaled: NDArray[np.float64] = centred / np.where(varies, deviation, 1.0)
    return np.where(varies | np.isnan(scaled), scaled, 0.0)


def mean_and_deviation(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each column's mean and standard deviation over the observed values; 0 and 0 where there are none."""
    values = np.asarray(values, dtype=np.float64)
    observed = ~np.isnan(values)
    if len(values) and observed.all():
        mean = values.sum(axis=0) / len(values)
        gaps = values - mean
        gaps *= gaps
        deviation = np.sqrt(gaps.sum(axis=0) / max(len(values) - 1, 1))
        return mean, np.where(values.max(axis=0) > values.min(axis=0), deviation, 0.0)
    count = observed.sum(axis=0)
    mean = np.where(observed, values, 0.0).sum(axis=0) / np.maximum(count, 1)
    squares = (np.where(observed, values - mean, 0.0) ** 2).sum(axis=0)
    deviation = np.sqrt(squares / np.maximum(count - 1, 1))
    # The mean of equal values may differ from them by rounding: only the range shows that a column is constant.
    lowest = np.where(observed, values, np.inf).min(axis=0, initial=np.inf)
    highest = np.where(observed, values, -np.inf).max(axis=0, initial=-np.inf)
    return mean, np.where(highest > lowest, deviation, 0.0)
