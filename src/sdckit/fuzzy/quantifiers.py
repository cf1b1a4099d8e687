"""Fuzzy quantifiers: the truth of 'enough of them' for a share x, non-decreasing from Q(0) = 0 to Q(1) = 1."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Quantifier = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def power(exponent: float) -> Quantifier:
    """Q(x) = x ** exponent: below 1 a few are enough, above 1 most are needed; 1 is the paper's Q(x) = x."""
    if exponent <= 0:
        raise ValueError(f"a quantifier's exponent is positive, not {exponent:g}")
    return lambda share: np.asarray(share, dtype=float) ** exponent
