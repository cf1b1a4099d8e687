"""Smooth surrogates of the number of links: the conditional logit (convex), then its sharpened, bounded form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

SHARPNESS = (3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
STEPS = 40  # of L-BFGS at each sharpness
INEQUALITY_PENALTY = 10.0


@njit(cache=True, nogil=True)
def _loss(
    parameters: Array,
    rows: Array,
    starts: Indices,
    importance: Array,
    inequalities: Array,
    sharpness: float,
    bounded: bool,
) -> tuple[float, Array]:
    value: Array = rows @ parameters
    weight = np.zeros(len(value))
    total = 0.0
    for i in range(len(starts) - 1):
        if starts[i] == starts[i + 1]:
            continue
        worst = 0.0
        for r in range(starts[i], starts[i + 1]):
            worst = max(worst, -sharpness * value[r])
        mass = np.exp(-worst)
        for r in range(starts[i], starts[i + 1]):
            weight[r] = np.exp(-sharpness * value[r] - worst)
            mass += weight[r]
        linked = np.exp(-worst) / mass
        scale = importance[i] * (linked if bounded else 1.0)
        total += importance[i] * (1.0 - linked if bounded else np.log(mass) + worst)
        for r in range(starts[i], starts[i + 1]):
            weight[r] *= -sharpness * scale / mass
    gradient = weight @ rows
    if len(inequalities) > 0:
        short = np.minimum(inequalities @ parameters, 0.0)
        strength = INEQUALITY_PENALTY * sharpness**2
        total += strength * float(np.sum(short**2))
        gradient = gradient + 2 * strength * (short @ inequalities)
    return total, gradient


def descend(
    rows: Array,
    starts: Indices,
    importance: Array,
    inequalities: Array,
    start: Array,
    bounded: bool,
    schedule: Sequence[float],
    over: Callable[[], bool],
) -> list[Array]:
    """The minimisers, from smooth to sharp, of one surrogate; the inequalities enter as penalties."""
    from scipy.optimize import minimize

    def loss(parameters: Array, sharpness: float) -> tuple[float, Array]:
        if over():
            raise StopIteration
        value, gradient = _loss(parameters, rows, starts, importance, inequalities, sharpness, bounded)
        return float(value), np.asarray(gradient)

    length = float(np.linalg.norm(start))
    if length == 0:
        return []
    point, path = start / length, []
    for sharpness in schedule:
        try:
            found = minimize(loss, point, args=(sharpness,), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
        except StopIteration:
            break
        length = float(np.linalg.norm(found.x))
        if not np.isfinite(length) or length == 0:
            break
        point = found.x / length
        path.append(point)
    return path
