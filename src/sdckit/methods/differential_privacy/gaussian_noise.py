"""Gaussian noise: each value with normal noise of a size that public bounds, ε and δ decide."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.masking import masking
from sdckit.methods.differential_privacy.bounded_values import BoundedValues
from sdckit.methods.differential_privacy.opendp_noise import with_gaussian_noise
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.privacy import PrivacyLoss, numbers_of_categories


@masking("gaussian-noise", kind=Kind.ORDERED, reference="dwork2006a")
class GaussianNoise(BoundedValues):
    r"""Add to each value normal noise whose standard deviation follows from ε, δ and the range of the attribute.

    Each value is (ε, δ)-differentially private by itself: except with probability δ, a released row has nearly the same
    distribution whatever the person's value was. δ should be far below one over the number of records. Values beyond
    the bounds are moved to the nearest one. The noise comes from OpenDP and the operating system, so no seed repeats
    it. The losses of several attributes add up.

    Formula: $x' = x + N(0, \sigma^2)$,  $\sigma$ the least for which $(\varepsilon, \delta)$ holds with $\Delta =
    \text{upper} - \text{lower}$, by zero-concentration

    Use it when users need normally distributed errors; for a guarantee without δ take laplace-noise.

    Excludes nothing: a normal disturbance can take any size.
    """

    epsilon: float = param(1.0, "privacy loss of each attribute (ε)", low=1e-6, grid=(0.5, 1, 4))
    delta: float = param(1e-6, "probability with which the limit may fail for an attribute (δ)", low=1e-12, high=0.1)

    def noisy(
        self, values: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64], draws: Draws
    ) -> NDArray[np.float64]:
        columns = [
            with_gaussian_noise(column, float(width), self.epsilon, self.delta)
            for column, width in zip(values.T, high - low, strict=True)
        ]
        return np.column_stack(columns)

    def privacy(self, data: Microdata, attributes: Sequence[str]) -> PrivacyLoss:
        """ε and δ for each attribute."""
        number = len(attributes)
        return PrivacyLoss(
            self.name,
            tuple(attributes),
            self.epsilon * number,
            self.delta * number,
            self.stated_bounds(data, attributes),
            numbers_of_categories(data, attributes),
        )
