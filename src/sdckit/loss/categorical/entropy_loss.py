"""Entropy-based loss: the uncertainty about the original values that remains given the masked ones."""

import numpy as np
import numpy.typing as npt

from sdckit.intruder import Intruder
from sdckit.kernels.equivalence_classes import class_of
from sdckit.loss.categorical.paired_cells import PairedCells, mean_over_cells, paired_cells
from sdckit.measure import Measure, Need, Score, loss
from sdckit.release import Release


@loss("entropy-loss", reference="domingo2001", needs={Need.ROWS})
class EntropyLoss(Measure):
    r"""Mean uncertainty about an original category given the masked one, as a share of the uncertainty without it.

    The probabilities of original categories given a masked one are their shares in this file, so any masking can be
    measured, and recodings, changed categories (PRAM) and suppression on one scale. A category recoded one to one costs
    nothing; a constant attribute has nothing to lose. A removed value is one more masked category.

    Formula: mean over cells of $\frac{H(V \mid V' = x'_{ij})}{H(V)}$,  $H = -\sum p \log p$

    Use it when categories were changed at random, or merged.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        return mean_over_cells(release, {cells.name: uncertainty(cells) for cells in paired_cells(release)}, {})


def uncertainty(cells: PairedCells) -> npt.NDArray[np.float64]:
    """H(V | V′ = v′) / H(V) at the masked value of each cell; NaN where there was no original one."""
    figures = np.full(len(cells.before), np.nan)
    if not cells.seen.any():
        return figures
    before, after = cells.before[cells.seen], cells.after[cells.seen] + 1
    original = np.bincount(before) / len(before)
    overall = -float((original * np.log(np.where(original > 0, original, 1.0))).sum())
    if overall <= 0:
        figures[cells.seen] = 0.0
        return figures
    pairs = class_of(np.column_stack([after, before]))
    masked_of_pair = after[pairs.first()]
    probability = pairs.sizes / np.bincount(after)[masked_of_pair]
    of_masked = np.bincount(masked_of_pair, weights=-probability * np.log(probability))
    figures[cells.seen] = np.abs(of_masked[after]) / overall  # no −0
    return figures
