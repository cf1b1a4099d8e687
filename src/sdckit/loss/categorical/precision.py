"""Precision: how far values were generalised in their hierarchies."""

import numpy as np

from sdckit.intruder import Intruder
from sdckit.loss.categorical.paired_cells import mean_over_cells, paired_cells
from sdckit.measure import Measure, Need, Score, loss
from sdckit.release import Release


@loss("precision", reference="sweeney2002a", needs={Need.ROWS})
class Precision(Measure):
    r"""Mean share of the levels between a value and the root of its hierarchy by which it was generalised.

    It is one minus Sweeney's precision. A suppressed value counts 1; an attribute without a hierarchy has
    one step. A value changed for another on the same level counts 0, so read it beside a loss that compares values.

    Formula: mean over cells of $\frac{\max(0, h(x'_{ij}) - h(x_{ij}))}{H - h(x_{ij})}$,  $h$ the level of a value, $H$
    that of the root

    Use it when values were generalised, record by record or all alike.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        figures = {}
        for cells in paired_cells(release):
            before = np.append(cells.depths(cells.values_before), 0.0)[cells.before]
            after = np.append(cells.depths(cells.values_after), 0.0)[cells.after]
            generalised = np.maximum(before - after, 0.0) / np.maximum(before, 1.0)
            figures[cells.name] = np.where(cells.seen, generalised, np.nan)
        return mean_over_cells(release, figures, {})
