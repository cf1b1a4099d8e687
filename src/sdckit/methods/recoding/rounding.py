"""Rounding: publish the nearest multiple of a base."""

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.masking import masking
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.row_masking import RowMasking


@masking("rounding", kind=Kind.ORDERED, reference="hundepool2012")
class Rounding(RowMasking):
    r"""Replace each value by the nearest multiple of a base; halves go up.

    The base is in the attribute's own unit. Every value is off by at most half a base, which an intruder who knows the
    base knows, too. Totals can be biased, since equal values are all rounded in the same direction. A missing value
    stays missing.

    Formula: $x' = b \cdot \lfloor \frac{x}{b} + \frac{1}{2} \rfloor$

    Use it when an intruder who knows an exact amount could re-identify the record, and rounded amounts are as useful.
    """

    columnwise = True

    base: float = param(
        10.0, "distance between published values, in the attribute's unit", low=1e-9, grid=(5, 10, 100, 1000)
    )

    def mask_rows(self, values: NDArray[np.float64], summary: None, draws: Draws) -> NDArray[np.float64]:
        return nearest_multiple(values, self.base)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value became the multiple nearest to it."""
        lower = {name: nearest_multiple(ends, self.base) for name, ends in known.lower.items()}
        upper = {name: nearest_multiple(ends, self.base) for name, ends in known.upper.items()}
        return Candidates(known.records, lower, upper)


def nearest_multiple(values: NDArray[np.float64], base: float) -> NDArray[np.float64]:
    """The nearest multiple of a base, halves up."""
    rounded: NDArray[np.float64] = np.floor(values / base + 0.5) * base
    return rounded
