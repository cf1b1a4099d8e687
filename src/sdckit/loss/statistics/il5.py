"""IL5: how far the correlations moved."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.pairwise_correlations import pairwise_correlations
from sdckit.loss.statistics.mean_variation import with_values
from sdckit.measure import Measure, Score, loss
from sdckit.microdata import Kind
from sdckit.release import Release


@loss("il5", headline=6, sees=Kind.ORDERED, reference="domingo2001")
class Il5(Measure):
    r"""Mean absolute error of the correlations, over all pairs of ordered attributes.

    Correlations are bounded, so they are compared directly; the figure lies between 0 and 2. Where values are
    missing, a correlation is that of the records that have both.

    Formula: $\mathrm{IL5} = \text{mean over } j < l \text{ of } |r_{jl} - r'_{jl}|$,  $r_{jl} = \mathrm{Cor}(x_j, x_l)$

    Use it when relations between attributes are what the file is studied for.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release)
        if len(names) < 2:
            raise NotApplicableError("correlations need at least two ordered attributes")
        files = (release.original, release.masked)
        return self.of_correlations(names, *(pairwise_correlations(file.matrix(names)) for file in files))

    def of_correlations(self, names: Sequence[str], before: NDArray[np.float64], after: NDArray[np.float64]) -> Score:
        """The score by the correlations of both files."""
        gap = np.abs(before - after)
        others = len(names) - 1
        return Score(
            float(gap[np.triu_indices(len(names), 1)].mean()),
            by_attribute={name: float(total / others) for name, total in zip(names, gap.sum(axis=0), strict=True)},
            baseline=0.0,
        )
