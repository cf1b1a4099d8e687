"""The Choquet integral: a mean that weights sets of attributes, so that attributes may interact."""

import numpy as np
from numpy.typing import NDArray


def choquet_integral(values: NDArray[np.float64], measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """Σ_t (x_(t) − x_(t+1)) · μ{the t largest}, values in descending order and 0 after the last.

    With an additive measure it is the weighted mean, with a symmetric one an OWA. For negative values it is the
    asymmetric integral.
    """
    gaps, sets = descending_gaps(values)
    result: NDArray[np.float64] = (gaps * measure[sets]).sum(axis=1)
    return result


def descending_gaps(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """For each row the gaps between its values in descending order, and the set of the t largest at each t."""
    order = np.argsort(-values, axis=1, kind="stable")
    descending = np.take_along_axis(values, order, axis=1)
    below = np.concatenate([descending[:, 1:], np.zeros((len(values), 1))], axis=1)
    return descending - below, np.cumsum(1 << order.astype(np.int64), axis=1)
