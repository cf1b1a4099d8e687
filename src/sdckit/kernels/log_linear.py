"""Log-linear models of a table of keys, fitted by iterative proportional fitting on all cells, empty ones included."""

from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray


def fitted_means(
    codes: NDArray[np.integer], shape: tuple[int, ...], order: int, rounds: int = 200, tolerance: float = 1e-6
) -> NDArray[np.float64]:
    """The expected count of each record's cell under the model with all interactions of up to `order` keys.

    Order 1 is the independence model and needs no table. Higher orders fit all margins of that many keys in turn, until
    none deviates by more than `tolerance` times the number of records.
    """
    records = len(codes)
    if order == 1 or len(shape) == 1:
        shares = [np.bincount(column, minlength=1)[column] / records for column in codes.T]
        return np.asarray(records * np.prod(shares, axis=0), dtype=np.float64)
    cells = np.ravel_multi_index(tuple(codes.T), shape)
    observed = np.bincount(cells, minlength=prod(shape)).reshape(shape)
    axes = range(len(shape))
    margins = [tuple(axis for axis in axes if axis not in kept) for kept in combinations(axes, min(order, len(shape)))]
    observed_margins = [observed.sum(axis=summed, keepdims=True) for summed in margins]
    fitted = np.full(shape, records / prod(shape))
    for _ in range(rounds):
        deviation = 0.0
        for summed, margin in zip(margins, observed_margins, strict=True):
            fitted_margin = fitted.sum(axis=summed, keepdims=True)
            deviation = max(deviation, float(np.abs(fitted_margin - margin).max()))
            fitted *= np.divide(margin, fitted_margin, out=np.zeros_like(fitted_margin), where=fitted_margin > 0)
        if deviation <= tolerance * records:
            break
    return np.asarray(fitted.reshape(-1)[cells], dtype=np.float64)


def expected_inverse(unseen: NDArray[np.float64]) -> NDArray[np.float64]:
    """E 1 / (1 + Poisson(x)) = (1 − e^(−x)) / x, 1 at x = 0: the probability of a correct match on a sample unique."""
    return np.where(unseen > 0, -np.expm1(-unseen) / np.where(unseen > 0, unseen, 1.0), 1.0)
