"""Weights of fuzzy c-means in logarithms, where u^m of a large fuzziness m is below the smallest float.

With c centres u is about 1 / c, so 200 centres and m = 135 give weights of 10^−310. A centre is a ratio of two sums of
weights, and dividing both by the largest weight of that centre leaves it unchanged.
"""

from math import isfinite, log

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 18  # memberships in memory at a time
RANGE = 600.0  # from weights of e^−600 on, sums of them lose digits


def underflows(fuzziness: float, centres: int) -> bool:
    """Whether u^m of equal memberships, c^−m, is too small to be added up."""
    return isfinite(fuzziness) and fuzziness * log(max(centres, 1)) > RANGE


def sums_in_logarithms(
    points: NDArray[np.float64], columns: NDArray[np.float64], fuzziness: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Σ u^m and Σ u^m x for each centre, both divided by its largest u^m, and the objective Σ u^m D."""
    d, c = columns.shape
    weights, sums, objective = np.zeros(c), np.zeros((c, d)), 0.0
    largest = np.full(c, -np.inf)
    size = max(1, BLOCK // c)
    for start in range(0, len(points), size):
        block = points[start : start + size]
        logarithms, distance = log_weights(block, columns, fuzziness)
        objective += float((np.exp(logarithms) * distance).sum())
        larger = np.maximum(largest, logarithms.max(axis=0))
        base = np.where(np.isfinite(larger), larger, 0.0)  # −∞: no point belongs to the centre so far
        fade, weight = np.exp(largest - base), np.exp(logarithms - base)
        weights = weights * fade + weight.sum(axis=0)
        sums = sums * fade[:, None] + weight.T @ block
        largest = larger
    return weights, sums, objective


def log_weights(
    points: NDArray[np.float64], columns: NDArray[np.float64], fuzziness: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The logarithm of u^m of some points in each centre, and their squared distances from the centres."""
    distance = np.zeros((len(points), columns.shape[1]))
    for values, centres in zip(points.T, columns, strict=True):
        distance += (values[:, None] - centres) ** 2
    least = distance.min(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        closeness = np.where(distance <= least, 0.0, np.log(least) - np.log(distance)) / (fuzziness - 1)
    total = np.exp(closeness).sum(axis=1, keepdims=True)
    return fuzziness * (closeness - np.log(total)), distance
