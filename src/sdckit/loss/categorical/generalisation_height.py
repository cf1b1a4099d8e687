"""Generalisation height: the level that attributes were recoded to."""

import numpy as np

from sdckit.intruder import Intruder
from sdckit.loss.categorical.paired_cells import paired_cells
from sdckit.measure import Measure, Need, Score, loss
from sdckit.release import Release


@loss("generalisation-height", reference="samarati2001", needs={Need.ROWS})
class GeneralisationHeight(Measure):
    r"""Levels that attributes were generalised by, as a share of all levels.

    The level of an attribute is that of its most generalised value, as in recoding all values alike; removed values do
    not count, see suppressed-cells. An attribute without a hierarchy has one level above its values.

    Formula: $\frac{\sum_j \max_i (h(x'_{ij}) - h(x_{ij}))}{\sum_j H_j}$,  $h$ the level of a value, $H_j$ the height of
    hierarchy $j$

    Use it when whole attributes were recoded: it is the height of the release in the lattice of recodings.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        generalised, heights = {}, {}
        for cells in paired_cells(release):
            kept = cells.seen & (cells.after >= 0)
            before = cells.depths(cells.values_before)
            after = cells.depths(cells.values_after)
            steps = before[cells.before[kept]] - after[cells.after[kept]]
            generalised[cells.name] = float(np.max(steps, initial=0.0))
            heights[cells.name] = float(cells.hierarchy.height if cells.hierarchy else 1)
        return Score(
            sum(generalised.values()) / max(sum(heights.values()), 1.0),
            by_attribute={name: generalised[name] / max(heights[name], 1.0) for name in generalised},
            baseline=0.0,
            details={"levels": generalised, "heights": heights},
        )
