"""Random rounding: publish one of the two neighbouring multiples of a base, without bias."""

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.likelihood import Law, NeighbourLaw
from sdckit.masking import masking
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.row_masking import RowMasking


@masking("random-rounding", kind=Kind.ORDERED, reference="hundepool2012")
class RandomRounding(RowMasking):
    r"""Replace each value by the multiple of a base below or above it, the nearer one with the greater probability.

    The expected value is the value itself, so means and totals are kept in expectation. A value that is a multiple
    stays. A missing value stays missing.

    Formula: $x' = b \cdot (\lfloor \frac{x}{b} \rfloor + B)$,  $\Pr[B = 1] = \frac{x}{b} - \lfloor \frac{x}{b} \rfloor$

    Use it when totals of rounded amounts must be unbiased.
    """

    columnwise = True

    base: float = param(
        10.0, "distance between published values, in the attribute's unit", low=1e-9, grid=(5, 10, 100, 1000)
    )

    def mask_rows(self, values: NDArray[np.float64], summary: None, draws: Draws) -> NDArray[np.float64]:
        whole = np.floor(values / self.base)
        up: NDArray[np.float64] = whole + (draws.uniform(values.shape[1]) < values / self.base - whole)
        return up * self.base

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value became the multiple next below it or next above it."""
        lower = {name: np.floor(ends / self.base) * self.base for name, ends in known.lower.items()}
        upper = {name: np.ceil(ends / self.base) * self.base for name, ends in known.upper.items()}
        return Candidates(known.records, lower, upper)

    def law(self, released: Microdata, original: Microdata | None = None) -> Law | None:
        """The probability of either neighbour; None where publishing moves values to other ones."""
        for each in released.attributes:
            decimals = self.decimals(each)
            if not each.coded and decimals is not None and 10.0**-decimals >= self.base:
                return None
        return NeighbourLaw(self.base)
