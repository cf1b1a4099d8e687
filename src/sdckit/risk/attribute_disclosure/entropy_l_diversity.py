"""Entropy l-diversity: how evenly the values of a group are distributed."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.diversity import effective_values
from sdckit.measure import risk
from sdckit.risk.attribute_disclosure.l_diversity import LDiversity


@risk("entropy-l-diversity", reference="machanavajjhala2007")
class EntropyLDiversity(LDiversity):
    r"""Share of released records whose group has values of less entropy than l equally frequent ones.

    Unlike the number of distinct values it takes into account that nine of ten records may have the same one. It is
    demanding where one value is common in the whole file. Missing and several attributes are handled as in
    distinct-l-diversity.

    Formula: $\frac{1}{n} \cdot |\{i : -\sum_v p(v) \log p(v) < \log l\}|$,  $p(v)$ the share of value $v$ in the group
    of $i$

    Intruder: knows the keys of somebody in the release and guesses the most frequent value of those that agree.

    Use it when values have about the same frequency in the file.
    """

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return effective_values(counts)
