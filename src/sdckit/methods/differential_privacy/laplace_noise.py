"""Laplace noise: each value with noise of a size that public bounds and ε decide."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.masking import masking
from sdckit.methods.differential_privacy.bounded_values import BoundedValues
from sdckit.methods.differential_privacy.opendp_noise import with_laplace_noise
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.privacy import PrivacyLoss, numbers_of_categories


@masking("laplace-noise", kind=Kind.ORDERED, reference="dwork2006")
class LaplaceNoise(BoundedValues):
    r"""Add to each value Laplace noise as large as the whole range of the attribute divided by ε.

    Each value is ε-differentially private by itself: a released row has nearly the same distribution whatever the
    person's value was. The noise is therefore large: single values are useful only at a large ε, and the file is suited
    to means over many records. Values beyond the bounds are moved to the nearest one. The noise comes from OpenDP and
    the operating system, so no seed repeats it. The losses of several attributes add up.

    Formula: $x' = x + \mathrm{Lap}(\frac{\Delta}{\varepsilon})$,  $\Delta = \text{upper} - \text{lower}$

    Use it when a formal guarantee is asked for and users compute means or totals of many records.

    Excludes nothing: a Laplace disturbance can take any size.
    """

    epsilon: float = param(1.0, "privacy loss of each attribute (ε)", low=1e-6, grid=(0.5, 1, 4))

    def noisy(
        self, values: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64], draws: Draws
    ) -> NDArray[np.float64]:
        columns = [
            with_laplace_noise(column, float(width), self.epsilon)
            for column, width in zip(values.T, high - low, strict=True)
        ]
        return np.column_stack(columns)

    def privacy(self, data: Microdata, attributes: Sequence[str]) -> PrivacyLoss:
        """ε for each attribute."""
        loss = self.epsilon * len(attributes)
        return PrivacyLoss(
            self.name,
            tuple(attributes),
            loss,
            bounds=self.stated_bounds(data, attributes),
            categories=numbers_of_categories(data, attributes),
        )
