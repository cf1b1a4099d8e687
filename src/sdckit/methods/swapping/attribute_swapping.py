"""What the swaps of single attributes share: marginal distributions are unchanged, and the law is simulated."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.kernels.moments import variances_only
from sdckit.likelihood import Law
from sdckit.masking import Locality, Masking
from sdckit.methods.swapping.swapping_law import SwappingLaw
from sdckit.microdata import Microdata
from sdckit.randomness import generator


@dataclass(frozen=True, kw_only=True)
class AttributeSwapping(Masking):
    """Swap the values of each attribute by itself."""

    columnwise = True
    locality = Locality.SORT
    preserves = frozenset({Statistic.MEANS, Statistic.DISTRIBUTIONS})

    def swapped(self, column: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
        """The column with its values exchanged."""
        raise TypeError(f"{type(self).__name__} must define swapped")

    def partners(self, records: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """The rank that each of so many ranks exchanges its value with: what `swapped` does to a sorted column."""
        raise TypeError(f"{type(self).__name__} must define partners")

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        rng = draws.generator()
        return np.column_stack([self.swapped(column, rng) for column in values.T])

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return means, variances_only(covariances)

    def law(self, released: Microdata, original: Microdata | None = None) -> Law:
        rng = generator(0)  # the trials are the intruder's own
        values = released.matrix([each.name for each in released.attributes])
        return SwappingLaw.learned(values, lambda ranks: self.swapped(ranks, rng))
