"""Interval disclosure: is the original value near the published one?"""

import numpy as np

from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.kernels.rank_intervals import share_inside_rank_intervals
from sdckit.measure import Measure, Score, risk
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release


@risk("interval-disclosure", reference="domingo2001")
class IntervalDisclosure(Measure):
    """Share of values that lie within a narrow interval of ranks around their published value.

    The interval around a published value spans a share of the masked column's ranks, half of it on each side; the
    figure is averaged over widths of 1 %, 2 % … up to `widest`, over attributes and records. The intruder needs to know
    which masked record is whose, so this is what a found record gives away. The baseline pairs records at random.

    Formula: mean over w, j, i of [xᵢⱼ ∈ I_w(x′ᵢⱼ)],  I_w(x′) = the masked values at most w · n / 2 ranks from x′

    Intruder: knows which released record is whose and reads the published values as they stand.

    Use it when a value near the truth is already a harm, such as an income or a turnover known to within a few ranks.
    """

    widest: float = param(0.1, "widest interval, as a share of the ranks", low=0.01, high=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = release.measured()
        original, masked = release.pairs(names)
        widths = np.arange(1, round(self.widest * 100) + 1) / 100
        others = child(generator(seed or 0), "interval-disclosure").permutation(len(masked))
        inside = np.empty(original.shape)
        by_chance = np.empty(len(names))
        for place in range(len(names)):
            inside[:, place] = share_inside_rank_intervals(original[:, place], masked[:, place], widths)
            stranger = share_inside_rank_intervals(original[:, place], masked[others, place], widths)
            by_chance[place] = np.nanmean(stranger) if np.isfinite(stranger).any() else 0.0
        seen = np.isfinite(inside)
        shares = np.where(seen, inside, 0.0)
        by_attribute = shares.sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
        value = float(by_attribute.mean())
        of_pair = np.where(seen.any(axis=1), shares.sum(axis=1) / np.maximum(seen.sum(axis=1), 1), np.nan)
        released = np.flatnonzero(release.true_rows(np.arange(len(release.original))) >= 0)
        return Score(
            value,
            by_record=release.on_records(released, of_pair),
            by_attribute=dict(zip(names, by_attribute.tolist(), strict=True)),
            interval=wilson(value * len(original), len(original)),
            baseline=float(by_chance.mean()),
        )
