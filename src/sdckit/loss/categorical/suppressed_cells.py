"""Suppressed cells: how many values were removed."""

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.loss.categorical.paired_cells import MAIN_ROLES, mean_over_cells, paired_records
from sdckit.measure import Measure, Need, Score, loss
from sdckit.release import Release


@loss("suppressed-cells", reference="hundepool2012", needs={Need.ROWS})
class SuppressedCells(Measure):
    r"""Share of the values of keys and confidential attributes that the masking removed.

    Cells that were missing before are not counted, nor are records that were left out as a whole.

    Formula: $\frac{|\{(i, j) : x_{ij} \text{ is present and } x'_{ij} \text{ is missing}\}|}{|\{(i, j) : x_{ij} \text{
    is present}\}|}$

    Use it when values were suppressed: it shows how many values an analyst has to do without.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = [name for name in release.original.names(role=MAIN_ROLES) if name in release.masked]
        if not names:
            raise NotApplicableError("the release has no key and no confidential attribute")
        records, rows = paired_records(release)
        figures = {}
        for name in names:
            there = ~release.original.absent(name)[records]
            figures[name] = np.where(there, release.masked.absent(name)[rows].astype(float), np.nan)
        suppressed = int(sum(np.nansum(column) for column in figures.values()))
        return mean_over_cells(release, figures, {"suppressed": suppressed})
