"""The Sugeno integral: the largest t such that the attributes with a value of at least t weigh at least t."""

import numpy as np
from numpy.typing import NDArray


def sugeno_integral(values: NDArray[np.float64], measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """max_i min(μ{the i largest}, x_(i)), values in descending order.

    Values are only compared with weights, so both must be on one scale: a value outside 0..1 is a ValueError. Where the
    weights limit the result, many records get the same integral.
    """
    if values.size and (np.nanmin(values) < 0 or np.nanmax(values) > 1):
        raise ValueError("the Sugeno integral compares values with weights: bring the values into 0..1 first")
    order = np.argsort(-values, axis=1, kind="stable")
    descending = np.take_along_axis(values, order, axis=1)
    weights = measure[np.cumsum(1 << order.astype(np.int64), axis=1)]
    result: NDArray[np.float64] = np.minimum(weights, descending).max(axis=1)
    return result
