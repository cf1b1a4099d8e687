"""IPSO-C: synthetic values that give the very same regression estimates (Burridge 2003)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.kernels.residual_qr import ResidualQR
from sdckit.kernels.tall_products import tall_product
from sdckit.masking import masking
from sdckit.methods.synthesis.regression_synthesis import RegressionSynthesis
from sdckit.microdata import Kind


@masking("ipso-c", kind=Kind.ORDERED, reference="burridge2003")
class IpsoC(RegressionSynthesis):
    r"""Replace attributes by draws from their regression on others, made to have exactly the same estimates.

    The regression coefficients and the residual covariances of the synthetic values are those of the original, and so
    are all means and all covariances of the replaced and the given attributes, until values are rounded or clipped.
    Equalities that are linear survive, too. Given the other attributes, a synthetic value says nothing about the
    original one, except through these statistics: an intruder who knows all but a few records can solve for the rest.
    Survey weights are among the given attributes by default, so that weighted totals are preserved as well.

    Formula: $Y' = X \hat{B} + \tilde{Q} R$,  $Y - X \hat{B} = Q R$,  $\tilde{Q}$ an orthonormal basis of normal draws
    residualised on $X$

    Use it when users fit linear models to numbers and must get the estimates of the original.

    Excludes nothing: a normal draw can take any size.
    """

    preserves = frozenset({Statistic.MEANS, Statistic.COVARIANCES})

    def synthetic_residuals(self, regression: ResidualQR, draws: Draws) -> NDArray[np.float64]:
        return tall_product(regression.basis_of(draws.normal(regression.rank)), regression.triangular)
