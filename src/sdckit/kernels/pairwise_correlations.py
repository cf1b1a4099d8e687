"""Correlations of attributes with holes, each pair over the records that have both values."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.moments import means_and_deviations

ROUNDING = 1e-12  # a variance this small beside the mean square that it is taken from is none


def pairwise_correlations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The correlation of every two columns: means, variances and covariance over the same records, so within −1 to 1.

    0 where a column does not vary over these records.
    """
    _, centred = means_and_deviations(values)
    there = (~np.isnan(values)).astype(np.float64)
    counts = np.maximum(there.T @ there, 1.0)
    sums, squares = centred.T @ there, (centred**2).T @ there  # of column j over the records that have column l
    variances = squares - sums**2 / counts
    variances = np.where(variances > ROUNDING * squares, variances, 0.0)
    spread = np.sqrt(variances) * np.sqrt(variances.T)
    covariances = centred.T @ centred - sums * sums.T / counts
    found = np.divide(covariances, spread, out=np.zeros_like(spread), where=spread > 0)
    return np.asarray(np.clip((found + found.T) / 2, -1.0, 1.0))
