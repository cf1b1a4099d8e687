"""Correlations of attributes with holes, each pair over the records that have both values."""

import numpy as np
from numpy.typing import NDArray

ROUNDING = 1e-12  # a variance this small beside the mean square that it is taken from is none


def pairwise_correlations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The correlation of every two columns: means, variances and covariance over the same records, so within −1 to 1.

    0 where a column does not vary over these records.
    """
    seen = ~np.isnan(values)
    # Counted from a value of its own, a constant column has no variance at all, not even by rounding.
    anchor = np.where(seen.any(axis=0), values[seen.argmax(axis=0), np.arange(values.shape[1])], 0.0)
    offset = np.where(seen, values - anchor, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    centred, there = np.where(seen, values - anchor - offset, 0.0), seen.astype(np.float64)
    counts = np.maximum(there.T @ there, 1.0)
    sums, squares = centred.T @ there, (centred**2).T @ there  # of column j over the records that have column l
    variances = squares - sums**2 / counts
    variances = np.where(variances > ROUNDING * squares, variances, 0.0)
    spread = np.sqrt(variances) * np.sqrt(variances.T)
    covariances = centred.T @ centred - sums * sums.T / counts
    found = np.divide(covariances, spread, out=np.zeros_like(spread), where=spread > 0)
    return np.asarray(np.clip((found + found.T) / 2, -1.0, 1.0))
