"""Means, covariances and correlations over the observed values."""

import numpy as np
from numpy.typing import NDArray

Moments = tuple[NDArray[np.float64], NDArray[np.float64]]  # means and covariances


def means_and_deviations(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean of the observed values of each column, and the deviations from it; 0 for a missing value."""
    observed = ~np.isnan(values)
    if len(values) and observed.all():
        anchor = values[0]
        centred = values - anchor
        offset = centred.sum(axis=0) / len(values)
        centred -= offset
        return anchor + offset, centred
    # Measured from one of its values, a constant column has a variance of exactly 0.
    anchor = np.where(observed.any(axis=0), values[observed.argmax(axis=0), np.arange(values.shape[1])], 0.0)
    offset = np.where(observed, values - anchor, 0.0).sum(axis=0) / np.maximum(observed.sum(axis=0), 1)
    return anchor + offset, np.where(observed, values - anchor - offset, 0.0)


def means_and_covariances(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means and covariances (n − 1), each pair over the records that have both values."""
    means, centred = means_and_deviations(values)
    missing = np.isnan(values)
    if not missing.any():
        return means, (centred.T @ centred) / max(len(values) - 1, 1)
    observed = (~missing).astype(np.float64)
    return means, (centred.T @ centred) / np.maximum(observed.T @ observed - 1, 1)


def deviation_products(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The product of the standard deviations of each pair of attributes: the largest possible covariance."""
    deviation = np.sqrt(np.diag(covariances))
    return np.outer(deviation, deviation)


def correlations(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlations from covariances; 0 with a constant attribute."""
    scale = deviation_products(covariances)
    ratio: NDArray[np.float64] = np.divide(covariances, scale, out=np.zeros_like(covariances), where=scale > 0)
    return ratio


def square_root(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """A matrix R with R Rᵀ = Σ; negative eigenvalues, which pairwise deletion can cause, count as 0."""
    values, vectors = np.linalg.eigh(covariances)
    root: NDArray[np.float64] = vectors * np.sqrt(np.maximum(values, 0.0))
    return root


def nearest_correlation(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix with its negative eigenvalues cut off and its diagonal brought back to 1."""
    complete = with_variances(matrix, np.ones(len(matrix)))
    root = square_root(complete)
    return correlations(root @ root.T)


def with_variances(covariances: NDArray[np.float64], variances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix, or stack of matrices, with these variances on its diagonal."""
    out = np.array(covariances, dtype=float)
    index = np.arange(out.shape[-1])
    out[..., index, index] = variances
    return out


def with_variances_divided(covariances: NDArray[np.float64], by: float) -> NDArray[np.float64]:
    """The matrix, or stack of matrices, with its diagonal divided by a number."""
    return with_variances(covariances, np.diagonal(covariances, axis1=-2, axis2=-1) / by)


def variances_only(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix, or stack of matrices, with NaN off its diagonal."""
    unknown = np.full_like(covariances, np.nan)
    return with_variances(unknown, np.diagonal(covariances, axis1=-2, axis2=-1))
