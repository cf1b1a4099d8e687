"""The Sugeno integral: the largest level that a set of attributes of that weight reaches."""

import numpy as np
from numpy.typing import NDArray


def sugeno_integral(values: NDArray[np.float64], measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """max_i min(μ{the i largest}, x_(i)), values in falling order.

    It only compares, so values and weights must be on one scale; a ValueError says if a value leaves 0..1. For a record
    with values that saturate at the weights many records get the same integral.
    """
    if values.size and (np.nanmin(values) < 0 or np.nanmax(values) > 1):
        raise ValueError("the Sugeno integral compares values with weights: bring the values into 0..1 first")
    order = np.argsort(-values, axis=1, kind="stable")
    falling = np.take_along_axis(values, order, axis=1)
    weights = measure[np.cumsum(1 << order.astype(np.int64), axis=1)]
    result: NDArray[np.float64] = np.minimum(weights, falling).max(axis=1)
    return result
