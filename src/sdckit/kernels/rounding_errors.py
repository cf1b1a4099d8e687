"""Rounding errors: numbers that are equal but for the last bits of a computation, made equal."""

import numpy as np
from numpy.typing import NDArray

ROUNDING = 64 * float(np.finfo(np.float64).eps)  # of the largest magnitude of a column


def without_rounding_errors(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The columns with each run of numbers that hardly differ replaced by the smallest of the run.

    Otherwise rows that are meant to be equal could be distinguished by their last bits. Missing values stay missing.

    >>> without_rounding_errors(np.array([[0.3], [0.1 + 0.2], [0.4]])).ravel().tolist()
    [0.3, 0.3, 0.4]
    """
    out = values.copy()
    for column in out.T:
        distinct, of = np.unique(column, return_inverse=True)
        largest = np.nanmax(np.abs(distinct), initial=0.0)
        begins = np.diff(distinct, prepend=-np.inf) > ROUNDING * largest
        begins |= np.isnan(distinct)
        column[:] = distinct[np.maximum.accumulate(np.where(begins, np.arange(len(distinct)), 0))][of]
    return out
