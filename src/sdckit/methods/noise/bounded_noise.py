"""Bounded noise: add to each value a uniform disturbance of limited size."""

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.kernels.moments import with_variances_divided
from sdckit.masking import Masking, masking
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param

MARGIN = 1.1  # what an estimate of the spread is stretched by, so that the true value is rarely left out


@masking("bounded-noise", kind=Kind.ORDERED, reference="brand2002")
class BoundedNoise(Masking):
    """Add independent uniform noise that never exceeds a share of the attribute's standard deviation.

    No value is far off, which users like, and every value lies in a known interval, which intruders like: on several
    attributes the intervals leave few records. Means are kept in expectation, variances grow by a third of the squared
    share. Whole numbers are rounded again, and values are clipped to a declared range.

    Formula: X′ = X + ε,  ε ~ U(−h · σ, h · σ)

    Use it when a guaranteed accuracy of each value matters more than protection against an informed intruder.
    """

    columnwise = True
    draws_values = True

    half_width: float = param(
        0.2, "largest disturbance, as a share of the standard deviation (h)", low=0, grid=(0.1, 0.2, 0.5, 1.0)
    )

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return values + self.half_width * spread(values) * (2 * draws.uniform(values.shape[1]) - 1)

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return means, with_variances_divided(covariances, 1 + self.half_width**2 / 3)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value moved by at most the published share of the spread, which who knows only some records estimates."""
        lower, upper = {}, {}
        certain = known.complete
        for name in known.lower:
            if known.complete:
                scale = spread(known.lower[name][np.isfinite(known.lower[name])][:, None])[0]
                certain = certain and np.array_equal(known.lower[name], known.upper[name])
            elif released is not None:
                column = released.matrix([name])
                scale = MARGIN * spread(column[~np.isnan(column[:, 0])])[0] / np.sqrt(1 + self.half_width**2 / 3)
            else:
                continue
            reach = self.half_width * scale * (1 + 1e-9)
            lower[name], upper[name] = known.lower[name] - reach, known.upper[name] + reach
        return Candidates(known.records, lower, upper, certain=certain) if lower else None


def spread(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard deviation of each column, 0 for one value."""
    return values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])
