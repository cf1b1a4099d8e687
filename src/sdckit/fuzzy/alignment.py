"""Which cluster of one clustering is which of another: the one-to-one matching with the least total difference."""

import numpy as np
from numpy.typing import NDArray


def align_memberships(reference: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each cluster of the reference the cluster of the other, by the sum of |u − u′| over the records.

    >>> align_memberships(np.eye(3), np.eye(3)[:, [2, 0, 1]])
    array([1, 2, 0])
    """
    known = ~(np.isnan(reference).any(axis=1) | np.isnan(other).any(axis=1))
    cost = np.zeros((reference.shape[1], other.shape[1]))
    for column in range(other.shape[1]):
        cost[:, column] = np.abs(reference[known] - other[known, column, None]).sum(axis=0)
    return _matched(cost)


def align_centres(reference: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each centre of the reference the centre of the other, by the sum of squared distances."""
    return _matched(((reference[:, None] - other[None]) ** 2).sum(axis=2))


def _matched(cost: NDArray[np.float64]) -> NDArray[np.int64]:
    from scipy.optimize import linear_sum_assignment

    if cost.shape[0] != cost.shape[1]:
        raise ValueError(f"{cost.shape[0]} clusters cannot be matched one to one with {cost.shape[1]}; ask for as many")
    return np.asarray(linear_sum_assignment(cost)[1], dtype=np.int64)


def centre_difference(reference: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The root mean square distance between matched centres."""
    matched = other[align_centres(reference, other)]
    return float(np.sqrt(((reference - matched) ** 2).sum() / len(reference)))


def membership_differences(reference: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each record Σ |u − u′| / Σ (u + u′) over matched clusters: from 0 to 1, NaN for a record without any value.

    Where memberships sum to 1 it is half the sum of the differences; where they are crisp, whether the record is in
    another cluster. A record that belongs nowhere in both has 0.
    """
    matched = other[:, align_memberships(reference, other)]
    total = (reference + matched).sum(axis=1)
    gaps = np.abs(reference - matched).sum(axis=1)
    return np.asarray(np.where(total == 0, 0.0, gaps / np.where(total == 0, 1.0, total)), dtype=np.float64)
