"""Corrected noise: correlated noise that leaves means and covariances exactly unchanged."""

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.kernels.moments import square_root
from sdckit.likelihood import Law
from sdckit.masking import Masking, masking
from sdckit.microdata import Kind, Microdata
from sdckit.normal_law import NormalLaw, every_number
from sdckit.parameters import param


@masking("corrected-noise", kind=Kind.ORDERED, reference="kim1986")
class CorrectedNoise(Masking):
    r"""Add correlated noise and shrink towards the mean, so that means and covariances stay the same.

    The noise is made orthogonal to the attributes and given their covariances exactly, so that the means, variances and
    correlations of the file are preserved exactly, unless whole numbers are rounded or values are clipped to a declared
    range.

    Formula: $X' = \bar{X} + \frac{X - \bar{X} + \varepsilon}{\sqrt{1 + k}}$,  $\mathrm{Cov}(\varepsilon) = k \cdot
    \Sigma$,  $\mathrm{Cov}(X, \varepsilon) = 0$

    Use it when users will fit linear models and should get the same estimates as from the original.

    Excludes nothing: a normal disturbance can take any size.
    """

    draws_values = True
    preserves = frozenset({Statistic.MEANS, Statistic.COVARIANCES})

    variance_share: float = param(
        0.1,
        "covariance of the noise as a share of the attributes' (the papers' k)",
        low=0,
        grid=(0.01, 0.05, 0.1, 0.25),
    )

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        n, d = values.shape
        if n < 2 * d + 2:
            raise SchemaError(
                f"{self.name} needs at least {2 * d + 2} records for {d} attributes to keep their moments and the file "
                f"has {n}; mask fewer attributes, or take correlated-noise"
            )
        mean = values.mean(axis=0)
        centred = values - mean
        root = square_root(self.variance_share * centred.T @ centred / (n - 1))
        noise = exact_noise(centred, draws.normal(d)) @ root.T
        masked: NDArray[np.float64] = mean + (centred + noise) / np.sqrt(1 + self.variance_share)
        return masked

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return means, covariances

    def law(self, released: Microdata, original: Microdata | None = None) -> Law:
        share = self.variance_share
        shrink = 1 / np.sqrt(1 + share)
        return NormalLaw.of_share(
            every_number(released),
            share,
            correlated=True,
            shrink=shrink,
            original=None if original is None else every_number(original),
        )


def exact_noise(centred: NDArray[np.float64], drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Normal draws made to have exactly no mean, no correlation with the attributes and a unit covariance matrix."""
    n = len(centred)
    basis = np.linalg.qr(np.column_stack([np.ones(n), centred / np.maximum(np.abs(centred).max(axis=0), 1e-300)]))[0]
    for _ in range(2):  # once more removes what rounding left
        drawn = drawn - basis @ (basis.T @ drawn)
    white: NDArray[np.float64] = np.linalg.qr(drawn)[0] * np.sqrt(n - 1)
    return white
