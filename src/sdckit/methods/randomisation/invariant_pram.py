"""Invariant PRAM: categories change at random and their expected counts are unchanged."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.transitions import invariant_matrix
from sdckit.masking import masking
from sdckit.methods.randomisation.pram import Pram
from sdckit.microdata import Attribute, Kind
from sdckit.parameters import param


@masking("invariant-pram", kind=Kind.CATEGORICAL, reference="gouweleeuw1998")
class InvariantPram(Pram):
    r"""Change each category to another at random, so that the expected count of every category is unchanged.

    A matrix as for PRAM changes each value, and a second matrix, obtained by Bayes' rule, changes the result to a value
    from which it could have come; together they leave the frequencies π of the file unchanged in expectation. One-way
    tables need no correction. A missing value stays missing.

    Formula: $R = \alpha P Q + (1 - \alpha) I$,  $Q_{kj} = \frac{P_{jk} \pi_j}{\sum_l \pi_l P_{lk}}$,  $\pi R = \pi$

    Use it when users take counts directly from the file and would not invert a matrix.
    """

    stay: float = param(
        0.8, "probability that a value is unchanged by the first matrix", low=0, high=1, grid=(0.9, 0.8, 0.7)
    )
    levels: int = param(0, "levels up to the ancestor that a new value must share; 0: any value is possible", low=0)
    strength: float = param(
        1.0, "share of the change that is carried out (the literature's α)", low=0, high=1, grid=(0.5, 1.0)
    )

    def matrix(self, attribute: Attribute, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        plain = super().matrix(attribute, codes)
        count = np.bincount(codes, minlength=len(plain)).astype(np.float64)
        return invariant_matrix(plain, count / max(count.sum(), 1.0), self.strength)
