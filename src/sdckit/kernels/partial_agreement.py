"""Frequencies in which a row that agrees only through a missing value counts for a part (sdcMicro's alpha)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import MISSING, class_of, wildcard_frequencies


def partial_frequencies(codes: NDArray[np.integer], alpha: float) -> NDArray[np.float64]:
    """How many records agree with each: itself and those with all the same values whole, others through a hole `alpha`.

    >>> partial_frequencies(np.array([[0, 1], [0, 1], [0, -1]]), 0.5).tolist()
    [2.5, 2.5, 2.0]
    """
    complete = (codes != MISSING).all(axis=1)
    whole = np.ones(len(codes))
    if complete.any():
        classes = class_of(codes[complete])
        whole[complete] = classes.sizes[classes.of]
    return alpha * wildcard_frequencies(codes) + (1 - alpha) * whole


def suppress_by_partial_agreement(
    codes: NDArray[np.integer], k: int, costs: NDArray[np.float64], alpha: float
) -> NDArray[np.int64]:
    """The codes with values made missing until every partial frequency is at least k; needs 1 + alpha · (n − 1) ≥ k.

    In each round the rarest records lose one value each: of the cheapest key, at equal cost that with most categories.
    """
    out: NDArray[np.int64] = np.array(codes, dtype=np.int64)
    categories = np.array([len(np.unique(column)) for column in out.T])
    order = np.lexsort((-categories, np.asarray(costs, dtype=np.float64)))
    while True:
        frequency = partial_frequencies(out, alpha)
        rare = np.flatnonzero((frequency < k - 1e-9) & (out != MISSING).any(axis=1))
        if not len(rare):
            return out
        rarest = rare[frequency[rare] <= frequency[rare].min() + 1e-9]
        present = out[np.ix_(rarest, order)] != MISSING
        out[rarest, order[present.argmax(axis=1)]] = MISSING
