"""Fuzzy c-means: every record belongs to every centre by a degree of membership (Bezdek 1981).

With D the squared distance of a record to a centre and p = 1 / (m − 1), the memberships are u = D^−p / Σ D^−p, and the
weight of a record for a centre is u^m = (D_min / D)^p · (D_min / D) / S^m with S = Σ (D_min / D)^p, so that one power
per pair is enough. Where S^−m leaves the range of numbers, as for m = 200, the sums of each centre are in logarithms.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.closeness import (
    add_weighted,
    check_fuzziness,
    closeness_of,
    exponent_of,
    power_of,
    squared_distances,
    workspace_of,
)
from sdckit.fuzzy.clusters import Adjust, Block, Clusters, Sums, add_blocks, alternate, totals_rows
from sdckit.kernels.compiled import njit
from sdckit.kernels.row_blocks import over_row_blocks

WIDEST = 300.0  # of m · log(c + 1): beyond, weights u^m of different records differ by more than numbers can
ROWS = 256  # records at a time where weights are in logarithms


@dataclass(frozen=True)
class FuzzyRule:
    """Memberships that sum to 1 over the centres and a noise cluster at the squared distance `noise`, if finite."""

    fuzziness: float
    noise: float = np.inf

    def sums(self, points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64]) -> Sums:
        """Σ u^m and Σ u^m x for each centre, and the objective Σ u^m D."""
        columns = np.ascontiguousarray(centres.T)
        power, rows = power_of(self.fuzziness), totals_rows(points)
        if np.isfinite(self.fuzziness) and self.fuzziness * np.log(len(centres) + 1) > WIDEST:
            return _sums_in_logs(points, centres, weights, self.fuzziness, self.noise)
        exponent = exponent_of(self.fuzziness)

        def block(start: int, stop: int) -> Block:
            return _sums(points, columns, weights, power, exponent, self.noise, rows, start, stop)

        return add_blocks(len(points), block)

    def memberships(self, points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
        """The degree to which each point belongs to each centre; NaN for a point without any value."""
        points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
        degrees = np.empty((len(points), len(centres)))
        power = power_of(self.fuzziness)
        over_row_blocks(
            len(points), lambda start, stop: _memberships(points, columns, power, self.noise, start, stop, degrees)
        )
        return degrees


def c_means(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float,
    *,
    weights: NDArray[np.float64] | None = None,
    tolerance: float = 1e-6,
    max_rounds: int = 300,
    adjust: Adjust | None = None,
) -> Clusters:
    """Fuzzy c-means from initial centres.

    `fuzziness` (the papers' m) is 1 for crisp clusters (k-means) and infinite for equal memberships; the tolerance is a
    share of the points' total standard deviation. The objective Σ u^m D never rises.

    Example
    -------
    >>> found = c_means(np.array([[0.0], [1], [9], [10]]), np.array([[0.0], [10.0]]), fuzziness=2)
    >>> found.centres.ravel().round(3), found.converged
    (array([0.5, 9.5]), True)
    """
    check_fuzziness(fuzziness)
    return alternate(
        points,
        centres,
        FuzzyRule(fuzziness),
        weights=weights,
        tolerance=tolerance,
        max_rounds=max_rounds,
        adjust=adjust,
    )


def memberships(points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float) -> NDArray[np.float64]:
    """The degree to which each point belongs to each centre; rows sum to 1. For as many points as fit in memory."""
    check_fuzziness(fuzziness)
    return FuzzyRule(fuzziness).memberships(points, centres)


def draw_assignments(
    points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float, draws: NDArray[np.float64]
) -> NDArray[np.int64]:
    """A centre for each point, drawn with its memberships as probabilities; `draws` are uniform in 0..1.

    A point without any value may get any centre, each with the same probability.
    """
    check_fuzziness(fuzziness)
    points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
    chosen = np.empty(len(points), np.int64)
    power = power_of(fuzziness)
    over_row_blocks(len(points), lambda start, stop: _assign(points, columns, power, draws, start, stop, chosen))
    return chosen


def weighted_sums(
    points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Σ u^m and Σ u^m x for each centre, and the objective Σ u^m D, of points without missing values."""
    totals, sums, objective = FuzzyRule(fuzziness).sums(points, centres, np.ones(len(points)))
    return totals[:, 0], sums, objective


@njit(cache=True, nogil=True)
def _sums(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    weights: NDArray[np.float64],
    power: float,
    fuzziness: float,
    noise: float,
    rows: int,
    start: int,
    stop: int,
) -> Block:
    d, c = columns.shape
    totals, sums = np.zeros((rows, c)), np.zeros((d, c))
    workspace, closeness = workspace_of(c), np.empty(c)
    objective = 0.0
    for k in range(start, stop):
        near = closeness_of(points[k], columns, power, noise, workspace, closeness)
        if weights[k] == 0 or np.isnan(near.scale):
            continue
        if power > 0 and not np.isinf(power):
            share = weights[k] * near.total**-fuzziness
            factor = share * near.scale
            for i in range(c):
                closeness[i] *= factor * workspace.ratio[i]
            objective += near.least * near.total * share
        else:  # crisp, or all memberships equal: the weight is u itself
            for i in range(c):
                closeness[i] /= near.total
                objective += weights[k] * closeness[i] * workspace.distance[i]
            if near.noise > 0:
                objective += weights[k] * near.noise / near.total * noise
            if weights[k] * near.scale != 1.0:
                for i in range(c):
                    closeness[i] *= weights[k] * near.scale
        add_weighted(points[k], closeness, totals, sums)
    return totals, sums, objective


def _sums_in_logs(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    weights: NDArray[np.float64],
    fuzziness: float,
    noise: float,
) -> Sums:
    """The same sums, those of each centre divided by its largest weight, which may be too small for a number."""
    columns = np.ascontiguousarray(centres.T)
    d, c = columns.shape
    highest, totals, sums = np.full(c, -np.inf), np.zeros((totals_rows(points), c)), np.zeros((d, c))
    objective = 0.0
    for start in range(0, len(points), ROWS):
        block, share = points[start : start + ROWS], weights[start : start + ROWS]
        logs, scale, part = _log_weights(block, columns, share, fuzziness, noise)
        objective += part
        raised = np.maximum(highest, logs.max(axis=0))
        with np.errstate(invalid="ignore"):
            fall = np.where(highest > -np.inf, np.exp(highest - raised), 0.0)
            influence = np.where(logs > -np.inf, np.exp(logs - raised), 0.0) * scale[:, None]
        observed = ~np.isnan(block)
        totals = totals * fall + (influence.sum(axis=0)[None] if len(totals) == 1 else observed.T @ influence)
        sums = sums * fall + np.where(observed, block, 0.0).T @ influence
        highest = raised
    return Sums(np.ascontiguousarray(totals.T), np.ascontiguousarray(sums.T), objective)


def _log_weights(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    weights: NDArray[np.float64],
    fuzziness: float,
    noise: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """log(w · u^m) of each point and centre, attributes / observed attributes, and the objective."""
    distance = np.empty((len(points), columns.shape[1]))
    scale = np.array([squared_distances(point, columns, row) for point, row in zip(points, distance, strict=True)])
    counts = (weights > 0) & ~np.isnan(scale)
    least = np.minimum(np.where(counts[:, None], distance, 0.0).min(axis=1, keepdims=True), noise)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(distance <= least, 0.0, np.log(least) - np.log(distance))
        of_noise = np.where(noise <= least, 0.0, np.log(least) - np.log(noise))
        total = np.exp(power_of(fuzziness) * ratio).sum(axis=1, keepdims=True)
        total += np.exp(power_of(fuzziness) * of_noise)
        logs = np.log(weights)[:, None] - fuzziness * np.log(total) + (power_of(fuzziness) + 1) * ratio
        parts = np.exp(np.log(weights)[:, None] + np.log(least) + (1 - fuzziness) * np.log(total))
    logs[~counts] = -np.inf
    return logs, np.where(counts, scale, 0.0), float(parts[counts].sum())


@njit(cache=True, nogil=True)
def _memberships(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    power: float,
    noise: float,
    start: int,
    stop: int,
    degrees: NDArray[np.float64],
) -> None:
    workspace = workspace_of(columns.shape[1])
    for k in range(start, stop):
        near = closeness_of(points[k], columns, power, noise, workspace, degrees[k])
        degrees[k] /= near.total if near.scale == near.scale else np.nan


@njit(cache=True, nogil=True)
def _assign(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    power: float,
    draws: NDArray[np.float64],
    start: int,
    stop: int,
    chosen: NDArray[np.int64],
) -> None:
    c = columns.shape[1]
    workspace, closeness = workspace_of(c), np.empty(c)
    for k in range(start, stop):
        near = closeness_of(points[k], columns, power, np.inf, workspace, closeness)
        total = near.total
        if near.scale != near.scale:
            closeness[:] = 1.0
            total = float(c)
        left = draws[k] * total
        chosen[k] = -1
        for i in range(c):
            left -= closeness[i]
            if closeness[i] > 0:
                chosen[k] = i
                if left < 0:
                    break
