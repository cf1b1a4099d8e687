"""Fuzzy c-means: centres that every record belongs to by degrees (Bezdek 1981).

The degrees of all records in all centres are never held at once: each record's are made, used for the next centres and
forgotten. With D the squared distance of a record to a centre and p = 1 / (m − 1), the degrees are
u = D^−p / Σ D^−p, and what a centre weighs a record by is u^m = (D_min / D)^p · (D_min / D) / S^m with
S = Σ (D_min / D)^p, so that one power a pair is enough.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sdckit.kernels.row_blocks import over_row_blocks


@dataclass(frozen=True, eq=False)
class CMeans:
    """Where the iteration ended: centres, the objective after each step, and whether they stood still."""

    centres: NDArray[np.float64]
    objective: NDArray[np.float64]
    converged: bool


def c_means(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float,
    *,
    tolerance: float = 1e-6,
    most: int = 300,
) -> CMeans:
    """Alternate memberships and centres from given centres until no centre moves further than the tolerance.

    `fuzziness` (the papers' m) is 1 for crisp clusters (k-means) and infinite for the mean of all; the tolerance is a
    share of the points' spread. The objective Σ u^m D never rises.
    """
    check_fuzziness(fuzziness)
    points = np.ascontiguousarray(points, dtype=np.float64)
    centres = np.array(centres, dtype=np.float64)
    spread = float(np.sqrt(points.var(axis=0).sum())) or 1.0
    path = []
    for _ in range(most):
        weights, sums, objective = weighted_sums(points, centres, fuzziness)
        path.append(objective)
        filled = weights > 0
        moved = centres.copy()
        moved[filled] = sums[filled] / weights[filled, None]
        shift = float(np.abs(moved - centres).max(initial=0.0))
        centres = moved
        if shift <= tolerance * spread:
            return CMeans(centres, np.array(path), True)
    return CMeans(centres, np.array(path), False)


def check_fuzziness(fuzziness: float) -> None:
    """Refuse a fuzziness below 1."""
    if not fuzziness >= 1:
        raise ValueError(f"the fuzziness is at least 1, not {fuzziness:g}")


def memberships(points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float) -> NDArray[np.float64]:
    """The degree to which each point belongs to each centre; rows sum to 1. For as many points as fit in memory."""
    check_fuzziness(fuzziness)
    points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
    degrees = np.empty((len(points), len(centres)))
    power = _power(fuzziness)
    over_row_blocks(len(points), lambda start, stop: _memberships(points, columns, power, start, stop, degrees))
    return degrees


def assigned_by_chance(
    points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float, draws: NDArray[np.float64]
) -> NDArray[np.int64]:
    """A centre for each point, drawn with its memberships as chances; `draws` are uniform in 0..1, one a point."""
    check_fuzziness(fuzziness)
    points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
    chosen = np.empty(len(points), np.int64)
    power = _power(fuzziness)
    over_row_blocks(len(points), lambda start, stop: _assign(points, columns, power, draws, start, stop, chosen))
    return chosen


def weighted_sums(
    points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Σ u^m and Σ u^m x for each centre, and the objective Σ u^m D."""
    columns = np.ascontiguousarray(centres.T)
    parts: dict[int, tuple[NDArray[np.float64], NDArray[np.float64], float]] = {}
    power = _power(fuzziness)
    finite = fuzziness if np.isfinite(fuzziness) else 1.0  # the degrees are all 1/c then, whatever their power

    def add(start: int, stop: int) -> None:
        parts[start] = _weighted_sums(points, columns, power, finite, start, stop)

    over_row_blocks(len(points), add)
    ordered = [parts[start] for start in sorted(parts)]  # threads end in any order; a fixed one keeps the last digits
    weights = np.sum([part[0] for part in ordered], axis=0)
    sums = np.sum([part[1] for part in ordered], axis=0)
    return weights, np.ascontiguousarray(sums.T), float(sum(part[2] for part in ordered))


def _power(fuzziness: float) -> float:
    """p = 1 / (m − 1): infinite for crisp clusters, 0 for equal degrees."""
    return np.inf if fuzziness == 1 else 1.0 / (fuzziness - 1.0)


@njit(cache=True, nogil=True)
def _closeness(
    point: NDArray[np.float64],
    columns: NDArray[np.float64],
    power: float,
    distance: NDArray[np.float64],
    near: NDArray[np.float64],
) -> tuple[float, float]:
    """Fill the squared distances and (D_min / D)^p of one point; returns D_min and the sum of the latter."""
    d, c = columns.shape
    distance[:] = 0.0
    for j in range(d):
        x = point[j]
        for i in range(c):
            distance[i] += (x - columns[j, i]) ** 2
    least = distance.min()
    halves = 2 * power if power <= 16 else -1.0
    simple = abs(halves - np.rint(halves)) < 1e-9 * halves
    whole, root = int(np.rint(halves)) // 2, int(np.rint(halves)) % 2 == 1
    negligible = 0.0 if power == 0 else np.exp(-40.0 / power)
    total = 0.0
    for i in range(c):
        if distance[i] <= least or power == 0:
            near[i] = 1.0
        elif np.isinf(power) or least <= negligible * distance[i]:
            near[i] = 0.0
        elif simple:  # m = 2, 1.5, 1.4, 1.2, 1.1, 3 … need no power function
            ratio = least / distance[i]
            near[i] = np.sqrt(ratio) if root else 1.0
            for _ in range(whole):
                near[i] *= ratio
        else:
            near[i] = (least / distance[i]) ** power
        total += near[i]
    return least, total


@njit(cache=True, nogil=True)
def _weighted_sums(
    points: NDArray[np.float64], columns: NDArray[np.float64], power: float, fuzziness: float, start: int, stop: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    d, c = columns.shape
    weights, sums = np.zeros(c), np.zeros((d, c))
    distance, near = np.empty(c), np.empty(c)
    objective = 0.0
    for k in range(start, stop):
        least, total = _closeness(points[k], columns, power, distance, near)
        scale = total**-fuzziness
        if power > 0 and not np.isinf(power):
            for i in range(c):
                if near[i] > 0:
                    near[i] *= scale * (least / distance[i] if distance[i] > least else 1.0)
            objective += least * total * scale
        else:  # crisp, or all degrees equal: u itself weighs
            for i in range(c):
                near[i] /= total
                objective += near[i] * distance[i]
        weights += near
        for j in range(d):
            x = points[k, j]
            for i in range(c):
                sums[j, i] += near[i] * x
    return weights, sums, objective


@njit(cache=True, nogil=True)
def _memberships(
    points: NDArray[np.float64],
    columns: NDArray[np.float64],
    power: float,
    start: int,
    stop: int,
    degrees: NDArray[np.float64],
) -> None:
    distance = np.empty(columns.shape[1])
    for k in range(start, stop):
        _, total = _closeness(points[k], columns, power, distance, degrees[k])
        degrees[k] /= total


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
    distance, near = np.empty(c), np.empty(c)
    for k in range(start, stop):
        _, total = _closeness(points[k], columns, power, distance, near)
        left = draws[k] * total
        chosen[k] = -1
        for i in range(c):
            left -= near[i]
            if near[i] > 0:
                chosen[k] = i
                if left < 0:
                    break
