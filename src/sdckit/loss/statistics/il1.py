"""IL1: mean relative change of the values, inflated by values near zero."""

import numpy as np

from sdckit.intruder import Intruder
from sdckit.loss.statistics.mean_variation import by_column, mean_of, variation, with_values
from sdckit.measure import Measure, Need, Score, loss
from sdckit.parameters import param
from sdckit.release import Release


@loss("il1", reference="domingo2001", needs={Need.ROWS})
class Il1(Measure):
    r"""Mean variation of the values, over all records and ordered attributes.

    Cells with x = 0 are skipped and counted. The measure has no upper limit, and one near-zero value can dominate it;
    `cap` bounds each cell's variation.

    Formula: $\mathrm{IL1} = \frac{1}{n p} \sum_{i, j} \frac{|x_{ij} - x'_{ij}|}{|x_{ij}|}$

    Use it when analysts work with single records, and values lie well away from zero.
    """

    cap: float = param(np.inf, "largest variation counted for one cell; 1 gives the bounded form", low=0)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release)
        original, masked = release.pairs(names)
        ratio, zeros = variation(original, masked, self.cap)
        return Score(
            mean_of(ratio, original, masked),
            by_attribute=by_column(ratio, names),
            baseline=0.0,
            details={"zeros_skipped": zeros, "cells": int(original.size)},
        )
