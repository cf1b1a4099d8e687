"""Distinct l-diversity: how many distinct values a group has."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.diversity import distinct_values
from sdckit.measure import risk
from sdckit.risk.attribute_disclosure.l_diversity import LDiversity


@risk("distinct-l-diversity", reference="machanavajjhala2007")
class DistinctLDiversity(LDiversity):
    r"""Share of released records whose group, the records that agree on the keys, has fewer than l distinct values.

    A group with a single value discloses it, however large the group is. With several confidential attributes a record
    counts if one of them is too uniform. Missing confidential values are not counted. Numbers are put into bands, so
    that nearly equal values do not count as distinct. Where keys are missing, the details give the figure by both
    readings of a missing key, and the higher one counts.

    Formula: $\frac{1}{n} \cdot |\{i : \text{the group of } i \text{ has fewer than } l \text{ distinct values}\}|$

    Intruder: knows the keys of somebody in the release and reads the confidential values of the records that agree.

    Use it when the confidential attribute has several values none of which is common.
    """

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return distinct_values(counts)
