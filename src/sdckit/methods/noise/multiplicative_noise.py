"""Multiplicative noise: multiply each value by a random factor around 1."""

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.kernels.moments import with_variances
from sdckit.likelihood import FactorLaw, Law
from sdckit.masking import masking
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.row_masking import RowMasking


@masking("multiplicative-noise", kind=Kind.ORDERED, reference="kim2003")
class MultiplicativeNoise(RowMasking):
    r"""Multiply each value by its own log-normal factor of mean 1: large values move much, small ones little.

    Means are kept in expectation. The factor is positive, so zeros stay zeros and signs stay signs: an attribute with
    zeros shows which records have them.

    Formula: $x' = x \cdot \exp(\sigma z - \frac{\sigma^2}{2})$,  $z \sim N(0, 1)$,  $\sigma^2 = \ln(1 + s^2)$

    Use it when amounts are skewed, such as turnover, and large and small values need the same relative error.
    """

    columnwise = True
    draws_values = True

    deviation: float = param(
        0.1, "standard deviation of the factor (s)", low=0, grid=(0.05, 0.1, 0.2, 0.4), formerly="spread"
    )

    def mask_rows(self, values: NDArray[np.float64], summary: None, draws: Draws) -> NDArray[np.float64]:
        variance = np.log1p(self.deviation**2)
        factor: NDArray[np.float64] = np.exp(np.sqrt(variance) * draws.normal(values.shape[1]) - variance / 2)
        return values * factor

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value kept its sign, and a zero stayed one."""
        lower = {name: np.where(low < 0, -np.inf, 0.0) for name, low in known.lower.items()}
        upper = {name: np.where(high > 0, np.inf, 0.0) for name, high in known.upper.items()}
        return Candidates(known.records, lower, upper)

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        variances = np.diagonal(covariances, axis1=-2, axis2=-1)
        true = (variances - self.deviation**2 * means**2) / (1 + self.deviation**2)
        return means, with_variances(covariances, true)

    def law(self, released: Microdata, original: Microdata | None = None) -> Law:
        return FactorLaw(float(np.log1p(self.deviation**2)))
