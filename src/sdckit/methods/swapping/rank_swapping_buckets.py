"""Rank swapping with p-buckets: a partner may have any rank, near ones are likelier."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.ranks import partners_in_buckets, swap_between_buckets
from sdckit.masking import masking
from sdckit.methods.swapping.attribute_swapping import AttributeSwapping
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("rank-swapping-buckets", kind=Kind.ORDERED, reference="nin2008a")
class RankSwappingBuckets(AttributeSwapping):
    r"""Cut the sorted values into buckets and swap each with one from a bucket whose probability halves outwards.

    Every univariate statistic survives exactly. Attributes are swapped independently; a missing value stays missing.

    Formula: $\Pr[\text{a value of bucket } r \text{ swaps with one of bucket } s \ge r] \propto 2^{-(s - r + 1)}$,
    uniform within $s$

    Use it when rank swapping is needed and method and parameters will be published.

    Excludes nothing: any value can swap with any other, so the intersection attack excludes nothing.
    """

    buckets: int = param(
        20, "number of buckets (the paper's p); more buckets swap nearer values", low=1, grid=(5, 10, 20, 50)
    )

    def swapped(self, column: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
        return swap_between_buckets(column, min(self.buckets, max(len(column), 1)), rng)

    def partners(self, records: int, rng: np.random.Generator) -> NDArray[np.int64]:
        return partners_in_buckets(records, self.buckets, rng)
