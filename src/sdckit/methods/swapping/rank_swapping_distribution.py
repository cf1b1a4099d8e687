"""Rank swapping with a p-distribution: the rank gap is normal, so no gap is impossible."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.moments import variances_only
from sdckit.kernels.ranks import swap_by_distance_law
from sdckit.law import Law
from sdckit.masking import Masking, masking
from sdckit.methods.swapping.swapping_law import SwappingLaw
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.randomness import generator


@masking("rank-swapping-distribution", kind=Kind.ORDERED, reference="nin2008a")
class RankSwappingDistribution(Masking):
    """Swap each value with the one whose rank is higher by a normal number with mean and deviation half the window.

    Every univariate statistic survives exactly. Attributes are swapped independently; a missing value stays missing.

    Formula: x′₍ᵢ₎ = x₍ᵢ₊ᵣ₎ and back,  r = round(N(w / 2, w / 2)),  w = p · n

    Use it when rank swapping is wanted with gaps about those of a window, and method and parameters will be published.

    Excludes nothing: the normal law has no end, so a value can go to any rank and the intersection attack has no hold.
    """

    columnwise = True

    window: float = param(
        0.05,
        "twice the mean rank gap, as a share of the records (the paper's p%)",
        low=0,
        high=1,
        grid=(0.02, 0.05, 0.1, 0.2),
    )

    def transform(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
        window = self.window * len(values)
        return np.column_stack([swap_by_distance_law(column, window, rng) for column in values.T])

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return means, variances_only(covariances)

    def law(self, released: Microdata) -> Law:
        rng = generator(0)  # the trials are the intruder's own
        values = released.matrix([each.name for each in released.attributes])
        return SwappingLaw.learnt(values, lambda ranks: swap_by_distance_law(ranks, self.window * len(ranks), rng))
