"""Fuzzy quantifiers: how true 'enough of them' is of a share x, from Q(0) = 0 to Q(1) = 1, never falling."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Quantifier = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def power(exponent: float) -> Quantifier:
    """Q(x) = x ** exponent: below 1 a few are enough, above 1 it takes most; 1 is the paper's Q(x) = x."""
    if exponent <= 0:
        raise ValueError(f"a quantifier's exponent is positive, not {exponent:g}")
    return lambda share: np.asarray(share, dtype=float) ** exponent


def between(low: float, high: float) -> Quantifier:
    """0 up to `low`, 1 from `high` on, straight in between (Zadeh's 'most' is 0.3 to 0.8)."""
    if not 0 <= low < high <= 1:
        raise ValueError(f"a quantifier rises between two shares, 0 ≤ {low:g} < {high:g} ≤ 1 does not hold")
    return lambda share: np.clip((np.asarray(share, dtype=float) - low) / (high - low), 0.0, 1.0)
