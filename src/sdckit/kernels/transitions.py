"""Transitions: categories that change at random, with the probabilities of a matrix row for each (PRAM)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit


def transition_matrix(block: NDArray[np.int64], stay: float) -> NDArray[np.float64]:
    """Stay with probability `stay`, else become any other category of the same block with equal probability.

    The only category of a block stays.
    """
    together = block[:, None] == block[None, :]
    others = together.sum(axis=1) - 1
    matrix = np.where(together, ((1.0 - stay) / np.maximum(others, 1))[:, None], 0.0)
    np.fill_diagonal(matrix, np.where(others > 0, stay, 1.0))
    return matrix


def invariant_matrix(
    matrix: NDArray[np.float64], frequencies: NDArray[np.float64], strength: float
) -> NDArray[np.float64]:
    """A matrix R made from P with π R = π: forward by P, back by Bayes' rule, mixed with the identity.

    Formula: R = strength · P Q + (1 − strength) · I,  Q_kj = P_jk π_j / Σ_l π_l P_lk
    """
    joint = frequencies[:, None] * matrix
    reached = joint.sum(axis=0)
    back = (joint / np.where(reached > 0, reached, 1.0)).T
    back[reached == 0] = np.eye(len(matrix))[reached == 0]
    return strength * (matrix @ back) + (1.0 - strength) * np.eye(len(matrix))


def draw_transitions(
    codes: NDArray[np.int32], matrix: NDArray[np.float64], uniforms: NDArray[np.float64]
) -> NDArray[np.int32]:
    """For each record a category drawn from its row by a uniform number; an impossible one is never drawn."""
    drawn: NDArray[np.int32] = _draw(
        np.ascontiguousarray(codes, dtype=np.int32), np.ascontiguousarray(matrix), uniforms
    )
    return drawn


@njit(cache=True, nogil=True)
def _draw(codes: NDArray[np.int32], matrix: NDArray[np.float64], uniform: NDArray[np.float64]) -> NDArray[np.int32]:
    size = matrix.shape[0]
    cumulative = np.empty((size, size))  # staying comes first, as it is the most frequent; then the others, cumulated
    for row in range(size):
        total, last = matrix[row, row], -1
        for column in range(size):
            if column != row and matrix[row, column] > 0:
                total += matrix[row, column]
                last = column
            cumulative[row, column] = total
        if last >= 0:
            cumulative[row, last:] = np.inf  # rounding must not leave probability beyond the last possible category
    drawn = np.empty(len(codes), np.int32)
    for record in range(len(codes)):
        code = codes[record]
        drawn[record] = code
        if uniform[record] < matrix[code, code] or cumulative[code, size - 1] != np.inf:
            continue
        low, high = 0, size - 1
        while low < high:
            middle = (low + high) // 2
            if cumulative[code, middle] > uniform[record]:
                high = middle
            else:
                low = middle + 1
        drawn[record] = low
    return drawn
