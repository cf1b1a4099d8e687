"""Normalised certainty penalty: how many values a released one leaves possible."""

import numpy as np

from sdckit.intruder import Intruder
from sdckit.loss.categorical.paired_cells import mean_over_cells, paired_cells
from sdckit.measure import Measure, Need, Score, loss
from sdckit.release import Release


@loss("normalised-certainty-penalty", reference="xu2006", needs={Need.ROWS})
class NormalisedCertaintyPenalty(Measure):
    r"""Mean share of the other values of an attribute that a released value leaves possible.

    A leaf of the hierarchy counts 0, the root and a removed value 1. Unlike precision it weights a step by how many
    values it merges. A value changed for another leaf counts 0, so read it beside a loss that compares values.

    Formula: mean over cells of $\max(0, \mathrm{NCP}(x'_{ij}) - \mathrm{NCP}(x_{ij}))$,  $\mathrm{NCP}(v) =
    \frac{|\text{leaves under } v| - 1}{|\text{leaves}| - 1}$

    Use it when values were generalised by a hierarchy with branches of uneven size.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        figures = {}
        for cells in paired_cells(release):
            before = np.append(cells.leaves(cells.values_before), 0.0)[cells.before]
            after = np.append(cells.leaves(cells.values_after), 1.0)[cells.after]
            figures[cells.name] = np.where(cells.seen, np.maximum(after - before, 0.0), np.nan)
        return mean_over_cells(release, figures, {})
