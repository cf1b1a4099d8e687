"""Recursive l-diversity: how common the commonest value of a group is."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.diversity import recursive_ratio
from sdckit.measure import risk
from sdckit.parameters import param
from sdckit.risk.attribute_disclosure.l_diversity import LDiversity


@risk("recursive-l-diversity", reference="machanavajjhala2007")
class RecursiveLDiversity(LDiversity):
    r"""Share of released records in whose group the most frequent value is too frequent relative to the rarer ones.

    With the counts of values in descending order, the first must be less than c times the sum from the l-th on:
    excluding some values still leaves doubt. Missing and several attributes are handled as in distinct-l-diversity.

    Formula: $\frac{1}{n} \cdot |\{i : r_1 \ge c \cdot (r_l + \cdots + r_m)\}|$,  $r_1 \ge r_2 \ge \ldots \ge r_m$ the
    counts of values in the group of $i$

    Intruder: knows the keys of somebody in the release, can exclude some values, and guesses the most frequent left.

    Use it when one value is common and harmless, such as 'none', and entropy is too demanding.
    """

    ratio: float = param(
        3.0,
        "bound on the count of the most frequent value, as a multiple of that of the rarer ones (c)",
        low=0,
        grid=(1.0, 2.0, 3.0),
    )

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return recursive_ratio(counts, self.diversity)

    def breached(self, figures: NDArray[np.float64]) -> NDArray[np.bool_]:
        too_common: NDArray[np.bool_] = figures >= self.ratio
        return too_common

    def worst(self, figures: NDArray[np.float64]) -> np.float64:
        """The largest ratio."""
        return np.max(figures)
