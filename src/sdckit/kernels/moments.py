"""Means, covariances and correlations over what is observed."""

import numpy as np
from numpy.typing import NDArray


def means_and_deviations(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means of the values that there are, and how far each value is from its mean; 0 for one that is missing."""
    seen = ~np.isnan(values)
    # Counted from a value of its own, a constant column has no variance at all, not even by rounding.
    anchor = np.where(seen.any(axis=0), values[seen.argmax(axis=0), np.arange(values.shape[1])], 0.0)
    offset = np.where(seen, values - anchor, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    return anchor + offset, np.where(seen, values - anchor - offset, 0.0)


def means_and_covariances(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means and covariances (n − 1), each pair over the records that have both values."""
    means, centred = means_and_deviations(values)
    there = (~np.isnan(values)).astype(np.float64)
    return means, (centred.T @ centred) / np.maximum(there.T @ there - 1, 1)


def spread_products(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The product of the deviations of each pair of attributes: the most that their covariance can be."""
    deviation = np.sqrt(np.diag(covariances))
    return np.outer(deviation, deviation)


def correlations(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlations from covariances; 0 with a constant attribute."""
    scale = spread_products(covariances)
    found: NDArray[np.float64] = np.divide(covariances, scale, out=np.zeros_like(covariances), where=scale > 0)
    return found


def square_root(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """A matrix R with R Rᵀ = Σ; negative eigenvalues, as pairwise missing values can leave them, count as 0."""
    values, vectors = np.linalg.eigh(covariances)
    root: NDArray[np.float64] = vectors * np.sqrt(np.maximum(values, 0.0))
    return root


def with_variances(covariances: NDArray[np.float64], variances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix, or stack of matrices, with another diagonal."""
    out = np.array(covariances, dtype=float)
    place = np.arange(out.shape[-1])
    out[..., place, place] = variances
    return out


def with_variances_divided(covariances: NDArray[np.float64], by: float) -> NDArray[np.float64]:
    """The matrix, or stack of matrices, with its diagonal divided by a number."""
    return with_variances(covariances, np.diagonal(covariances, axis1=-2, axis2=-1) / by)


def variances_only(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix, or stack of matrices, with NaN off its diagonal."""
    unknown = np.full_like(covariances, np.nan)
    return with_variances(unknown, np.diagonal(covariances, axis1=-2, axis2=-1))
