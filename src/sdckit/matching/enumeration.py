"""Exact posteriors of small matching problems, by summing over all matchings."""

import numpy as np
from numpy.typing import NDArray

LARGEST = 16  # records whose 2^n subsets are summed


def exact_posterior(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The posterior of each pair of a square matrix of likelihoods: a share of the permanent.

    Records are assigned one after the other; the weight of all ways to give the first i records a set of rows, times
    that of all ways to give the others the rest, sums to the permanent.
    """
    count = len(weights)
    if count > LARGEST:
        raise ValueError(f"{count} records are too many to enumerate; {LARGEST} are possible")
    whole = (1 << count) - 1
    ahead = np.zeros(1 << count)
    ahead[0] = 1.0
    members = np.array([bin(subset).count("1") for subset in range(1 << count)])
    for size in range(count):
        for subset in np.flatnonzero((members == size) & (ahead > 0)):
            for row in range(count):
                if not subset >> row & 1:
                    ahead[subset | 1 << row] += ahead[subset] * weights[size, row]
    behind = np.zeros(1 << count)
    behind[whole] = 1.0
    posterior = np.zeros_like(weights, dtype=float)
    for size in range(count - 1, -1, -1):
        for subset in np.flatnonzero(members == size):
            for row in range(count):
                if not subset >> row & 1:
                    rest = behind[subset | 1 << row] * weights[size, row]
                    behind[subset] += rest
                    posterior[size, row] += ahead[subset] * rest
    if behind[0] == 0:
        raise ValueError("no matching keeps every promised zero")
    shares: NDArray[np.float64] = posterior / behind[0]
    return shares
