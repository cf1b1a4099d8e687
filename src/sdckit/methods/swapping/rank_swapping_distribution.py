"""Rank swapping with a p-distribution: the rank gap is normal, so no gap is impossible."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.ranks import partners_by_distance, swap_by_distance_law
from sdckit.masking import masking
from sdckit.methods.swapping.attribute_swapping import AttributeSwapping
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("rank-swapping-distribution", kind=Kind.ORDERED, reference="nin2008a")
class RankSwappingDistribution(AttributeSwapping):
    r"""Swap each value with one of higher rank, the gap normal with mean and standard deviation of half the window.

    Every univariate statistic survives exactly. Attributes are swapped independently; a missing value stays missing.

    Formula: $x'_{(i)} = x_{(i + r)}$ and $x'_{(i + r)} = x_{(i)}$,  $r$ drawn from $N(\frac{w}{2}, (\frac{w}{2})^2)$
    and rounded,  $w = p \cdot n$

    Use it when rank swapping is needed with gaps about those of a window, and method and parameters will be published.

    Excludes nothing: a normal number has no bound, so a value can go to any rank.
    """

    window: float = param(
        0.05,
        "twice the mean rank gap, as a share of the records (the paper's p%)",
        low=0,
        high=1,
        grid=(0.02, 0.05, 0.1, 0.2),
    )

    def swapped(self, column: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
        return swap_by_distance_law(column, self.window * len(column), rng)

    def partners(self, records: int, rng: np.random.Generator) -> NDArray[np.int64]:
        return partners_by_distance(records, self.window * records, rng)
