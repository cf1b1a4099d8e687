"""Bounded noise: add to each value a uniform disturbance of limited size."""

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.kernels.moments import with_variances_divided
from sdckit.likelihood import Law, UniformLaw
from sdckit.masking import masking
from sdckit.methods.noise.standard_deviations import standard_deviations
from sdckit.microdata import Kind, Microdata
from sdckit.normal_law import every_number
from sdckit.parameters import param
from sdckit.row_masking import RowMasking

ERRORS = 5.0  # standard errors by which an estimated standard deviation may be too small
MARGIN = 1.1  # factor on an estimated standard deviation, so that the true value is rarely excluded


@masking("bounded-noise", kind=Kind.ORDERED, reference="brand2002")
class BoundedNoise(RowMasking):
    r"""Add independent uniform noise that never exceeds a share of the attribute's standard deviation.

    No value changes much, which helps users, but every original value lies in a known interval, which helps intruders:
    the intervals of several attributes together leave few records possible. Means are kept in expectation, variances
    grow by a third of the squared share. Whole numbers are rounded again, and values are clipped to a declared range.

    Formula: $x' = x + \varepsilon$,  $\varepsilon \sim U(-h \sigma, h \sigma)$

    Use it when a guaranteed accuracy of each value matters more than protection against an informed intruder.
    """

    columnwise = True
    draws_values = True

    half_width: float = param(
        0.2, "largest disturbance, as a share of the standard deviation (h)", low=0, grid=(0.1, 0.2, 0.5, 1.0)
    )

    def summary(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.half_width * standard_deviations(values)

    def mask_rows(self, values: NDArray[np.float64], summary: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return values + summary * (2 * draws.uniform(values.shape[1]) - 1)

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return means, with_variances_divided(covariances, 1 + self.half_width**2 / 3)

    def law(self, released: Microdata, original: Microdata | None = None) -> Law:
        """Uniform about the value; without the original the width is estimated, and wider by what that may be off."""
        values = every_number(released if original is None else original)
        scale = np.array([standard_deviations(column[~np.isnan(column)][:, None])[0] for column in values.T])
        if original is None:
            # The noise of the release is correlated with its values by chance; everything else is the same.
            error = ERRORS * self.half_width / np.sqrt(3 * max(len(values), 1))
            scale *= (1 + error) / np.sqrt(1 + self.half_width**2 / 3)
        return UniformLaw(self.half_width * scale)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value moved by at most the published share of the standard deviation.

        An intruder who knows only some records estimates the standard deviation from the released file.
        """
        lower, upper = {}, {}
        certain = known.complete
        for name in known.lower:
            if known.complete:
                scale = standard_deviations(known.lower[name][np.isfinite(known.lower[name])][:, None])[0]
                certain = certain and known.exactly(name)
            elif released is not None:
                column = released.matrix([name])
                observed = column[~np.isnan(column[:, 0])]
                scale = MARGIN * standard_deviations(observed)[0] / np.sqrt(1 + self.half_width**2 / 3)
            else:
                continue
            reach = self.half_width * scale
            lower[name], upper[name] = known.lower[name] - reach, known.upper[name] + reach
        return Candidates(known.records, lower, upper, certain=certain) if lower else None
