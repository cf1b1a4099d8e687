"""IPSO-A: synthetic values drawn from a fitted regression (Burridge 2003)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.kernels.residual_qr import ResidualQR
from sdckit.kernels.tall_products import tall_product
from sdckit.masking import masking
from sdckit.methods.synthesis.regression_synthesis import RegressionSynthesis
from sdckit.microdata import Kind


@masking("ipso-a", kind=Kind.ORDERED, reference="burridge2003")
class IpsoA(RegressionSynthesis):
    r"""Replace attributes by draws from their regression on others.

    Means, covariances and regression coefficients are those of the original in expectation, so an estimate from the
    synthetic file has about twice the sampling variance. Given the other attributes, a synthetic value says nothing
    about the original one. Some texts call the fitted values themselves IPSO-A; these are `fitted-values`.

    Formula: $Y' = X \hat{B} + \varepsilon$,  $\varepsilon \sim N(0, \hat{\Sigma})$,  $\hat{\Sigma} = \frac{1}{n} (Y - X
    \hat{B})^\top (Y - X \hat{B})$

    Use it when the synthetic file should show no statistic of the original exactly; ipso-b and ipso-c keep some.

    Excludes nothing: a normal draw can take any size.
    """

    def synthetic_residuals(self, regression: ResidualQR, draws: Draws) -> NDArray[np.float64]:
        drawn = draws.normal(regression.rank)
        return tall_product(drawn, regression.triangular / np.sqrt(len(drawn)))
