"""Memberships of the records of a strip in numpy, for a small file: nothing is compiled, and the bits are the same."""

from collections.abc import Callable
from math import exp
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.closeness import NEVER, is_whole
from sdckit.kernels.compiled import compiled_or_not, spared

Floats = NDArray[np.float64]
CELL = 20  # squared differences in the time in which numpy does the work of one record and centre


class Closenesses(NamedTuple):
    """Of each record: D_min / D and (D_min / D)^p by centre, the least distance, the sum and the noise in it."""

    ratio: Floats
    closeness: Floats
    least: Floats
    total: Floats
    noise: Floats


def without_kernel(kernel: Callable[..., Any], distance: Floats, power: float) -> bool:
    """Whether numpy does this sooner than the kernel is compiled: where the powers are products, and few."""
    by_products = power in (0.0, np.inf) or compiled_or_not(is_whole, 1)(power)
    return by_products and spared(kernel, CELL * distance.size)


@np.errstate(all="ignore")
def closenesses(distance: Floats, power: float, noise: float) -> Closenesses:
    """What `closeness_of` gives for one record, for all records of a strip."""
    nearest = distance.min(axis=1)
    least = np.where(noise < nearest, noise, nearest)
    at = distance <= least[:, None]
    ratio = np.where(at, 1.0, least[:, None] / distance)
    if power == 0:
        closeness, of_noise = np.ones_like(distance), np.full(len(distance), 0.0 if np.isinf(noise) else 1.0)
    elif np.isinf(power):
        closeness, of_noise = at.astype(np.float64), np.where(noise <= least, 1.0, 0.0)
    else:
        closeness = _raised_unless_negligible(ratio, power)
        raised = np.array([each**power for each in (least / noise).tolist()])
        of_noise = np.where(noise <= least, 1.0, raised)
    return Closenesses(ratio, closeness, least, _totals(closeness) + of_noise, of_noise)


@np.errstate(all="ignore")
def influences_of_few(distance: Floats, power: float, fuzziness: float, noise: float, influence: Floats) -> Floats:
    """Fill u^m of each record and centre; returns the objective of each record."""
    near = closenesses(distance, power, noise)
    parts: Floats
    if power > 0 and not np.isinf(power):
        share = np.array([total**-fuzziness for total in near.total.tolist()])
        influence[:] = near.closeness * (share[:, None] * near.ratio)
        parts = near.least * near.total * share
    else:
        influence[:] = near.closeness / near.total[:, None]
        first = np.where(near.noise > 0, noise * near.noise / near.total, 0.0)
        parts = np.add.accumulate(np.column_stack([first, influence * distance]), axis=1)[:, -1]
    return parts


@np.errstate(all="ignore")
def degrees_of_few(distance: Floats, power: float, noise: float, degrees: Floats) -> None:
    """Fill the membership of each record and centre."""
    near = closenesses(distance, power, noise)
    degrees[:] = near.closeness / near.total[:, None]


def assign_few(distance: Floats, power: float, draws: Floats, chosen: NDArray[np.int64]) -> None:
    """Fill a centre for each record, drawn with its memberships as probabilities."""
    near = closenesses(distance, power, np.inf)
    nowhere = np.isnan(near.least)
    closeness = np.where(nowhere[:, None], 1.0, near.closeness)
    total = np.where(nowhere, float(distance.shape[1]), near.total)
    left = np.subtract.accumulate(np.column_stack([draws * total, closeness]), axis=1)[:, 1:]
    possible = closeness > 0
    reached = possible & (left < 0)
    last = closeness.shape[1] - 1 - np.argmax(possible[:, ::-1], axis=1)
    some = np.where(possible.any(axis=1), last, -1)
    chosen[:] = np.where(reached.any(axis=1), np.argmax(reached, axis=1), some)


def _raised_unless_negligible(ratio: Floats, power: float) -> Floats:
    """The ratios to the power, or 0 where that is below e^−40."""
    negligible = exp(-40.0 / power)
    if negligible < NEVER:
        return _raised_to(ratio, power)
    small = ratio <= negligible
    raised: Floats = np.where(small, 0.0, _raised_to(np.where(small, negligible, ratio), power))
    return raised


def _raised_to(ratios: Floats, power: float) -> Floats:
    """The ratios, each from 0 to 1, to a power that is a whole number."""
    raised = ratios.copy()
    for bit in f"{round(power):b}"[1:]:  # from the second highest bit down: square, and multiply where it is set
        raised *= raised * ratios if bit == "1" else raised
    return raised


def _totals(closeness: Floats) -> Floats:
    """The sums, by eight independent partial sums as the kernel adds them."""
    whole = closeness.shape[1] // 8 * 8
    by_eights = closeness[:, :whole].reshape(len(closeness), -1, 8)
    a, b, c, d, e, f, g, h = np.add.accumulate(np.pad(by_eights, ((0, 0), (1, 0), (0, 0))), axis=1)[:, -1].T
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    sums: Floats = np.add.accumulate(np.column_stack([total, closeness[:, whole:]]), axis=1)[:, -1]
    return sums
