"""Fuzzy microaggregation by medoids: centres are records, so that every published combination of values occurs."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_medoids import Medoids
from sdckit.fuzzy.clusters import Adjust
from sdckit.fuzzy.mixed_points import MixedPoints
from sdckit.masking import masking
from sdckit.methods.microaggregation.drawn_centres import DrawnCentres
from sdckit.methods.microaggregation.fuzzy_microaggregation import FuzzyMicroaggregation
from sdckit.microdata import Kind, Microdata

SAME = 1e-12  # of the largest value: a difference that scaling makes


@masking("fuzzy-medoids", kind=Kind.ANY, reference="torra2015")
class FuzzyMedoids(FuzzyMicroaggregation):
    r"""Cluster the records by a fuzzy clustering with records as centres, and publish a drawn centre for each record.

    A centre has the values of the record nearest to the weighted mean of its cluster, its medoid, numbers and
    categories alike: no combination is published that does not occur, and edits that the file satisfies are satisfied.
    The cost is that values of single records are published, where other microaggregations publish means; a value that
    identifies a person by itself still does so. As in fuzzy-microaggregation every centre has a positive probability
    with an assignment fuzziness above 1, and `group_size` is not guaranteed. Where values are missing, a centre is a
    record with as few of them as any, and a value that too few records near it have is a mean.

    Formula: $x' = v_i$ with probability $\mu_i(x) = \frac{D_i^{-1/(m_2 - 1)}}{\sum_j D_j^{-1/(m_2 - 1)}}$,  $v_i =
    \operatorname{argmin}_{v \in X} \sum_x \mu_i(x)^{m_1} \cdot \lVert x - v \rVert^2$, $D_i = \lVert x - v_i \rVert^2$

    Use it when means of the attributes have no meaning, as of codes, counts or linked categories, and no value
    identifies a person by itself.
    """

    centres_are_records: ClassVar[bool] = True

    def adjusted(self, points: NDArray[np.float64]) -> Adjust:
        """What becomes of the weighted means: the nearest record is taken."""
        return Medoids(points).nearest

    def adjusted_mixed(self, mixed: MixedPoints) -> Adjust:
        """What becomes of the weighted means of numbers and indicators: the nearest record with all categories."""
        whole = mixed.with_all_categories()
        return Medoids(mixed.points[whole]).nearest if whole.any() else mixed.with_modes

    def unscaled(self, centres: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values of the records themselves: scaling and back would change their last digits."""
        exact = centres.copy()
        for column, there in zip(exact.T, values.T, strict=True):
            occurring = np.unique(there[~np.isnan(there)])
            if len(occurring):
                above = np.clip(np.searchsorted(occurring, column), 1, max(len(occurring) - 1, 1))
                below = occurring[above - 1]
                upper = occurring[np.minimum(above, len(occurring) - 1)]
                nearest = np.where(column - below <= upper - column, below, upper)
                same = np.abs(nearest - column) <= SAME * np.abs(occurring).max()
                column[same] = nearest[same]
        return exact

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        return DrawnCentres.notes(self, original, masked, attributes)
