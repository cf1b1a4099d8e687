"""Simple random sampling: publish a share of the records, each with the same probability."""

from collections.abc import Sequence

import numpy as np

from sdckit.draws import Draws
from sdckit.masking import masking
from sdckit.methods.sampling.sampling import Sampling, drawn
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("simple-sampling", kind=Kind.ANY, reference="hundepool2012")
class SimpleSampling(Sampling):
    r"""Publish a random share of the records, or of the households, and drop the others.

    An intruder who finds a unique match cannot be sure that the person sought is in the sample at all. Values are
    unchanged, so the risk of rare records in the sample is unchanged, too. Survey weights are raised to represent the
    whole file. The records keep their order.

    Formula: $S$ drawn uniformly among all sets of $\lceil s \cdot N \rceil$ units,  $w'_i = w_i \cdot \frac{N}{|S|}$

    Use it when the file is a census or close to one, before any other masking.
    """

    share: float = param(0.5, "share of the units to publish", low=0, high=1, grid=(0.1, 0.25, 0.5))

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        self.applicable(data, attributes)
        units = data.units()
        total = int(units.max()) + 1
        size = max(1, int(np.ceil(self.share * total - 1e-9)))
        drawn_units = np.zeros(total, dtype=bool)
        drawn_units[draws.generator().choice(total, size, replace=False)] = True
        rows = np.flatnonzero(drawn_units[units])
        return drawn(data, rows, np.full(len(rows), total / size))
