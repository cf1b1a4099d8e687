"""The standard deviation of a long column: the bits that numpy computes, without arrays in between.

numpy halves an array until at most 128 values are left, adds these up in eight sums, and adds up the halves.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

COMPILED = 100_000  # values from which on compiled code is faster, with the time to load it
SHORT = 128  # values that are no longer halved
SUMS = 8  # an array is halved at a multiple of this
DEPTH = 64  # halves inside each other, at most
BOTH_HALVES = 0  # a mark: the sums of two halves are to be added up


def standard_deviation(values: NDArray[np.float64]) -> float:
    """The standard deviation (n − 1) of a column, 0 for one value.

    >>> standard_deviation(np.array([1.0, 2.0, 3.0]))
    1.0
    """
    if len(values) < 2:
        return 0.0
    if len(values) < COMPILED:
        return float(values.std(ddof=1))
    column = np.ascontiguousarray(values)
    mean = _pairwise_sum(column, 0.0, False) / len(column)
    return float(np.sqrt(_pairwise_sum(column, mean, True) / (len(column) - 1)))


@njit(cache=True)
def _pairwise_sum(values: NDArray[np.float64], mean: float, squares: bool) -> float:
    """The sum of the values, or of the squares of their distances from the mean."""
    totals, pending = np.empty(DEPTH), np.empty(2 * DEPTH, np.int64)  # sums, and numbers of values yet to be added up
    terms = np.empty(SHORT)
    pending[0] = len(values)
    waiting, known, position = 1, 0, 0
    while waiting:
        waiting -= 1
        count = pending[waiting]
        if count == BOTH_HALVES:
            known -= 1
            totals[known - 1] += totals[known]
        elif count > SHORT:
            half = count // 2
            half -= half % SUMS
            pending[waiting : waiting + 3] = BOTH_HALVES, count - half, half  # the last is taken first
            waiting += 3
        else:
            part = values[position : position + count]
            for index in range(count):
                terms[index] = (part[index] - mean) * (part[index] - mean) if squares else part[index]
            totals[known] = _sum_of_few(terms[:count])
            known += 1
            position += count
    return float(totals[0])


@njit()
def _sum_of_few(terms: NDArray[np.float64]) -> float:
    whole = len(terms) - len(terms) % SUMS
    a, b, c, d, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for index in range(0, whole, SUMS):
        a += terms[index]
        b += terms[index + 1]
        c += terms[index + 2]
        d += terms[index + 3]
        e += terms[index + 4]
        f += terms[index + 5]
        g += terms[index + 6]
        h += terms[index + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for index in range(whole, len(terms)):
        total += terms[index]
    return total
