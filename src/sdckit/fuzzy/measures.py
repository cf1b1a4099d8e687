"""Fuzzy measures: how much each set of attributes weighs.

A measure on d attributes is an array of 2**d weights; the weight of a set stands at the number whose bits are its
members, so place 0 is the empty set and place 5 = 0b101 holds attributes 0 and 2.
"""

from math import factorial

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.quantifiers import Quantifier


def number_of_attributes(measure: NDArray[np.float64]) -> int:
    """d of a measure on d attributes."""
    d = len(measure).bit_length() - 1
    if len(measure) != 1 << d:
        raise ValueError(f"a measure has a power of two of weights, not {len(measure)}")
    return d


def additive_measure(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The measure whose sets weigh the sum of their members.

    >>> additive_measure(np.array([0.25, 0.75]))
    array([0.  , 0.25, 0.75, 1.  ])
    """
    measure = np.zeros(1)
    for weight in weights:
        measure = np.concatenate([measure, measure + weight])
    return measure


def symmetric_measure(quantifier: Quantifier, d: int) -> NDArray[np.float64]:
    """The measure whose sets weigh by their size alone: Q(|A| / d)."""
    return quantifier(set_sizes(d) / d)


def set_sizes(d: int) -> NDArray[np.int64]:
    """The number of members of each set."""
    return np.bitwise_count(np.arange(1 << d)).astype(np.int64)


def violation(measure: NDArray[np.float64], tolerance: float = 1e-12) -> str | None:
    """What keeps an array from being a fuzzy measure; None where it is one."""
    d = number_of_attributes(measure)
    if abs(measure[0]) > tolerance:
        return f"the empty set weighs {measure[0]:g}, not 0"
    if abs(measure[-1] - 1) > tolerance:
        return f"all attributes together weigh {measure[-1]:g}, not 1"
    sets = np.arange(1 << d)
    for attribute in range(d):
        without = sets[sets >> attribute & 1 == 0]
        falls = np.flatnonzero(measure[without | 1 << attribute] < measure[without] - tolerance)
        if len(falls):
            return f"adding attribute {attribute} to the set {without[falls[0]]:#b} lowers its weight"
    return None


def mobius(measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """The Möbius transform m(A) = Σ over B ⊆ A of (−1)^|A∖B| μ(B); additive where only singletons count."""
    return _over_subsets(measure, -1.0)


def from_mobius(transform: NDArray[np.float64]) -> NDArray[np.float64]:
    """The measure μ(A) = Σ over B ⊆ A of m(B)."""
    return _over_subsets(transform, 1.0)


def _over_subsets(weights: NDArray[np.float64], sign: float) -> NDArray[np.float64]:
    out = np.array(weights, dtype=float)
    for attribute in range(number_of_attributes(out)):
        halves = out.reshape(-1, 2, 1 << attribute)
        halves[:, 1] += sign * halves[:, 0]
    return out


def shapley_values(measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much each attribute adds on average over all orders of adding them; they sum to the whole."""
    d = number_of_attributes(measure)
    sets = np.arange(1 << d)
    share = np.array([factorial(d - s - 1) * factorial(s) / factorial(d) for s in range(d)])
    values = np.empty(d)
    for attribute in range(d):
        without = sets[sets >> attribute & 1 == 0]
        gain = measure[without | 1 << attribute] - measure[without]
        values[attribute] = share[set_sizes(d)[without]] @ gain
    return values


def interaction_indices(measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much two attributes add together beyond what they add alone, for each pair; 0 on the diagonal."""
    d = number_of_attributes(measure)
    sets, sizes = np.arange(1 << d), set_sizes(d)
    share = [factorial(d - s - 2) * factorial(s) / factorial(d - 1) for s in range(d - 1)]
    index = np.zeros((d, d))
    for i in range(d):
        for j in range(i):
            without = sets[(sets >> i & 1 == 0) & (sets >> j & 1 == 0)]
            one, other = 1 << i, 1 << j
            joint = measure[without | one | other] - measure[without | one] - measure[without | other]
            index[i, j] = index[j, i] = np.array(share)[sizes[without]] @ (joint + measure[without])
    return index
