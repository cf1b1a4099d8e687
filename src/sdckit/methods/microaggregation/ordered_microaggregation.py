"""Ordered microaggregation: the best groups along a space-filling order, improved by local search."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.kd_order import kd_order
from sdckit.kernels.ordered_partition import best_partition_of_order
from sdckit.kernels.refinement import refine
from sdckit.kernels.standardisation import standardise
from sdckit.masking import masking
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.microdata import Kind

LARGE = 20_000  # records above which groups only settle: dissolving them in turn as well would take minutes
ROUNDS = 10


@masking("ordered-microaggregation", kind=Kind.ORDERED, reference="domingo2006")
class OrderedMicroaggregation(Microaggregation):
    r"""Order the records so that near ones follow each other, cut the order into the best groups, and refine them.

    The order halves the file at the median of its widest attribute again and again; the cut is the optimal one of that
    order; then records move between near groups or are exchanged while the sum of squares falls. The cost grows about
    like n log n, where MDAV's grows like n². Means and sums are kept. Attributes are standardised.

    Formula: $\min \sum_G \sum_{i \in G} \lVert x_i - \bar{x}_G \rVert^2$,  $k \le |G| \le 2k - 1$, $G$ runs of the
    order, then a local minimum

    Use it when the file has hundreds of thousands of records or more.
    """

    def partition(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
        points = standardise(values)
        groups = best_partition_of_order(points, kd_order(points, 2 * self.group_size), self.group_size)
        return refine(points, groups, self.group_size, rng, rounds=ROUNDS if len(points) <= LARGE else 0)
