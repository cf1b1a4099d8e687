"""Squared distances between all records of two files, by one matrix product."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit


def negative_half_squares(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """−½ |x − y|² for each record x of one file and y of the other, as in the exponent of a normal density.

    >>> negative_half_squares(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[-12.5, -0.0]]
    """
    products = a @ b.T
    _finish(products, (a**2).sum(axis=1), (b**2).sum(axis=1))
    return products


@njit(cache=True, nogil=True)
def _finish(products: NDArray[np.float64], of_a: NDArray[np.float64], of_b: NDArray[np.float64]) -> None:
    for record in range(len(of_a)):
        for other in range(len(of_b)):
            squared = of_a[record] + of_b[other] - 2.0 * products[record, other]
            products[record, other] = -0.5 * max(squared, 0.0)
