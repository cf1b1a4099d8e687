"""Entropy-regularised c-means: memberships are a soft minimum of the distances (Miyamoto and Mukaidono 1997).

The objective is Σ u D + (1 / λ) Σ u log u, and u = exp(−λ D) / Σ exp(−λ D): memberships fall off exponentially, so that
far records hardly count.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.closeness import add_weighted, least_of, squared_distances
from sdckit.fuzzy.clusters import Adjust, Block, Clusters, Sums, add_blocks, alternate, totals_rows
from sdckit.kernels.compiled import njit
from sdckit.kernels.row_blocks import over_row_blocks


@dataclass(frozen=True)
class EntropyRule:
    """Memberships are proportional to exp(−sharpness · D)."""

    sharpness: float

    def sums(self, points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64]) -> Sums:
        """Σ u and Σ u x for each centre, and the objective."""
        columns, rows = np.ascontiguousarray(centres.T), totals_rows(points)

        def block(start: int, stop: int) -> Block:
            return _sums(points, columns, weights, self.sharpness, rows, start, stop)

        return add_blocks(len(points), block)

    def memberships(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """The degree to which each point belongs to each centre; NaN for a point without any value."""
        points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
        degrees = np.empty((len(points), len(centres)))
        over_row_blocks(
            len(points), lambda start, stop: _memberships(points, columns, self.sharpness, start, stop, degrees)
        )
        return degrees


def entropy_c_means(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    sharpness: float,
    *,
    weights: NDArray[np.float64] | None = None,
    tolerance: float = 1e-6,
    max_rounds: int = 300,
    adjust: Adjust | None = None,
) -> Clusters:
    """Entropy-regularised c-means from initial centres.

    `sharpness` (λ) is infinite for crisp clusters (k-means) and 0 for equal memberships; its unit is that of one over a
    squared distance. At 0 the objective is without its entropy term.

    Example
    -------
    >>> points = np.array([[0.0], [1], [9], [10]])
    >>> entropy_c_means(points, np.array([[0.0], [10.0]]), 0.05).centres.ravel().round(2)
    array([0.69, 9.31])
    """
    if not sharpness >= 0:
        raise ValueError(f"the sharpness is not negative, unlike {sharpness:g}")
    return alternate(
        points,
        centres,
        EntropyRule(sharpness),
        weights=weights,
        tolerance=tolerance,
        max_rounds=max_rounds,
        adjust=adjust,
    )


@njit(cache=True, nogil=True)
def _closeness(distance: NDArray[np.float64], sharpness: float, degree: NDArray[np.float64]) -> float:
    """Fill exp(−λ (D − D_min)); returns the sum."""
    least = least_of(distance)
    total = 0.0
    for i in range(len(distance)):
        gap = distance[i] - least
        degree[i] = (1.0 if gap <= 0 else 0.0) if np.isinf(sharpness) else np.exp(-sharpness * gap)
        total += degree[i]
    return total


@njit(cache=True, nogil=True)
def _sums(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    weights: NDArray[np.float64],
    sharpness: float,
    rows: int,
    start: int,
    stop: int,
) -> Block:
    d, c = columns.shape
    totals, sums = np.zeros((rows, c)), np.zeros((d, c))
    distance, degree = np.empty(c), np.empty(c)
    objective = 0.0
    for k in range(start, stop):
        scale = squared_distances(points[k], columns, distance)
        if weights[k] == 0 or np.isnan(scale):
            continue
        total = _closeness(distance, sharpness, degree)
        if sharpness > 0 and not np.isinf(sharpness):  # Σ u D + Σ u log u / λ at its minimum over u
            objective += weights[k] * (least_of(distance) - np.log(total) / sharpness)
        else:
            for i in range(c):
                objective += weights[k] * degree[i] / total * distance[i]
        factor = weights[k] * scale / total
        for i in range(c):
            degree[i] *= factor
        add_weighted(points[k], degree, totals, sums)
    return totals, sums, objective


@njit(cache=True, nogil=True)
def _memberships(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    sharpness: float,
    start: int,
    stop: int,
    degrees: NDArray[np.float64],
) -> None:
    distance = np.empty(columns.shape[1])
    for k in range(start, stop):
        scale = squared_distances(points[k], columns, distance)
        total = _closeness(distance, sharpness, degrees[k])
        degrees[k] /= total if scale == scale else np.nan
