"""Interval-valued and I-fuzzy partitions: what repeated runs of a clustering leave undecided (Torra and Min 2010).

Runs from different starts end in different local minima. A record's membership is then an interval over the runs, or in
Atanassov's form a membership μ, a hesitation π and a non-membership ν = 1 − μ − π.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.alignment import align_memberships


@dataclass(frozen=True, eq=False)
class IntervalPartition:
    """The least and the greatest membership of each record in each cluster, over the runs."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @property
    def width(self) -> float:
        """The mean width of the intervals: 0 where all runs agree."""
        return float(np.nanmean(self.high - self.low))


@dataclass(frozen=True, eq=False)
class IFuzzyPartition:
    """Memberships of the best run, which sum to 1, and hesitations: how much higher other runs go.

    Of each record at most one cluster has a non-membership of 0.
    """

    membership: NDArray[np.float64]
    hesitation: NDArray[np.float64]

    @property
    def non_membership(self) -> NDArray[np.float64]:
        """ν = 1 − μ − π."""
        return np.maximum(1.0 - self.membership - self.hesitation, 0.0)

    @property
    def intervals(self) -> IntervalPartition:
        """The intervals from μ to μ + π."""
        return IntervalPartition(self.membership, self.membership + self.hesitation)


def interval_partition(runs: Sequence[NDArray[np.float64]]) -> IntervalPartition:
    """The interval of each membership over runs, whose clusters are matched with those of the first."""
    matched = _matched(runs)
    return IntervalPartition(np.min(matched, axis=0), np.max(matched, axis=0))


def i_fuzzy_partition(runs: Sequence[NDArray[np.float64]]) -> IFuzzyPartition:
    """The I-fuzzy partition of runs, the best one first.

    A record that is wholly in one cluster in one run and wholly in another in the next would have a non-membership of 0
    in both: all but the one with the highest membership in the best run keep one of as many parts as there are runs.

    Example
    -------
    >>> once, again = np.array([[0.75, 0.25], [0.0, 1.0]]), np.array([[0.5, 0.5], [0.0, 1.0]])
    >>> i_fuzzy_partition([once, again]).hesitation
    array([[0.  , 0.25],
           [0.  , 0.  ]])
    """
    matched = _matched(runs)
    membership, high = matched[0], np.max(matched, axis=0)
    whole = high >= 1.0
    several = whole.sum(axis=1) > 1
    first = np.argmax(np.where(whole, membership, -1.0), axis=1)
    others = whole & several[:, None]
    others[np.arange(len(first)), first] = False
    high = np.where(others, np.maximum(1.0 - 1.0 / len(runs), membership), high)
    return IFuzzyPartition(membership, np.clip(high - membership, 0.0, 1.0 - membership))


def interval_difference(one: IntervalPartition, other: IntervalPartition) -> NDArray[np.float64]:
    """Of each record the mean over the clusters of max(|low − low′|, |high − high′|), clusters in the same order."""
    gaps = np.maximum(np.abs(one.low - other.low), np.abs(one.high - other.high))
    return np.asarray(gaps.mean(axis=1), dtype=np.float64)


def _matched(runs: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    if not runs:
        raise ValueError("an interval partition needs at least one run")
    return [runs[0], *(each[:, align_memberships(runs[0], each)] for each in runs[1:])]
