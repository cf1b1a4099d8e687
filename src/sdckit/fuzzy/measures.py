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


def check_measure(measure: NDArray[np.float64], tolerance: float = 1e-9) -> None:
    """Refuse weights that are no fuzzy measure: 0 for the empty set, 1 for all, and no set below one of its subsets.

    >>> check_measure(np.array([0, 0.6, 0.5, 0.55]))
    Traceback (most recent call last):
    ...
    ValueError: the weight of all attributes is 1, not 0.55
    """
    d = number_of_attributes(measure)
    if np.isnan(measure).any():
        raise ValueError("a weight of the measure is missing")
    if abs(measure[0]) > tolerance:
        raise ValueError(f"the weight of the empty set is 0, not {measure[0]:g}")
    if abs(measure[-1] - 1) > tolerance:
        raise ValueError(f"the weight of all attributes is 1, not {measure[-1]:g}")
    for attribute in range(d):
        halves = np.arange(1 << d).reshape(-1, 2, 1 << attribute)
        falls = measure[halves[:, 1]] < measure[halves[:, 0]] - tolerance
        if falls.any():
            smaller = int(halves[:, 0][falls][0])
            larger = smaller | 1 << attribute
            raise ValueError(
                f"the set of attributes {_listed(larger)} weighs {measure[larger]:g}, less than its subset "
                f"{_listed(smaller)}, which weighs {measure[smaller]:g}"
            )


def members(index: int) -> tuple[int, ...]:
    """The attributes of the set at an index of a measure.

    >>> members(5)
    (0, 2)
    """
    return tuple(bit for bit in range(index.bit_length()) if index >> bit & 1)


def _listed(index: int) -> str:
    return "{" + ", ".join(map(str, members(index))) + "}"


def additive_measure(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The measure that gives each set the sum of the weights of its members.

    >>> additive_measure(np.array([0.25, 0.75]))
    array([0.  , 0.25, 0.75, 1.  ])
    """
    measure = np.zeros(1)
    for weight in weights:
        measure = np.concatenate([measure, measure + weight])
    return measure


def distorted_probability(distortion: Quantifier, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """μ(A) = f(P(A)): a probability on the attributes seen through a quantifier f, scaled so that the weights sum to 1.

    With equal weights it is the symmetric measure of f; with f(x) = x the additive one. A Choquet integral over it is
    the weighted OWA (WOWA).
    """
    weights = np.asarray(weights, dtype=np.float64)
    if (weights < 0).any() or not weights.sum() > 0:
        raise ValueError("weights are not negative, and not all 0")
    return distortion(np.minimum(additive_measure(weights / weights.sum()), 1.0))


def lambda_measure(densities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sugeno's λ-measure: μ(A ∪ B) = μ(A) + μ(B) + λ μ(A) μ(B) for disjoint sets, from those of single attributes.

    λ is the only number above −1, other than 0, with Π (1 + λ g) = 1 + λ; it is 0 where the densities sum to 1.

    >>> lambda_measure(np.array([0.5, 0.5]))
    array([0. , 0.5, 0.5, 1. ])
    """
    densities = np.asarray(densities, dtype=np.float64)
    if not ((densities >= 0) & (densities <= 1)).all() or not densities.any():
        raise ValueError("densities of a λ-measure lie in 0..1, and not all are 0")
    strength = interaction_strength(densities)
    measure = np.zeros(1)
    for density in densities:
        measure = np.concatenate([measure, measure + density + strength * measure * density])
    measure[-1] = 1.0  # but for rounding
    return np.minimum(measure, 1.0)


def interaction_strength(densities: NDArray[np.float64]) -> float:
    """The λ of a λ-measure: negative where the densities sum to more than 1, positive where to less."""
    from scipy.optimize import brentq

    total = float(densities.sum())
    if abs(total - 1) < 1e-12:
        return 0.0
    if (densities == 1).any():
        return -1.0
    if (densities > 0).sum() == 1:
        raise ValueError("one attribute with a density other than 0 and 1 makes no λ-measure; give it the density 1")

    def gap(strength: float) -> float:
        return float(np.log1p(strength * densities).sum() - np.log1p(strength))

    if total > 1:
        return float(brentq(gap, -1 + 1e-15, -1e-12, xtol=1e-15))
    high = 1.0
    while gap(high) < 0:
        high *= 2
    return float(brentq(gap, 1e-12, high, xtol=1e-15))


def symmetric_measure(quantifier: Quantifier, d: int) -> NDArray[np.float64]:
    """The measure in which the weight of a set depends on its size only: Q(|A| / d)."""
    return quantifier(set_sizes(d) / d)


def set_sizes(d: int) -> NDArray[np.int64]:
    """The number of members of each set."""
    return np.array([members.bit_count() for members in range(1 << d)], dtype=np.int64)


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
