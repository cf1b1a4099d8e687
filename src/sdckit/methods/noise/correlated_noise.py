"""Correlated noise: add normal disturbances with the covariances of the attributes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.kernels.column_covariances import covariances_of_columns
from sdckit.kernels.combinations_of_draws import add_combinations
from sdckit.kernels.moments import means_and_covariances, square_root
from sdckit.likelihood import Law
from sdckit.masking import masking
from sdckit.microdata import Kind, Microdata
from sdckit.normal_law import NormalLaw, every_number
from sdckit.parameters import param
from sdckit.row_masking import RowMasking


@masking("correlated-noise", kind=Kind.ORDERED, reference="kim1986")
class CorrelatedNoise(RowMasking):
    r"""Add normal noise whose covariance matrix is a share of the attributes': X′ = X + ε, Cov ε = k · Cov X.

    Means and correlations are kept in expectation, variances and covariances grow to (1 + k) times theirs; an analyst
    who knows the share can correct them. Whole numbers are rounded again, and values are clipped to a declared range. A
    missing value stays missing.

    Formula: $X' = X + \varepsilon$,  $\varepsilon \sim N(0, k \cdot \Sigma)$

    Use it when relations between attributes matter and users can divide by 1 + k.

    Excludes nothing: a normal disturbance can take any size.
    """

    keeps_missing = True
    draws_values = True

    variance_share: float = param(
        0.1,
        "covariance of the noise as a share of the attributes' (the papers' k)",
        low=0,
        grid=(0.01, 0.05, 0.1, 0.25),
    )

    def summary(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        _, covariances = means_and_covariances(values)
        return square_root(self.variance_share * covariances)

    def summary_of_columns(self, columns: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        return square_root(self.variance_share * covariances_of_columns(columns))

    def mask_rows(self, values: NDArray[np.float64], summary: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return add_combinations(summary, draws.normal(values.shape[1]), values, compiled=draws.compiled)

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return means, covariances / (1 + self.variance_share)

    def law(self, released: Microdata, original: Microdata | None = None) -> Law:
        return NormalLaw.of_share(
            every_number(released),
            self.variance_share,
            correlated=True,
            original=None if original is None else every_number(original),
        )
