"""Rank swapping with p-buckets: a partner may stand anywhere, near ones are likelier."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.moments import variances_only
from sdckit.kernels.ranks import swap_between_buckets
from sdckit.law import Law
from sdckit.masking import Masking, masking
from sdckit.methods.swapping.swapping_law import SwappingLaw
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.randomness import generator


@masking("rank-swapping-buckets", kind=Kind.ORDERED, reference="nin2008a")
class RankSwappingBuckets(Masking):
    """Cut the sorted values into buckets and swap each with one from a bucket drawn with a chance that halves outwards.

    Every univariate statistic survives exactly. Attributes are swapped independently; a missing value stays missing.

    Formula: Pr[a value of bucket r swaps with one of bucket s ≥ r] ∝ 2^−(s − r + 1), uniform within s

    Use it when rank swapping is wanted and method and parameters will be published.

    Excludes nothing: any value can swap with any other, so the intersection attack has no hold.
    """

    columnwise = True

    buckets: int = param(
        20, "number of buckets (the paper's p); more buckets swap nearer values", low=1, grid=(5, 10, 20, 50)
    )

    def transform(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
        buckets = min(self.buckets, max(len(values), 1))
        return np.column_stack([swap_between_buckets(column, buckets, rng) for column in values.T])

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return means, variances_only(covariances)

    def law(self, released: Microdata) -> Law:
        rng = generator(0)  # the trials are the intruder's own
        values = released.matrix([each.name for each in released.attributes])
        return SwappingLaw.learnt(values, lambda ranks: swap_between_buckets(ranks, min(self.buckets, len(ranks)), rng))
