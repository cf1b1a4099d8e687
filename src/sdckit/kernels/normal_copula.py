"""The normal copula of a file: correlations of normal variables that give the rank correlations of its columns.

For continuous columns ρ = 2 sin(π r / 6). Where equal values abound, ranks of the values are less correlated than those
of the normal variables behind them: the correlation of a normal variable with the ranks of its classes corrects for it.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.moments import correlations, means_and_covariances, nearest_correlation

CONTINUOUS = np.sqrt(3 / np.pi)  # correlation of a normal variable with its own ranks


def latent_correlations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The correlations of the normal variables; each pair of columns over the records that have both values.

    >>> ordered = np.arange(100.0)
    >>> latent_correlations(np.column_stack([ordered, ordered**3])).round(6)
    array([[1., 1.],
           [1., 1.]])
    """
    ranks = np.empty(values.shape)
    resolution = np.ones(values.shape[1])
    for index, column in enumerate(values.T):
        ranks[:, index], resolution[index] = _ranks(column)
    spearman = correlations(means_and_covariances(ranks)[1])
    resolved = np.clip(spearman / np.outer(resolution, resolution), -1.0, 1.0)
    return nearest_correlation(2 * np.sin(np.pi * resolved / 6))


def _ranks(column: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The mid-ranks of the observed values from 0 to 1, and how much of a rank correlation their ties leave."""
    from scipy.special import ndtri

    observed = ~np.isnan(column)
    _, level, times = np.unique(column[observed], return_inverse=True, return_counts=True)
    ranks = np.full(len(column), np.nan)
    if len(times) < 2:
        ranks[observed] = 0.5
        return ranks, 1.0
    share = times / times.sum()
    upper = np.cumsum(share)
    middle = upper - share / 2
    ranks[observed] = middle[level.ravel()]
    density = np.exp(-0.5 * ndtri(np.clip(upper[:-1], 0.0, 1.0)) ** 2) / np.sqrt(2 * np.pi)
    between = -np.diff(np.concatenate([[0.0], density, [0.0]]))  # share times the normal mean of each level
    deviation = np.sqrt((share * (middle - 0.5) ** 2).sum())
    return ranks, float((middle * between).sum() / deviation / CONTINUOUS)
