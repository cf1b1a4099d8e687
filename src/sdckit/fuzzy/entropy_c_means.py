"""Entropy-regularised c-means: memberships are a soft minimum of the distances (Miyamoto and Mukaidono 1997).

The objective is Σ u D + (1 / λ) Σ u log u, and u = exp(−λ D) / Σ exp(−λ D): memberships fall off exponentially, so that
far records hardly count.
"""

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.closeness import least_of, total_of
from sdckit.fuzzy.clusters import Clusters, Iteration, alternate
from sdckit.fuzzy.rules import StripRule
from sdckit.fuzzy.strips import Strip
from sdckit.kernels.compiled import njit
from sdckit.kernels.exponential import raise_e


@dataclass(frozen=True)
class EntropyRule(StripRule):
    """Memberships are proportional to exp(−sharpness · D)."""

    sharpness: float

    def influences(self, strip: Strip, influence: NDArray[np.float64]) -> NDArray[np.float64]:
        return _influences(strip.distance, float(self.sharpness), influence)

    def degrees(self, distance: NDArray[np.float64], degrees: NDArray[np.float64]) -> None:
        _influences(distance, float(self.sharpness), degrees)


def entropy_c_means(
    points: NDArray[np.float64], centres: NDArray[np.float64], sharpness: float, **how: Unpack[Iteration]
) -> Clusters:
    """Entropy-regularised c-means from initial centres, iterated as `Iteration` says.

    `sharpness` (λ) is infinite for crisp clusters (k-means) and 0 for equal memberships; its unit is that of one over a
    squared distance. At 0 the objective is without its entropy term.

    Example
    -------
    >>> points = np.array([[0.0], [1], [9], [10]])
    >>> entropy_c_means(points, np.array([[0.0], [10.0]]), 0.05).centres.ravel().round(2)
    array([0.69, 9.31])
    """
    check_sharpness(sharpness)
    return alternate(points, centres, EntropyRule(sharpness), **how)


def check_sharpness(sharpness: float) -> None:
    """Refuse a negative sharpness."""
    if not sharpness >= 0:
        raise ValueError(f"the sharpness is not negative, unlike {sharpness:g}")


@njit(cache=True, nogil=True)
def _closeness(
    distance: NDArray[np.float64], sharpness: float, work: NDArray[np.float64], degree: NDArray[np.float64]
) -> float:
    """Fill exp(−λ (D − D_min)); returns the sum."""
    least = least_of(distance)
    if np.isinf(sharpness):
        for i in range(len(distance)):
            degree[i] = 1.0 if distance[i] <= least else 0.0
        return total_of(degree)
    for i in range(len(distance)):
        work[i] = -sharpness * (distance[i] - least)
    raise_e(work, degree)
    return total_of(degree)


@njit(cache=True, nogil=True, error_model="numpy")
def _influences(distance: NDArray[np.float64], sharpness: float, degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fill the memberships, which are the weights too; returns the objective of each record."""
    parts, work = np.zeros(len(distance)), np.empty(distance.shape[1])
    for k in range(len(distance)):
        total = _closeness(distance[k], sharpness, work, degrees[k])
        degrees[k] *= 1.0 / total
        if sharpness > 0 and not np.isinf(sharpness):  # Σ u D + Σ u log u / λ at its minimum over u
            parts[k] = least_of(distance[k]) - np.log(total) / sharpness
        else:
            parts[k] = (degrees[k] * distance[k]).sum()
    return parts
