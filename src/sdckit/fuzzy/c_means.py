"""Fuzzy c-means: every record belongs to every centre by a degree of membership (Bezdek 1981).

The memberships of all records are never in memory at once: each record's are computed, added to the next centres and
discarded. With D the squared distance of a record to a centre and p = 1 / (m − 1), the memberships
are u = D^−p / Σ D^−p, and the weight of a record for a centre is u^m = (D_min / D)^p · (D_min / D) / S^m with
S = Σ (D_min / D)^p, so that one power per pair is enough.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.log_weights import sums_in_logarithms, underflows
from sdckit.kernels.compiled import njit
from sdckit.kernels.power import raise_ratios
from sdckit.kernels.row_blocks import over_row_blocks


@dataclass(frozen=True, eq=False)
class CMeans:
    """The result: centres, the objective before each step, and whether the iteration converged."""

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
    """Alternate memberships and centres, from initial centres, until no centre moves further than the tolerance.

    `fuzziness` (the papers' m) is 1 for crisp clusters (k-means) and infinite for equal memberships; the tolerance is a
    share of the points' total standard deviation. The objective Σ u^m D never rises.
    """
    check_fuzziness(fuzziness)
    points = np.ascontiguousarray(points, dtype=np.float64)
    centres = np.array(centres, dtype=np.float64)
    deviation = float(np.sqrt(points.var(axis=0).sum())) or 1.0
    path = []
    for _ in range(max_rounds):
        weights, sums, objective = weighted_sums(points, centres, fuzziness)
        path.append(objective)
        filled = weights > 0
        moved = centres.copy()
        moved[filled] = sums[filled] / weights[filled, None]
        shift = float(np.abs(moved - centres).max(initial=0.0))
        centres = moved
        if shift <= tolerance * deviation:
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


def draw_assignments(
    points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float, draws: NDArray[np.float64]
) -> NDArray[np.int64]:
    """A centre for each point, drawn with its memberships as probabilities; `draws` are uniform in 0..1."""
    check_fuzziness(fuzziness)
    points, columns = np.ascontiguousarray(points), np.ascontiguousarray(centres.T)
    chosen = np.empty(len(points), np.int64)
    power = _power(fuzziness)
    over_row_blocks(len(points), lambda start, stop: _assign(points, columns, power, draws, start, stop, chosen))
    return chosen


def weighted_sums(
    points: NDArray[np.float64], centres: NDArray[np.float64], fuzziness: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Σ u^m and Σ u^m x for each centre, and the objective Σ u^m D.

    With a large fuzziness and many centres u^m is below the smallest float. Then both sums of a centre are multiples,
    by the same factor, so that their ratio, the next centre, is exact; the objective is 0 where it is that small.
    """
    columns = np.ascontiguousarray(centres.T)
    if underflows(fuzziness, len(centres)):
        return sums_in_logarithms(points, columns, fuzziness)
    parts: dict[int, tuple[NDArray[np.float64], NDArray[np.float64], float]] = {}
    power = _power(fuzziness)
    exponent = fuzziness if np.isfinite(fuzziness) else 1.0  # all memberships are 1/c then, whatever the exponent

    def add(start: int, stop: int) -> None:
        parts[start] = _weighted_sums(points, columns, power, exponent, start, stop)

    over_row_blocks(len(points), add)
    ordered = [parts[start] for start in sorted(parts)]  # threads end in any order; a fixed one gives the same sum
    weights = np.sum([part[0] for part in ordered], axis=0)
    sums = np.sum([part[1] for part in ordered], axis=0)
    return weights, np.ascontiguousarray(sums.T), float(sum(part[2] for part in ordered))


def _power(fuzziness: float) -> float:
    """p = 1 / (m − 1): infinite for crisp clusters, 0 for equal degrees."""
    return np.inf if fuzziness == 1 else 1.0 / (fuzziness - 1.0)


class _Workspace(NamedTuple):
    """Work arrays of one point, with one entry for each centre."""

    distance: NDArray[np.float64]
    ratio: NDArray[np.float64]
    kept: NDArray[np.float64]
    centre: NDArray[np.int64]


@njit(cache=True, nogil=True)
def _workspace(c: int) -> _Workspace:
    return _Workspace(np.empty(c), np.empty(c), np.empty(c), np.empty(c, np.int64))


@njit(cache=True, nogil=True, error_model="numpy")
def _closeness(
    point: NDArray[np.float64],
    columns: NDArray[np.float64],
    power: float,
    workspace: _Workspace,
    closeness: NDArray[np.float64],
) -> tuple[float, float]:
    """Fill the squared distances, D_min / D and (D_min / D)^p of one point; returns D_min and the sum of the last.

    Each loop does one step for all centres without a branch, so that it is vectorised.
    """
    d, c = columns.shape
    distance, ratio = workspace.distance, workspace.ratio
    distance[:] = 0.0
    for j in range(d):
        x = point[j]
        for i in range(c):
            distance[i] += (x - columns[j, i]) ** 2
    least = _least(distance)
    for i in range(c):
        ratio[i] = 1.0 if distance[i] <= least else least / distance[i]
    if power == 0:
        closeness[:] = 1.0
    elif np.isinf(power):
        for i in range(c):
            closeness[i] = 1.0 if distance[i] <= least else 0.0
    else:
        _raise_unless_negligible(workspace, power, closeness)
    return least, _total(closeness)


@njit(cache=True, nogil=True)
def _raise_unless_negligible(workspace: _Workspace, power: float, closeness: NDArray[np.float64]) -> None:
    """Fill `closeness` with the ratios to the power, or 0 where that is below e^−40."""
    ratio, kept, centre = workspace.ratio, workspace.kept, workspace.centre
    negligible = np.exp(-40.0 / power)
    count = 0
    for i in range(len(ratio)):
        count += not ratio[i] <= negligible
    if 2 * count > len(ratio):
        for i in range(len(ratio)):
            kept[i] = negligible if ratio[i] <= negligible else ratio[i]
        if power == 1:
            closeness[:] = kept
        else:
            raise_ratios(kept, power, closeness)
        for i in range(len(ratio)):
            closeness[i] = 0.0 if ratio[i] <= negligible else closeness[i]
        return
    count = 0
    for i in range(len(ratio)):
        centre[count] = i
        count += not ratio[i] <= negligible
    for k in range(count):
        kept[k] = ratio[centre[k]]
    raise_ratios(kept[:count], power, closeness[:count])
    closeness[count:] = 0.0
    for k in range(count - 1, -1, -1):  # backwards: no entry overwrites one still to be moved
        value = closeness[k]
        closeness[k] = 0.0
        closeness[centre[k]] = value


@njit(cache=True, nogil=True)
def _least(distance: NDArray[np.float64]) -> np.float64:
    """The least distance, by integer comparison: the bit patterns of non-negative floats sort as the floats do."""
    if len(distance) == 0:
        raise ValueError("there are no centres")
    bits = distance.view(np.int64)
    least = bits[0]
    for i in range(len(bits)):
        least = min(least, bits[i])
    return np.int64(least).view(np.float64)


@njit(cache=True, nogil=True)
def _total(closeness: NDArray[np.float64]) -> float:
    """The sum, by eight independent partial sums."""
    a = b = c = d = e = f = g = h = 0.0
    whole = len(closeness) // 8 * 8
    for i in range(0, whole, 8):
        a += closeness[i]
        b += closeness[i + 1]
        c += closeness[i + 2]
        d += closeness[i + 3]
        e += closeness[i + 4]
        f += closeness[i + 5]
        g += closeness[i + 6]
        h += closeness[i + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for i in range(whole, len(closeness)):
        total += closeness[i]
    return total


@njit(cache=True, nogil=True)
def _weighted_sums(
    points: NDArray[np.float64], columns: NDArray[np.float64], power: float, fuzziness: float, start: int, stop: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    d, c = columns.shape
    weights, sums = np.zeros(c), np.zeros((d, c))
    workspace, closeness = _workspace(c), np.empty(c)
    objective = 0.0
    for k in range(start, stop):
        least, total = _closeness(points[k], columns, power, workspace, closeness)
        scale = total**-fuzziness
        if power > 0 and not np.isinf(power):
            for i in range(c):
                closeness[i] *= scale * workspace.ratio[i]
            objective += least * total * scale
        else:  # crisp, or all memberships equal: the weight is u itself
            for i in range(c):
                closeness[i] /= total
                objective += closeness[i] * workspace.distance[i]
        weights += closeness
        for j in range(d):
            x = points[k, j]
            for i in range(c):
                sums[j, i] += closeness[i] * x
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
    workspace = _workspace(columns.shape[1])
    for k in range(start, stop):
        _, total = _closeness(points[k], columns, power, workspace, degrees[k])
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
    workspace, closeness = _workspace(c), np.empty(c)
    for k in range(start, stop):
        _, total = _closeness(points[k], columns, power, workspace, closeness)
        left = draws[k] * total
        chosen[k] = -1
        for i in range(c):
            left -= closeness[i]
            if closeness[i] > 0:
                chosen[k] = i
                if left < 0:
                    break
