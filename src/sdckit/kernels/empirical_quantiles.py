"""Empirical quantiles: values between neighbouring order statistics, so that none of them is an observed one."""

import numpy as np
from numpy.typing import NDArray


def empirical_quantiles(
    ordered: NDArray[np.float64],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    uniform: NDArray[np.float64],
    *,
    smooth: bool = True,
) -> NDArray[np.float64]:
    """The quantile of each run of `ordered` at a uniform number, linear between neighbours; or an observed value.

    Equal values stay what they are: a value that many have keeps its share, up to one neighbour on each side.

    >>> empirical_quantiles(np.array([0.0, 0.0, 10.0]), np.array([0, 0]), np.array([3, 3]), np.array([0.4, 0.75]))
    array([0., 5.])
    """
    if not smooth:
        return np.asarray(ordered[starts + np.minimum((uniform * sizes).astype(np.int64), sizes - 1)], dtype=np.float64)
    position = uniform * (sizes - 1)
    below = np.minimum(position.astype(np.int64), np.maximum(sizes - 2, 0))
    low = ordered[starts + below]
    high = ordered[starts + np.minimum(below + 1, sizes - 1)]
    return np.asarray(low + (position - below) * (high - low), dtype=np.float64)
