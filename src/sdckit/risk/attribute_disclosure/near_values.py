"""What the interval disclosures share: is the original value within an interval around the published one?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Score
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release


@dataclass(frozen=True, kw_only=True)
class NearValues(Measure):
    """The share of values inside intervals of 1 %, 2 % … of some scale around their published ones."""

    widest: float = param(0.1, "widest interval, as a share of the ranks or of the deviation", low=0.01, high=1)

    def shares_inside(
        self, original: NDArray[np.float64], masked: NDArray[np.float64], widths: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """For each value of a column, the share of the widths at which it is inside; NaN where one is missing.

        Intervals are nested: a value inside one is inside all wider ones.
        """
        raise TypeError(f"{type(self).__name__} must define shares_inside")

    def shares(
        self, original: NDArray[np.float64], masked: NDArray[np.float64], widths: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The same, with values that the masking removed in no interval: only what was missing before is not judged."""
        inside = np.nan_to_num(self.shares_inside(original, masked, widths))
        return np.where(np.isnan(original), np.nan, inside)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = release.evaluated_attributes()
        original, masked = release.pairs(names)
        widths = np.arange(1, round(self.widest * 100) + 1) / 100
        others = child(generator(seed or 0), "interval-disclosure").permutation(len(masked))
        inside, at_random = np.empty(original.shape), np.empty(len(names))
        for column in range(len(names)):
            inside[:, column] = self.shares(original[:, column], masked[:, column], widths)
            at_random[column] = mean_of_seen(self.shares(original[:, column], masked[others, column], widths))
        seen = np.isfinite(inside)
        shares = np.where(seen, inside, 0.0)
        by_attribute = [mean_of_seen(column) for column in inside.T]
        value = float(np.mean(by_attribute))
        of_pair = np.where(seen.any(axis=1), shares.sum(axis=1) / np.maximum(seen.sum(axis=1), 1), np.nan)
        released = np.flatnonzero(release.true_rows(np.arange(len(release.original))) >= 0)
        return Score(
            value,
            by_record=release.on_records(released, of_pair),
            by_attribute=dict(zip(names, by_attribute, strict=True)),
            interval=wilson(value * len(original), len(original)),
            baseline=float(at_random.mean()),
            details={"by_width": share_by_width(inside, widths)},
        )


def mean_of_seen(shares: NDArray[np.float64]) -> float:
    """The mean, missing values left out; 0 where there is nothing else."""
    seen = shares[np.isfinite(shares)]
    return float(seen.mean()) if len(seen) else 0.0


def share_by_width(inside: NDArray[np.float64], widths: NDArray[np.float64]) -> dict[str, float]:
    """The curve: the share of values inside at each width, the mean over attributes.

    As intervals are nested, a value that is inside at r of the widths is so at the r widest.
    """
    count = len(widths)
    narrowest = count - np.round(inside * count)  # of NaN: NaN, which is at no width
    return {
        f"{width:g}": float(
            np.mean([mean_of_seen(np.where(np.isnan(column), np.nan, column <= number)) for column in narrowest.T])
        )
        for number, width in enumerate(widths)
    }
