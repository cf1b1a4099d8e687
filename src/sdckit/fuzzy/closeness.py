"""How close a point is to each centre, relative to the nearest: what the memberships of fuzzy clusterings are made of.

With D the squared distance to a centre and p = 1 / (m − 1), the closeness is (D_min / D)^p, and memberships are shares
of the sum. A missing value is left out of the distance, which is then scaled up to all attributes (partial distance).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.power import raise_ratios


def power_of(fuzziness: float) -> float:
    """p = 1 / (m − 1): infinite for crisp clusters, 0 for equal degrees."""
    return np.inf if fuzziness == 1 else 1.0 / (fuzziness - 1.0)


def exponent_of(fuzziness: float) -> float:
    """m, or 1 where m is infinite: all memberships are equal then, whatever the exponent."""
    return fuzziness if np.isfinite(fuzziness) else 1.0


def check_fuzziness(fuzziness: float, title: str = "fuzziness") -> None:
    """Refuse a fuzziness below 1."""
    if not fuzziness >= 1:
        raise ValueError(f"the {title} is at least 1, not {fuzziness:g}")


class Workspace(NamedTuple):
    """Work arrays of one point, with one entry for each centre."""

    distance: NDArray[np.float64]
    ratio: NDArray[np.float64]
    kept: NDArray[np.float64]
    centre: NDArray[np.int64]


class Closeness(NamedTuple):
    """Of one point: the least squared distance, the sum of the closeness, its noise part, and the scale of D."""

    least: float
    total: float
    noise: float
    scale: float


@njit(cache=True, nogil=True)
def workspace_of(c: int) -> Workspace:
    """Work arrays for c centres."""
    return Workspace(np.empty(c), np.empty(c), np.empty(c), np.empty(c, np.int64))


@njit(cache=True, nogil=True, error_model="numpy")
def squared_distances(point: NDArray[np.float64], columns: NDArray[np.float64], distance: NDArray[np.float64]) -> float:
    """Fill the squared distances of one point to all centres; returns attributes / observed attributes, NaN if none."""
    d, c = columns.shape
    distance[:] = 0.0
    observed = 0
    for j in range(d):
        x = point[j]
        if x == x:
            observed += 1
            for i in range(c):
                distance[i] += (x - columns[j, i]) ** 2
    if observed == d:
        return 1.0
    scale = d / observed if observed else np.nan
    for i in range(c):
        distance[i] *= scale
    return scale


@njit(cache=True, nogil=True, error_model="numpy")
def closeness_of(
    point: NDArray[np.float64],
    columns: NDArray[np.float64],
    power: float,
    noise: float,
    workspace: Workspace,
    closeness: NDArray[np.float64],
) -> Closeness:
    """Fill the squared distances, D_min / D and (D_min / D)^p of one point.

    `noise` is the squared distance of every point to the noise cluster, infinite without one. Each loop does one step
    for all centres without a branch, so that it is vectorised.
    """
    c = columns.shape[1]
    distance, ratio = workspace.distance, workspace.ratio
    scale = squared_distances(point, columns, distance)
    nearest = least_of(distance)
    least = noise if noise < nearest else float(nearest)
    for i in range(c):
        ratio[i] = 1.0 if distance[i] <= least else least / distance[i]
    if power == 0:
        closeness[:] = 1.0
        of_noise = 0.0 if np.isinf(noise) else 1.0
    elif np.isinf(power):
        for i in range(c):
            closeness[i] = 1.0 if distance[i] <= least else 0.0
        of_noise = 1.0 if noise <= least else 0.0
    else:
        raise_unless_negligible(workspace, power, closeness)
        of_noise = 1.0 if noise <= least else (least / noise) ** power
    return Closeness(least, total_of(closeness) + of_noise, of_noise, scale)


@njit(cache=True, nogil=True)
def raise_unless_negligible(workspace: Workspace, power: float, closeness: NDArray[np.float64]) -> None:
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
def least_of(distance: NDArray[np.float64]) -> np.float64:
    """The least distance, by integer comparison: the bit patterns of non-negative floats sort as the floats do."""
    if len(distance) == 0:
        raise ValueError("there are no centres")
    bits = distance.view(np.int64)
    least = bits[0]
    for i in range(len(bits)):
        least = min(least, bits[i])
    return np.int64(least).view(np.float64)


@njit(cache=True, nogil=True)
def total_of(closeness: NDArray[np.float64]) -> float:
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
def add_weighted(
    point: NDArray[np.float64],
    influence: NDArray[np.float64],
    totals: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Add a point, with its weight for each centre, to Σ w and Σ w x.

    `totals` has one row where no value is missing, else one for each attribute, as only observed values count.
    """
    d, c = sums.shape
    whole = len(totals) == 1
    if whole:
        for i in range(c):
            totals[0, i] += influence[i]
    for j in range(d):
        x = point[j]
        if x == x:
            for i in range(c):
                sums[j, i] += influence[i] * x
            if not whole:
                for i in range(c):
                    totals[j, i] += influence[i]
