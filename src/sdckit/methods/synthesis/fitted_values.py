"""Fitted values: the predictions of a regression instead of the values (IPSO's first variant in the handbook)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.residual_qr import ResidualQR
from sdckit.masking import masking
from sdckit.methods.synthesis.regression_synthesis import RegressionSynthesis
from sdckit.microdata import Kind, Microdata
from sdckit.normal_law import RowNormalLaw, every_number, lacking_covariances

FEWEST = 10  # known records by which the covariances of the original are estimated


@masking("fitted-values", kind=Kind.ORDERED, reference="hundepool2012")
class FittedValues(RegressionSynthesis):
    r"""Replace attributes by what their regression on others predicts, without any residual.

    Coefficients and means are those of the original; variances shrink to the part that the regression explains, and the
    residuals of the released values are zero. Nothing is drawn, so the file is the same for every seed. Given the other
    attributes, a released value contains no further information on the original one.

    Formula: $Y' = X \hat{B}$,  $\hat{B} = (X^\top X)^{-1} X^\top Y$

    Use it when only conditional means are needed; it is fuzzy-regression-synthesis with one model.

    Excludes nothing: residuals of any size are possible.
    """

    draws_values = False
    preserves = frozenset({Statistic.MEANS})

    def row_law(
        self, released: Microdata, attributes: Sequence[str], known: Microdata | None = None
    ) -> RowNormalLaw | None:
        """The record behind a row is normal about the released values, with the variance that the release lacks.

        Residuals are uncorrelated with fitted values: the covariances of the original, which enough known records show,
        are the sum of those of both.
        """
        if known is None or len(known) < FEWEST or any(released.missing(name) for name in attributes):
            return None
        shown = [list(attributes).index(each.name) for each in known.attributes]
        values = released.matrix(attributes)
        noise = np.diag(values.var(axis=0))  # of what is not known, where it does not matter
        noise[np.ix_(shown, shown)] = lacking_covariances(every_number(known), values[:, shown])
        return RowNormalLaw(values, noise)

    def synthesised(
        self, outcomes: NDArray[np.float64], design: NDArray[np.float64], draws: Draws
    ) -> NDArray[np.float64]:
        """Records with the same predictors get the same values to the last bit, or rounding would distinguish them."""
        return super().synthesised(outcomes, design, draws)[equal_rows(design).representatives()]

    def synthetic_residuals(self, regression: ResidualQR, draws: Draws) -> NDArray[np.float64]:
        return np.zeros(regression.fitted.shape)

    def published(self, data: Microdata, names: Sequence[str], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values in their declared ranges, rounded to the declared decimals."""
        lower, upper = np.array([data.edits.bound(name) for name in names]).reshape(-1, 2).T
        return super().published(data, names, np.clip(values, lower, upper))
