"""Fuzzy quantifiers: the truth of 'enough of them' for a share x, non-decreasing from Q(0) = 0 to Q(1) = 1.

A recipe writes one by its name and numbers, `linear+0.3+0.8`; a number alone is the exponent of a power.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.named_values import NamedValue

Quantifier = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True)
class NamedQuantifier(NamedValue):
    """A quantifier that can be written in a recipe."""

    noun = "quantifier"
    numeric = "power"

    def __call__(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        """The truth for each share, which lies in 0..1."""
        raise TypeError(f"{type(self).__name__} must define __call__")

    def __str__(self) -> str:
        return "+".join([self.title, *(f"{getattr(self, each.name):g}" for each in fields(self))])


@dataclass(frozen=True)
class Power(NamedQuantifier):
    """Q(x) = x ** exponent: below 1 a few are enough, above 1 most are needed; 1 is the paper's Q(x) = x."""

    title = "power"

    exponent: float = 1.0

    def __post_init__(self) -> None:
        if not self.exponent > 0:
            raise ValueError(f"a quantifier's exponent is positive, not {self.exponent:g}")

    def __call__(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(share, dtype=np.float64) ** self.exponent

    def __str__(self) -> str:
        return f"{self.exponent:g}"


@dataclass(frozen=True)
class Rising(NamedQuantifier):
    """0 up to a share `low`, 1 from `high` on."""

    low: float = 0.3
    high: float = 0.8

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise ValueError(f"a quantifier rises between two shares of 0..1, not {self.low:g} and {self.high:g}")

    def way(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far a share is on the way from `low` to `high`."""
        return np.clip((np.asarray(share, dtype=np.float64) - self.low) / (self.high - self.low), 0.0, 1.0)


@dataclass(frozen=True)
class Linear(Rising):
    """0 up to a share `low`, 1 from `high` on, linear between: 'most' is (0.3, 0.8), 'at least half' (0, 0.5)."""

    title = "linear"

    def __call__(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.way(share)


@dataclass(frozen=True)
class AtLeast(NamedQuantifier):
    """0 below a share and 1 from it on: with 0.5 an OWA is the upper median, with 1 the minimum."""

    title = "at-least"

    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError(f"the share of 'at least' is above 0 and at most 1, not {self.share:g}")

    def __call__(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        return (np.asarray(share, dtype=np.float64) >= self.share - 1e-12).astype(np.float64)


@dataclass(frozen=True)
class Smooth(Rising):
    """Zadeh's S-function: 0 up to `low`, 1 from `high` on, two parabolas between that meet in the middle."""

    title = "smooth"

    def __call__(self, share: NDArray[np.float64]) -> NDArray[np.float64]:
        way = self.way(share)
        return np.where(way <= 0.5, 2 * way**2, 1 - 2 * (1 - way) ** 2)


def power(exponent: float) -> Power:
    """Q(x) = x ** exponent."""
    return Power(exponent)


def quantifier_from(arguments: Sequence[str]) -> NamedQuantifier:
    """The quantifier that a recipe writes as a name and numbers, or as the exponent of a power.

    >>> quantifier_from(["linear", "0.3", "0.8"])
    Linear(low=0.3, high=0.8)
    >>> quantifier_from(["2"])
    Power(exponent=2.0)
    """
    return NamedQuantifier.from_arguments(arguments[0], arguments[1:]) if arguments else Power()
