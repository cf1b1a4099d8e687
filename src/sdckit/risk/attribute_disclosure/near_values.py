"""What the interval disclosures share: is the original value within an interval around the published one?"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Score
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release

Judgement: TypeAlias = Callable[[NDArray[np.int64] | slice], NDArray[np.float64]]


@dataclass(frozen=True, kw_only=True)
class NearValues(Measure):
    """The share of values inside intervals of 1 %, 2 % … of some scale around their published ones."""

    widest: float = param(0.1, "widest interval, as a share of the ranks or of the deviation", low=0.01, high=1)

    def intervals(
        self, original: NDArray[np.float64], masked: NDArray[np.float64], widths: NDArray[np.float64]
    ) -> Judgement:
        """For each value of a column, the share of the widths at which it is in the interval around a masked value.

        The function that is returned takes the row of that masked value for each original one. NaN where one of the two
        is missing. Intervals are nested: a value inside one is inside all wider ones.
        """
        raise TypeError(f"{type(self).__name__} must define intervals")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = release.evaluated_attributes()
        original, masked = release.pairs(names)
        widths = np.arange(1, round(self.widest * 100) + 1) / 100
        others = child(generator(seed or 0), "interval-disclosure").permutation(len(masked))
        inside, at_random = np.empty(original.shape), np.empty(len(names))
        for column in range(len(names)):
            values = np.ascontiguousarray(original[:, column])
            judge = self.intervals(values, np.ascontiguousarray(masked[:, column]), widths)
            inside[:, column] = removed_is_outside(judge(slice(None)), values)
            at_random[column] = mean_of_seen(removed_is_outside(judge(others), values))
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


def removed_is_outside(shares: NDArray[np.float64], original: NDArray[np.float64]) -> NDArray[np.float64]:
    """A value that the masking removed is in no interval: only what was missing before is not judged."""
    return np.where(np.isnan(original), np.nan, np.nan_to_num(shares))


def mean_of_seen(shares: NDArray[np.float64]) -> float:
    """The mean, missing values left out; 0 where there is nothing else."""
    seen = shares[np.isfinite(shares)]
    return float(seen.mean()) if len(seen) else 0.0


def share_by_width(inside: NDArray[np.float64], widths: NDArray[np.float64]) -> dict[str, float]:
    """The curve: the share of values inside at each width, the mean over attributes.

    As intervals are nested, a value that is inside at r of the widths is so at the r widest.
    """
    count = len(widths)
    curves = []
    for column in inside.T:
        seen = column[np.isfinite(column)]
        narrowest = count - np.round(seen * count).astype(np.int64)
        curves.append(np.cumsum(np.bincount(narrowest, minlength=count + 1))[:count] / max(len(seen), 1))
    return {f"{width:g}": float(np.mean([curve[index] for curve in curves])) for index, width in enumerate(widths)}
