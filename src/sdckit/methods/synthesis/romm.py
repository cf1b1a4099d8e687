"""ROMM: random orthogonal matrix masking, from the original to IPSO by one number (Ting, Fienberg, Trottini 2008)."""

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


@masking("romm", kind=Kind.ORDERED, reference="ting2008")
class Romm(RegressionSynthesis):
    r"""Rotate the residuals of a regression by a random orthogonal matrix, near the identity or far from it.

    All means and covariances of the replaced and the given attributes are those of the original, until values are
    rounded or clipped. `perturbation` 0 is the original file and infinity is IPSO-C; between them a released residual
    has a correlation of 1 / √(1 + λ²) with the original one. Linkage falls steeply with it: of 1,000 records most are
    re-identified at 0.1 and few at 1.

    Formula: $Y' = X \hat{B} + \tilde{Q} R$,  $Y - X \hat{B} = Q R$,  $\tilde{Q}$ the basis of $Q + \lambda
    \frac{N}{\sqrt{n}}$ residualised on $X$,  $N$ normal

    Use it when linear estimates must be exact and records should resemble the original ones to a chosen degree.

    Excludes nothing: a normal draw can take any size.
    """

    preserves = frozenset({Statistic.MEANS, Statistic.COVARIANCES})

    perturbation: float = param(
        1.0,
        "size of the random part beside the original residuals (the papers' λ); inf: nothing of them is left",
        low=0,
        high=float("inf"),
        grid=(0.1, 0.5, 1.0, 2.0),
    )

    @property
    def kept_share(self) -> float:
        """The correlation of a released residual with the original one."""
        return float(1 / np.sqrt(1 + self.perturbation**2))

    def synthetic_residuals(self, regression: ResidualQR, draws: Draws) -> NDArray[np.float64]:
        if not self.perturbation:
            return regression.residuals
        drawn = draws.normal(regression.rank) / np.sqrt(len(regression.fitted))
        mixed = drawn if np.isinf(self.perturbation) else regression.orthogonal + self.perturbation * drawn
        return tall_product(regression.basis_of(mixed), regression.triangular)
