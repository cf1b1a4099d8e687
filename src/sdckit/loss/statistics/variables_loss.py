"""Variables loss: how far values of every kind moved, on one scale from 0 to 1."""

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import Intruder
from sdckit.kernels.standardisation import mean_and_deviation
from sdckit.loss.statistics.mean_variation import with_values
from sdckit.measure import Measure, Need, Score, loss
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.release import Release


@loss("variables-loss", headline=4, reference="mlodak2020", needs={Need.ROWS})
class VariablesLoss(Measure):
    r"""Mean distance of the values from their masked ones, over attributes of every kind (λ).

    Numbers count by the angle of their difference, ordered categories by the steps between them, others by whether they
    changed. A value that was removed, or merged into a new category, counts as completely changed. In their own units,
    as the measure was first defined, the size of numbers dominates: any masking changes incomes almost completely, and
    shares hardly at all.

    Formula: $\lambda = \text{mean of } \frac{2}{\pi} \arctan |x - x'|$, $\frac{1}{r - 1} \cdot |\text{rank } x -
    \text{rank } x'|$ or $[x \ne x']$,  $r$ categories

    Use it when the file mixes numbers and categories and one bounded figure is needed for single values.
    """

    standardised: bool = param(True, "numbers in standard deviations of the original, else in their own units")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = with_values(release, Kind.ANY)
        rows = release.true_rows(np.arange(len(release.original)))
        records = np.flatnonzero(rows >= 0)
        release.pairs(())  # refuses a release without a common record
        moved = np.column_stack([self._moved(release, name, records, rows[records]) for name in names])
        seen = ~np.isnan(moved)
        sums, counts = np.where(seen, moved, 0.0).sum(axis=0), seen.sum(axis=0)
        return Score(
            float(sums.sum() / max(int(counts.sum()), 1)),
            by_attribute=dict(zip(names, (sums / np.maximum(counts, 1)).tolist(), strict=True)),
            baseline=0.0,
        )

    def _moved(
        self, release: Release, name: str, records: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """How far each value of an attribute moved; NaN where there was none."""
        attribute = release.original.attribute(name)
        before, after = release.original.columns[name][records], release.masked.columns[name][rows]
        if attribute.coded:
            ordered = bool(attribute.kind & Kind.ORDERED)
            known = len(attribute.categories or ())
            steps = np.abs(before - after) / max(known - 1, 1)
            change = np.where(after < known, steps, 1.0) if ordered else (before != after).astype(np.float64)
        else:
            deviation = mean_and_deviation(release.original.columns[name][:, None])[1][0] if self.standardised else 1.0
            change = 2 / np.pi * np.arctan(np.abs(before - after) / (deviation or 1.0))
        change = np.where(release.masked.absent(name)[rows], 1.0, change)
        return np.where(release.original.absent(name)[records], np.nan, change)
