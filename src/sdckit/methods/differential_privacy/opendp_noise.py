"""Noise from OpenDP, which is safe against attacks on floating-point numbers and draws from the operating system."""

from functools import lru_cache
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import MissingPackageError

PACKAGE = "opendp"
LITTLE_MORE = 1 + 1e-9  # of a scale, where rounding leaves the privacy loss above what is asked for


def opendp() -> Any:
    """The package; an error with the cure where it is not installed."""
    try:
        import opendp.prelude as prelude
    except ImportError:
        raise MissingPackageError("this method needs OpenDP; install it with: pip install 'sdckit[dp]'") from None
    prelude.enable_features("contrib")
    return prelude


def with_laplace_noise(values: NDArray[np.float64], sensitivity: float, epsilon: float) -> NDArray[np.float64]:
    """The values with Laplace noise, together ε-private where one record changes them by `sensitivity` in sum."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)
    scale = sensitivity / epsilon
    mechanism = dp.m.make_laplace(*space, scale)
    while mechanism.map(sensitivity) > epsilon:
        scale *= LITTLE_MORE
        mechanism = dp.m.make_laplace(*space, scale)
    return np.array(mechanism(values.tolist()), dtype=np.float64)


@lru_cache(maxsize=64)
def gaussian_scale(epsilon: float, delta: float) -> float:
    """The standard deviation of Gaussian noise that is (ε, δ)-private where one record changes a value by 1.

    ε = ρ + 2 √(ρ ln 1/δ) with ρ = 1 / 2σ² is a little more than needed; the least is searched for below it.
    """
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float)
    enough = 1 / (sqrt(2) * (sqrt(log(1 / delta) + epsilon) - sqrt(log(1 / delta))))

    def holds(scale: float) -> bool:
        converted = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale)), delta)
        return bool(converted.map(1.0)[0] <= epsilon)

    low, high = enough / 2, enough
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def with_gaussian_noise(
    values: NDArray[np.float64], sensitivity: float, epsilon: float, delta: float
) -> NDArray[np.float64]:
    """The values with Gaussian noise, together (ε, δ)-private where one record changes them by `sensitivity`."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float)
    mechanism = dp.m.make_gaussian(*space, sensitivity * gaussian_scale(epsilon, delta))
    return np.array(mechanism(values.tolist()), dtype=np.float64)
