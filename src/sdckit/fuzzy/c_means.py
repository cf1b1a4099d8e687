"""Fuzzy c-means: centres that every record belongs to by degrees (Bezdek 1981).

The degrees of all records in all centres are never held at once: each record's are made, used for the next centres and
forgotten. With D the squared distance of a record to a centre and p = 1 / (m − 1), the degrees are
u = D^−p / Σ D^−p, and what a centre weighs a record by is u^m = (D_min / D)^p · (D_min / D) / S^m with
S = Σ (D_min / D)^p, so that one power a pair is enough.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sdckit.kernels.power import raise_ratios
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
    max_rounds: int = 300,
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
    for _ in range(max_rounds):
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


class _Room(NamedTuple):
    """Where the numbers of one point are worked out: one for each centre."""

    distance: NDArray[np.float64]
    ratio: NDArray[np.float64]
    kept: NDArray[np.float64]
    place: NDArray[np.int64]


@njit(cache=True, nogil=True)
def _room(c: int) -> _Room:
    return _Room(np.empty(c), np.empty(c), np.empty(c), np.empty(c, np.int64))


@njit(cache=True, nogil=True, error_model="numpy")
def _closeness(
    point: NDArray[np.float64],
    columns: NDArray[np.float64],
    power: float,
    room: _Room,
    near: NDArray[np.float64],
) -> tuple[float, float]:
    """Fill the squared distances, D_min / D and (D_min / D)^p of one point; returns D_min and the sum of the last.

    A loop does one step for all centres and has no branch: so several centres are done at a time.
    """
    d, c = columns.shape
    distance, ratio = room.distance, room.ratio
    distance[:] = 0.0
    for j in range(d):
        x = point[j]
        for i in range(c):
            distance[i] += (x - columns[j, i]) ** 2
    least = _least(distance)
    for i in range(c):
        ratio[i] = 1.0 if distance[i] <= least else least / distance[i]
    if power == 0:
        near[:] = 1.0
    elif np.isinf(power):
        for i in range(c):
            near[i] = 1.0 if distance[i] <= least else 0.0
    else:
        _raise_unless_negligible(room, power, near)
    return least, _total(near)


@njit(cache=True, nogil=True)
def _raise_unless_negligible(room: _Room, power: float, near: NDArray[np.float64]) -> None:
    """Fill `near` with the ratios to the power, or 0 where that is below e^−40."""
    ratio, kept, place = room.ratio, room.kept, room.place
    negligible = np.exp(-40.0 / power)
    count = 0
    for i in range(len(ratio)):
        count += not ratio[i] <= negligible
    if 2 * count > len(ratio):
        for i in range(len(ratio)):
            kept[i] = negligible if ratio[i] <= negligible else ratio[i]
        if power == 1:
            near[:] = kept
        else:
            raise_ratios(kept, power, near)
        for i in range(len(ratio)):
            near[i] = 0.0 if ratio[i] <= negligible else near[i]
        return
    count = 0
    for i in range(len(ratio)):
        place[count] = i
        count += not ratio[i] <= negligible
    for k in range(count):
        kept[k] = ratio[place[k]]
    raise_ratios(kept[:count], power, near[:count])
    near[count:] = 0.0
    for k in range(count - 1, -1, -1):  # from the last on: none lands where another still waits
        value = near[k]
        near[k] = 0.0
        near[place[k]] = value


@njit(cache=True, nogil=True)
def _least(distance: NDArray[np.float64]) -> np.float64:
    """The least distance, found by their bits: those of numbers above 0 are in the numbers' order."""
    if len(distance) == 0:
        raise ValueError("there are no centres")
    bits = distance.view(np.int64)
    least = bits[0]
    for i in range(len(bits)):
        least = min(least, bits[i])
    return np.int64(least).view(np.float64)


@njit(cache=True, nogil=True)
def _total(near: NDArray[np.float64]) -> float:
    """The sum, as that of eight sums that need not wait for each other."""
    a = b = c = d = e = f = g = h = 0.0
    whole = len(near) // 8 * 8
    for i in range(0, whole, 8):
        a += near[i]
        b += near[i + 1]
        c += near[i + 2]
        d += near[i + 3]
        e += near[i + 4]
        f += near[i + 5]
        g += near[i + 6]
        h += near[i + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for i in range(whole, len(near)):
        total += near[i]
    return total


@njit(cache=True, nogil=True)
def _weighted_sums(
    points: NDArray[np.float64], columns: NDArray[np.float64], power: float, fuzziness: float, start: int, stop: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    d, c = columns.shape
    weights, sums = np.zeros(c), np.zeros((d, c))
    room, near = _room(c), np.empty(c)
    objective = 0.0
    for k in range(start, stop):
        least, total = _closeness(points[k], columns, power, room, near)
        scale = total**-fuzziness
        if power > 0 and not np.isinf(power):
            for i in range(c):
                near[i] *= scale * room.ratio[i]
            objective += least * total * scale
        else:  # crisp, or all degrees equal: u itself weighs
            for i in range(c):
                near[i] /= total
                objective += near[i] * room.distance[i]
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
    room = _room(columns.shape[1])
    for k in range(start, stop):
        _, total = _closeness(points[k], columns, power, room, degrees[k])
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
    room, near = _room(c), np.empty(c)
    for k in range(start, stop):
        _, total = _closeness(points[k], columns, power, room, near)
        left = draws[k] * total
        chosen[k] = -1
        for i in range(c):
            left -= near[i]
            if near[i] > 0:
                chosen[k] = i
                if left < 0:
                    break
