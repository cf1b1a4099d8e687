"""The Möbius transform of a fuzzy measure: what each set adds beyond its subsets; and k-additive measures.

μ(A) = Σ m(B) over the subsets B of A. A measure is k-additive if m is 0 on all sets of more than k attributes: the
1-additive measures are the additive ones, and 2-additive ones have interactions of pairs only.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.measures import number_of_attributes, set_sizes


def moebius_transform(measure: NDArray[np.float64]) -> NDArray[np.float64]:
    """m(A) = Σ (−1)^(|A| − |B|) μ(B) over the subsets B of A.

    >>> moebius_transform(np.array([0, 0.3, 0.5, 1.0])).round(3)  # the pair adds 0.2 to its members
    array([0. , 0.3, 0.5, 0.2])
    """
    return _over_attributes(measure, -1.0)


def measure_from_moebius(transform: NDArray[np.float64]) -> NDArray[np.float64]:
    """μ(A) = Σ m(B) over the subsets B of A: the inverse transform."""
    return _over_attributes(transform, 1.0)


def additivity_order(measure: NDArray[np.float64], tolerance: float = 1e-9) -> int:
    """The smallest k for which a measure is k-additive; 0 for a measure that is 0 everywhere."""
    sizes = set_sizes(number_of_attributes(measure))
    used = np.abs(moebius_transform(measure)) > tolerance
    return int(sizes[used].max(initial=0))


def k_additive_measure(measure: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """The k-additive measure with the same transform on sets of up to k attributes, scaled to the same whole.

    It may not be monotone: see `check_measure`.
    """
    d = number_of_attributes(measure)
    if not 1 <= k <= d:
        raise ValueError(f"a measure on {d} attributes is k-additive with k from 1 to {d}, not {k}")
    transform = np.where(set_sizes(d) <= k, moebius_transform(measure), 0.0)
    total = transform.sum()
    if total == 0:
        raise ValueError(f"sets of up to {k} attributes add up to nothing, so there is no such measure")
    return measure_from_moebius(transform * (measure[-1] / total))


def _over_attributes(values: NDArray[np.float64], sign: float) -> NDArray[np.float64]:
    result = np.array(values, dtype=np.float64)
    for attribute in range(number_of_attributes(result)):
        halves = result.reshape(-1, 2, 1 << attribute)
        halves[:, 1] += sign * halves[:, 0]
    return result
