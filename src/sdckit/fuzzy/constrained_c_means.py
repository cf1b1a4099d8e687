"""Linearly constrained fuzzy c-means: the centres satisfy linear constraints even where records do not (Torra 2009).

The objective is that of fuzzy c-means, Σ u^m D, over centres with A v = b and G v ≤ h. Memberships are unchanged; the
best centre is the point nearest to the weighted mean that satisfies the constraints, so the objective never rises.
"""

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import FuzzyRule
from sdckit.fuzzy.closeness import check_fuzziness
from sdckit.fuzzy.clusters import Clusters, Iteration, alternate
from sdckit.fuzzy.linear_constraints import LinearConstraints


def constrained_c_means(
    points: NDArray[np.float64],
    centres: NDArray[np.float64],
    fuzziness: float,
    constraints: LinearConstraints,
    **how: Unpack[Iteration],
) -> Clusters:
    """Fuzzy c-means whose centres satisfy linear constraints; constraints that exclude each other are a ValueError.

    Where all records satisfy the constraints, so do their weighted means, and the result is that of `c_means`. For
    standardised points take `constraints.in_coordinates(mean, deviation)`.

    Example
    -------
    >>> edit = LinearConstraints(equal=np.array([[1.0, 1.0]]), values=np.array([10.0]))  # both attributes add up to 10
    >>> records = np.array([[1.0, 8.0], [2, 9], [8, 1], [9, 2]])
    >>> constrained_c_means(records, records[[0, 2]], 1, edit).centres
    array([[1.5, 8.5],
           [8.5, 1.5]])
    """
    check_fuzziness(fuzziness)
    if constraints.attributes != np.shape(points)[1]:
        raise ValueError(
            f"the constraints are on {constraints.attributes} attributes and the points have {np.shape(points)[1]}"
        )
    constraints.check()
    start = constraints.nearest(np.asarray(centres, dtype=np.float64))
    return alternate(points, start, FuzzyRule(fuzziness), **how | {"adjust": constraints.nearest})
