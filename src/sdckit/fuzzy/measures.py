"""Fuzzy measures: a weight for each set of attributes.

A measure on d attributes is an array of 2**d weights; the index of a set has a bit for each member, so index 0 is the
empty set and index 5 = 0b101 the set of attributes 0 and 2.
"""

from math import factorial

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.quantifiers import Quantifier


def number_of_attributes(measure: NDArray[np.float64]) -> int:
    """The number d of attributes of a measure."""
    d = len(measure).bit_length() - 1
    if len(measure) != 1 << d:
        raise ValueError(f"a measure has a power of two of weights, not {len(measure)}")
    return d


def additive_measure(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The measure that gives each set the sum of the weights of its members.

    >>> additive_measure(np.array([0.25, 0.75]))
    array([0.  , 0.25, 0.75, 1.  ])
    """
    measure = np.zeros(1)
    for weight in weights:
        measure = np.concatenate([measure, measure + weight])
    return measure


def symmetric_measure(quantifier: Quantifier, d: int) -> NDArray[np.float64]:
    """The measure in which the weight of a set depends on its size only: Q(|A| / d)."""
    return quantifier(set_sizes(d) / d)


def set_sizes(d: int) -> NDArray[np.int64]:
    """The number of members of each set."""
    return np.bitwise_count(np.arange(1 << d)).astype(np.int64)


def shapley_values(measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean marginal contribution of each attribute over all orders of adding them; the sum is the weight of all."""
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
    """The interaction of each pair of attributes: what they add jointly beyond the single ones; 0 on the diagonal."""
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
