"""Correlations of attributes with missing values, each pair over the records that have both values."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.moments import means_and_deviations

CANCELLED = 1e-6  # and below this share digits are lost, so that the pair is computed anew over its own records
ROUNDING = 1e-12  # a variance below this share of the sum of squares it is computed from is rounding


def pairwise_correlations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The correlation of every two columns: means, variances and covariance over the same records, so within −1 to 1.

    The correlation is 0 where a column is constant over these records.
    """
    _, centred = means_and_deviations(values)
    observed = (~np.isnan(values)).astype(np.float64)
    ratio, cancelled = correlations_of_sums(
        observed.T @ observed, centred.T @ observed, (centred**2).T @ observed, centred.T @ centred
    )
    for j, k in np.argwhere(np.triu(cancelled | cancelled.T, 1)):
        ratio[j, k] = ratio[k, j] = _correlation(centred[(observed[:, j] * observed[:, k]) > 0][:, [j, k]])
    return np.asarray(np.clip((ratio + ratio.T) / 2, -1.0, 1.0))


def correlations_of_sums(
    counts: NDArray[np.float64],
    sums: NDArray[np.float64],
    squares: NDArray[np.float64],
    products: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The correlation of every two columns from sums over the records that have both, and which of them lost digits.

    `sums` and `squares` are those of column j over the records that have column l; all values are centred.
    """
    counts = np.maximum(counts, 1.0)
    variances = squares - sums**2 / counts
    cancelled = variances <= CANCELLED * squares
    variances = np.where(variances > ROUNDING * squares, variances, 0.0)
    deviations = np.sqrt(variances) * np.sqrt(variances.T)
    covariances = products - sums * sums.T / counts
    return np.divide(covariances, deviations, out=np.zeros_like(deviations), where=deviations > 0), cancelled


def _correlation(pairs: NDArray[np.float64]) -> float:
    """The correlation of two columns, centred over these records themselves."""
    if len(pairs) < 2:
        return 0.0
    sizes = np.abs(pairs).max(axis=0)
    gaps = pairs - pairs.mean(axis=0)
    squares = (gaps**2).sum(axis=0)
    if (squares <= ROUNDING * len(pairs) * sizes**2).any():
        return 0.0
    return float(gaps[:, 0] @ gaps[:, 1] / np.sqrt(squares[0]) / np.sqrt(squares[1]))
