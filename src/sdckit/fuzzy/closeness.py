"""How close a record is to each centre, relative to the nearest: what the memberships of fuzzy clusterings are made of.

With D the squared distance to a centre and p = 1 / (m − 1), the closeness is (D_min / D)^p, and memberships are shares
of the sum.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.power import raise_ratios

LARGEST = 300.0  # of the exponents of typicalities beside memberships: beyond, degrees are equal but for rounding
NEVER = 1e-15  # of the distance to the farthest centre: no nearest one is so near but at it
WHOLE = 64  # powers that are whole numbers up to here are products: m = 1.2 has a power of 5, m = 1.1 one of 10


def power_of(fuzziness: float) -> float:
    """p = 1 / (m − 1): infinite for crisp clusters, 0 for equal degrees."""
    return np.inf if fuzziness == 1 else 1.0 / (fuzziness - 1.0)


def exponent_of(fuzziness: float) -> float:
    """m, or 1 where m is infinite: all memberships are equal then, whatever the exponent."""
    return float(fuzziness) if np.isfinite(fuzziness) else 1.0


def check_fuzziness(fuzziness: float, title: str = "fuzziness", largest: float = np.inf) -> None:
    """Refuse a fuzziness below 1, and a finite one above the largest."""
    if not fuzziness >= 1:
        raise ValueError(f"the {title} is at least 1, not {fuzziness:g}")
    if largest < fuzziness < np.inf:
        raise ValueError(f"the {title} is at most {largest:g}, or infinite for equal degrees, not {fuzziness:g}")


class Workspace(NamedTuple):
    """Work arrays of one record, with one entry for each centre."""

    ratio: NDArray[np.float64]
    work: NDArray[np.float64]
    centre: NDArray[np.int64]


class Closeness(NamedTuple):
    """Of one record: the least squared distance, the sum of the closeness, and the part of the noise cluster in it."""

    least: float
    total: float
    noise: float


@njit(cache=True, nogil=True)
def workspace_of(c: int) -> Workspace:
    """Work arrays for c centres."""
    return Workspace(np.empty(c), np.empty(c), np.empty(c, np.int64))


@njit(cache=True, nogil=True, error_model="numpy")
def closeness_of(
    distance: NDArray[np.float64], power: float, noise: float, workspace: Workspace, closeness: NDArray[np.float64]
) -> Closeness:
    """Fill D_min / D and (D_min / D)^p of one record, from its squared distances.

    `noise` is the squared distance of every record to the noise cluster, infinite without one. Each loop does one step
    for all centres without a branch, so that it is vectorised.
    """
    c = len(distance)
    ratio = workspace.ratio
    nearest = least_of(distance)
    least = noise if noise < nearest else float(nearest)
    for i in range(c):
        ratio[i] = 1.0 if distance[i] <= least else least / distance[i]
    if power == 0:
        for i in range(c):
            closeness[i] = 1.0
        of_noise = 0.0 if np.isinf(noise) else 1.0
    elif np.isinf(power):
        for i in range(c):
            closeness[i] = 1.0 if distance[i] <= least else 0.0
        of_noise = 1.0 if noise <= least else 0.0
    else:
        raise_unless_negligible(workspace, power, closeness)
        of_noise = 1.0 if noise <= least else (least / noise) ** power
    return Closeness(least, total_of(closeness) + of_noise, of_noise)


@njit(cache=True, nogil=True)
def raise_unless_negligible(workspace: Workspace, power: float, closeness: NDArray[np.float64]) -> None:
    """Fill `closeness` with the ratios to the power, or 0 where that is below e^−40."""
    ratio, work, centre = workspace.ratio, workspace.work, workspace.centre
    negligible = np.exp(-40.0 / power)
    if negligible < NEVER:
        raise_to(ratio, power, closeness)
        return
    count = 0
    for i in range(len(ratio)):
        count += not ratio[i] <= negligible
    if 2 * count > len(ratio):
        for i in range(len(ratio)):
            work[i] = negligible if ratio[i] <= negligible else ratio[i]
        raise_to(work, power, closeness)
        for i in range(len(ratio)):
            closeness[i] = 0.0 if ratio[i] <= negligible else closeness[i]
        return
    count = 0
    for i in range(len(ratio)):
        centre[count] = i
        count += not ratio[i] <= negligible
    for k in range(count):
        work[k] = ratio[centre[k]]
    raise_to(work[:count], power, closeness[:count])
    for k in range(count, len(closeness)):
        closeness[k] = 0.0
    for k in range(count - 1, -1, -1):  # backwards: no entry overwrites one still to be moved
        value = closeness[k]
        closeness[k] = 0.0
        closeness[centre[k]] = value


@njit(cache=True, nogil=True)
def raise_to(ratios: NDArray[np.float64], power: float, raised: NDArray[np.float64]) -> None:
    """Fill `raised` with the ratios, each from 0 to 1, to a finite positive power; by products where it is whole."""
    if not is_whole(power):
        raise_ratios(ratios, power, raised)
        return
    whole = np.int64(np.rint(power))
    for i in range(len(ratios)):
        raised[i] = ratios[i]
    bit = np.int64(1)
    while 2 * bit <= whole:
        bit *= 2
    while bit > 1:  # from the second highest bit down: square, and multiply where it is set
        bit //= 2
        if whole & bit:
            for i in range(len(ratios)):
                raised[i] *= raised[i] * ratios[i]
        else:
            for i in range(len(ratios)):
                raised[i] *= raised[i]


@njit(cache=True, nogil=True)
def is_whole(power: float) -> bool:
    """Whether a positive power is a whole number, and so small that it is a product of few factors."""
    if power > WHOLE:
        return False
    whole = np.rint(power)
    return bool(whole >= 1 and abs(power - whole) <= 2e-14 * whole)


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
