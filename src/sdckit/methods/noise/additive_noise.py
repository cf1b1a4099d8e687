"""Additive noise: add to each value a normal disturbance of its own."""

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.kernels.moments import with_variances_divided
from sdckit.likelihood import Law
from sdckit.masking import masking
from sdckit.methods.noise.standard_deviations import standard_deviations
from sdckit.microdata import Kind, Microdata
from sdckit.normal_law import NormalLaw, every_number
from sdckit.parameters import param
from sdckit.row_masking import ObservedValues, RowMasking


@masking("additive-noise", kind=Kind.ORDERED, reference="brand2002")
class AdditiveNoise(RowMasking):
    r"""Add to each value independent normal noise whose variance is a share of the attribute's.

    Means are kept in expectation, variances grow by the factor 1 + k and correlations shrink by the same; an analyst
    who knows the share can correct both. Whole numbers are rounded again, and values are clipped to a declared range.

    Formula: $x' = x + \varepsilon$,  $\varepsilon \sim N(0, k \cdot \mathrm{Var}(x))$

    Use it when analysts fit models that can allow for a known error in the values, and when no value is so far out
    that it can still be recognised after a moderate disturbance.

    Excludes nothing: a normal disturbance can take any size, so every released record remains possible, only more or
    less likely.
    """

    columnwise = True
    draws_values = True

    variance_share: float = param(
        0.1,
        "variance of the noise as a share of the attribute's variance (the papers' k)",
        low=0,
        grid=(0.01, 0.05, 0.1, 0.25),
    )

    def summary(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return float(np.sqrt(self.variance_share)) * standard_deviations(values)

    def summary_of(self, observed: ObservedValues) -> NDArray[np.float64]:
        return float(np.sqrt(self.variance_share)) * np.array([observed.standard_deviation()])

    def mask_rows(self, values: NDArray[np.float64], summary: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        noise = draws.normal(values.shape[1])
        noise *= summary
        noise += values
        return noise

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return means, with_variances_divided(covariances, 1 + self.variance_share)

    def law(self, released: Microdata, original: Microdata | None = None) -> Law:
        return NormalLaw.of_share(
            every_number(released),
            self.variance_share,
            correlated=False,
            original=None if original is None else every_number(original),
        )
