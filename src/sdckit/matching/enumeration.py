"""Exact posteriors of small matching problems, by summing over all matchings."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import compiled_or_not, njit

LARGEST = 16  # records whose 2^n subsets are summed


def exact_posterior(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The posterior of each pair of a square matrix of likelihoods: a share of the permanent."""
    if len(weights) > LARGEST:
        raise ValueError(f"{len(weights)} records are too many to enumerate; {LARGEST} are possible")
    posterior = compiled_or_not(_posterior, 2 * len(weights) << len(weights))
    with np.errstate(invalid="ignore"):  # 0 / 0 where there is no matching
        shares = posterior(np.ascontiguousarray(weights, dtype=np.float64))
    if np.isnan(shares).any():
        raise ValueError("no matching keeps every promised zero")
    return shares


@njit(cache=True)
def _posterior(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shares; NaN where no matching has a positive weight.

    Records are assigned one after the other; the weight of all ways to give the first i records a set of rows, times
    that of all ways to give the others the rest, sums to the permanent. A set of i rows belongs to the first i records.
    """
    count = len(weights)
    sets = 1 << count
    size = np.zeros(sets, np.int64)
    for subset in range(1, sets):
        size[subset] = size[subset >> 1] + (subset & 1)
    ahead, behind = np.zeros(sets), np.zeros(sets)
    ahead[0], behind[sets - 1] = 1.0, 1.0
    for subset in range(sets - 1):
        if ahead[subset] > 0:
            for row in range(count):
                if not subset >> row & 1:
                    ahead[subset | 1 << row] += ahead[subset] * weights[size[subset], row]
    posterior = np.zeros((count, count))
    for subset in range(sets - 2, -1, -1):
        for row in range(count):
            if not subset >> row & 1:
                rest = behind[subset | 1 << row] * weights[size[subset], row]
                behind[subset] += rest
                posterior[size[subset], row] += ahead[subset] * rest
    shares: NDArray[np.float64] = posterior / behind[0]
    return shares
