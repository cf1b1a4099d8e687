"""IPSO-B: synthetic values that give the same regression coefficients (Burridge 2003)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.kernels.residual_qr import ResidualQR
from sdckit.kernels.tall_products import tall_product
from sdckit.masking import masking
from sdckit.methods.synthesis.regression_synthesis import RegressionSynthesis
from sdckit.microdata import Kind


@masking("ipso-b", kind=Kind.ORDERED, reference="burridge2003")
class IpsoB(RegressionSynthesis):
    r"""Replace attributes by draws from their regression on others, made to have exactly the same coefficients.

    The regression coefficients are those of the original, and so are the means and the covariances of the replaced
    with the given attributes, until values are rounded or clipped; the covariances of the residuals are equal in
    expectation only. Given the other attributes, a synthetic value says nothing about the original one.

    Formula: $Y' = X \hat{B} + \varepsilon - X (X^\top X)^{-1} X^\top \varepsilon$,  $\varepsilon \sim N(0,
    \hat{\Sigma})$,  $\hat{\Sigma} = \frac{1}{n} (Y - X \hat{B})^\top (Y - X \hat{B})$

    Use it when coefficients must be those of the original and residual variances may differ; ipso-c keeps both.

    Excludes nothing: a normal draw can take any size.
    """

    preserves = frozenset({Statistic.MEANS})

    def synthetic_residuals(self, regression: ResidualQR, draws: Draws) -> NDArray[np.float64]:
        drawn = regression.residualised(draws.normal(regression.rank))
        return tall_product(drawn, regression.triangular / np.sqrt(len(drawn)))
