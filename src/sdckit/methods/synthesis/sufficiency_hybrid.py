"""Sufficiency hybrid: a weighted mean of the original residuals and synthetic ones (Muralidhar and Sarathy 2008)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.kernels.residual_qr import ResidualQR
from sdckit.kernels.tall_products import tall_product
from sdckit.masking import masking
from sdckit.methods.synthesis.regression_synthesis import RegressionSynthesis
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("sufficiency-hybrid", kind=Kind.ORDERED, reference="muralidhar2008")
class SufficiencyHybrid(RegressionSynthesis):
    r"""Mix each record with synthetic values that leave all means and covariances exactly unchanged.

    The means, the covariances and the regression coefficients of the replaced and the given attributes are those of the
    original, until values are rounded or clipped. `similarity` 1 is the original file and 0 is IPSO-C; between them it
    is the correlation of a released residual with the original one.

    Formula: $Y' = X \hat{B} + a E + \sqrt{1 - a^2} \tilde{Q} R$,  $E = Y - X \hat{B} = Q R$,  $\tilde{Q}$ a basis of
    draws residualised on $X$ and $E$

    Use it when linear estimates must be exact and each record should stay near its own values to a chosen degree.

    Excludes nothing: a normal draw can take any size.
    """

    preserves = frozenset({Statistic.MEANS, Statistic.COVARIANCES})

    similarity: float = param(
        0.5,
        "weight of the original residual, which is its correlation with the released one (the papers' α)",
        low=0,
        high=1,
        grid=(0.0, 0.25, 0.5, 0.75, 0.9),
    )

    @property
    def kept_share(self) -> float:
        """The correlation of a released residual with the original one."""
        return self.similarity

    def records_needed(self, predictors: int, outcomes: int) -> int:
        return predictors + 2 * outcomes

    def synthetic_residuals(self, regression: ResidualQR, draws: Draws) -> NDArray[np.float64]:
        if self.similarity == 1:
            return regression.residuals
        mixed = regression.basis_of(draws.normal(regression.rank), beside_residuals=True)
        mixed *= np.sqrt(1 - self.similarity**2)
        mixed += self.similarity * regression.orthogonal
        return tall_product(mixed, regression.triangular)
