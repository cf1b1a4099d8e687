"""Linear combinations of draws, term by term: the last digits of a matrix product depend on the number of rows."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Floats = NDArray[np.float64]

COMPILED = 200_000  # numbers from which on compiled code is faster, with the time to load it


def combined(weights: Floats, draws: Floats, *, compiled: bool) -> Floats:
    """A line for each line of weights: the sum of the lines of draws, each times its weight, in their order.

    >>> combined(np.array([[1.0, 2.0]]), np.array([[1.0, 3.0], [10.0, 20.0]]), compiled=False).tolist()
    [[21.0, 43.0]]
    """
    out = np.zeros((len(weights), draws.shape[1]))
    if compiled:
        _add_combinations(weights, draws, out)
        return out
    term = np.empty(draws.shape[1])
    for total, own in zip(out, weights, strict=True):
        for weight, numbers in zip(own, draws, strict=True):
            total += np.multiply(weight, numbers, out=term)
    return out


@njit(cache=True)
def _add_combinations(weights: Floats, draws: Floats, out: Floats) -> None:
    for line in range(len(weights)):
        for index in range(len(draws)):
            weight = weights[line, index]
            for row in range(draws.shape[1]):
                out[line, row] += weight * draws[index, row]
