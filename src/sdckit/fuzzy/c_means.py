"""Fuzzy c-means: every record belongs to every centre by a degree of membership (Bezdek 1981).

With D the squared distance of a record to a centre and p = 1 / (m − 1), the memberships are u = D^−p / Σ D^−p, and the
weight of a record for a centre is u^m = (D_min / D)^p · (D_min / D) / S^m with S = Σ (D_min / D)^p, so that one power
per pair is enough. Where S^−m leaves the range of numbers, as for m = 200, the sums of each centre are in logarithms.
"""

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.closeness import Workspace, check_fuzziness, closeness_of, exponent_of, power_of, workspace_of
from sdckit.fuzzy.closeness_of_few import assign_few, degrees_of_few, influences_of_few, without_kernel
from sdckit.fuzzy.clusters import Clusters, Iteration, alternate
from sdckit.fuzzy.rules import Metric, StripRule
from sdckit.fuzzy.strips import Strip, Sums, in_blocks, squared_distances, strips
from sdckit.kernels.compiled import njit

WIDEST = 300.0  # of m · log(c + 1): beyond, weights u^m of different records differ by more than numbers can
ROWS = 256  # records at a time where weights are in logarithms


@dataclass(frozen=True)
class FuzzyRule(StripRule):
    """Memberships that sum to 1 over the centres and a noise cluster at the squared distance `noise`, if finite."""

    fuzziness: float
    noise: float = np.inf

    def sums(self, points: NDArray[np.float64], centres: NDArray[np.float64], weights: NDArray[np.float64]) -> Sums:
        """Σ u^m and Σ u^m x for each centre, and the objective Σ u^m D."""
        if np.isfinite(self.fuzziness) and self.fuzziness * np.log(len(centres) + 1) > WIDEST:
            return _sums_in_logs(points, centres, weights, self.fuzziness, self.noise)
        return super().sums(points, centres, weights)

    def influences(self, strip: Strip, influence: NDArray[np.float64]) -> NDArray[np.float64]:
        power, exponent = power_of(self.fuzziness), exponent_of(self.fuzziness)
        few = without_kernel(_influences, strip.distance, power)
        return (influences_of_few if few else _influences)(
            strip.distance, power, exponent, float(self.noise), influence
        )

    def degrees(self, distance: NDArray[np.float64], degrees: NDArray[np.float64]) -> None:
        power = power_of(self.fuzziness)
        few = without_kernel(_degrees, distance, power)
        (degrees_of_few if few else _degrees)(distance, power, float(self.noise), degrees)


def c_means(
    points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float, **how: Unpack[Iteration]
) -> Clusters:
    """Fuzzy c-means from initial centres, iterated as `Iteration` says.

    `fuzziness` (the papers' m) is 1 for crisp clusters (k-means) and infinite for equal memberships. The objective
    Σ u^m D never rises.

    Example
    -------
    >>> found = c_means(np.array([[0.0], [1], [9], [10]]), np.array([[0.0], [10.0]]), fuzziness=2)
    >>> found.centres.ravel().round(3), found.converged
    (array([0.5, 9.5]), True)
    """
    check_fuzziness(fuzziness)
    return alternate(points, centres, FuzzyRule(fuzziness), **how)


def memberships(points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float) -> NDArray[np.float64]:
    """The degree to which each point belongs to each centre; rows sum to 1. For as many points as fit in memory."""
    check_fuzziness(fuzziness)
    return FuzzyRule(fuzziness).memberships(points, centres)


def draw_assignments(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float,
    draws: NDArray[np.float64],
    metric: Metric | None = None,
) -> NDArray[np.int64]:
    """A centre for each point, drawn with its memberships as probabilities; `draws` are uniform in 0..1.

    A point without any value may get any centre, each with the same probability.
    """
    check_fuzziness(fuzziness)
    points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
    chosen = np.empty(len(points), np.int64)

    def block(start: int, stop: int) -> None:
        for strip in strips(points, columns, np.ones(len(points)), start, stop):
            distance = strip.distance if metric is None else metric.distances(strip.points, centres)
            few = without_kernel(_assign, distance, power_of(fuzziness))
            (assign_few if few else _assign)(distance, power_of(fuzziness), draws[strip.rows], chosen[strip.rows])

    in_blocks(len(points), block)
    return chosen


def weighted_sums(
    points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Σ u^m and Σ u^m x for each centre, and the objective Σ u^m D, of points without missing values."""
    totals, sums, objective = FuzzyRule(fuzziness).sums(points, centres, np.ones(len(points)))
    return totals[:, 0], sums, objective


@njit(cache=True, nogil=True, error_model="numpy")
def _influences(
    distance: NDArray[np.float64], power: float, fuzziness: float, noise: float, influence: NDArray[np.float64]
) -> NDArray[np.float64]:
    workspace, parts = workspace_of(distance.shape[1]), np.zeros(len(distance))
    for k in range(len(distance)):
        parts[k] = memberships_raised(distance[k], power, fuzziness, noise, workspace, influence[k])
    return parts


@njit(cache=True, nogil=True, error_model="numpy")
def memberships_raised(
    distance: NDArray[np.float64],
    power: float,
    fuzziness: float,
    noise: float,
    workspace: Workspace,
    raised: NDArray[np.float64],
) -> float:
    """Fill u^m of one record; returns its objective, Σ u^m D and what the noise cluster adds."""
    near = closeness_of(distance, power, noise, workspace, raised)
    if power > 0 and not np.isinf(power):
        share = near.total**-fuzziness
        for i in range(len(raised)):
            raised[i] *= share * workspace.ratio[i]
        return float(near.least * near.total * share)
    part = noise * near.noise / near.total if near.noise > 0 else 0.0
    for i in range(len(raised)):  # crisp, or all memberships equal: the weight is u itself
        raised[i] /= near.total
        part += raised[i] * distance[i]
    return part


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
    missing = bool(np.isnan(points).any())
    highest, totals, sums = np.full(c, -np.inf), np.zeros((d if missing else 1, c)), np.zeros((d, c))
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
    distance, scale = np.empty((len(points), columns.shape[1])), np.empty(len(points))
    squared_distances(points, columns, distance, scale)
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


@njit(cache=True, nogil=True, error_model="numpy")
def _degrees(distance: NDArray[np.float64], power: float, noise: float, degrees: NDArray[np.float64]) -> None:
    workspace = workspace_of(distance.shape[1])
    for k in range(len(distance)):
        near = closeness_of(distance[k], power, noise, workspace, degrees[k])
        degrees[k] /= near.total


@njit(cache=True, nogil=True)
def _assign(distance: NDArray[np.float64], power: float, draws: NDArray[np.float64], chosen: NDArray[np.int64]) -> None:
    c = distance.shape[1]
    workspace, closeness = workspace_of(c), np.empty(c)
    for k in range(len(distance)):
        near = closeness_of(distance[k], power, np.inf, workspace, closeness)
        total = near.total
        if np.isnan(near.least):
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
