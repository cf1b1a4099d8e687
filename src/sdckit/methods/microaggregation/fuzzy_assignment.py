"""Fuzzy assignment: the groups of a crisp microaggregation, with the centroid of each record drawn at random."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.partitions import group_means
from sdckit.masking import masking
from sdckit.methods.microaggregation.drawn_centres import DrawnCentres
from sdckit.methods.microaggregation.grouping import Grouping
from sdckit.methods.microaggregation.mdav import Mdav
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("fuzzy-assignment", kind=Kind.ORDERED, reference="torra2015")
class FuzzyAssignment(DrawnCentres):
    r"""Group the records by a crisp microaggregation and replace each by a group mean drawn with its memberships.

    The groups of MDAV, of V-MDAV or of a projection fix the centroids; which of them a record gets is drawn, the near
    ones with the highest probability. With an assignment fuzziness above 1 an intruder who knows the method can exclude
    no record; at 1 each record gets its nearest centroid, which need not be that of its own group. `group_size` is not
    guaranteed for the released rows.

    Formula: $x' = v_i$ with probability $\mu_i(x) = \frac{D_i^{-1/(m_2 - 1)}}{\sum_j D_j^{-1/(m_2 - 1)}}$,  $v_i$ the
    means of the groups, $D_i = \lVert x - v_i \rVert^2$

    Use it when the groups of a certain microaggregation are wanted, and its method and parameters will be published.
    """

    groups: Grouping = param(
        Grouping(Mdav()),
        "the microaggregation that makes the groups, such as mdav, v-mdav or z-score-projection",
    )

    def centres(
        self, values: NDArray[np.float64], points: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        labels = self.groups.labels(values, self.group_size, rng)
        return np.nan_to_num(group_means(points, labels))

    def cluster_notes(
        self, original: Microdata, attributes: Sequence[str], blocks: Sequence[Sequence[str]]
    ) -> list[str]:
        """Nothing: groups are made by no clustering."""
        return []
