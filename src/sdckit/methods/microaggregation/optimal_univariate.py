"""Optimal univariate microaggregation: each attribute grouped by itself, at the least possible loss."""

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.kernels.partitions import group_means
from sdckit.kernels.time_warping import time_warping
from sdckit.kernels.univariate_microaggregation import optimal_univariate
from sdckit.masking import Locality, Masking, masking
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param

MOST_PAIRS = 100_000_000  # of a known value and a mean that are aligned: bounds memory
LAST_DIGITS = 1e-13  # of the largest value: the computed mean of equal values may miss them by that much


@masking("optimal-univariate", kind=Kind.ORDERED, reference="hansen2003")
class OptimalUnivariate(Masking):
    r"""Partition each attribute by itself into groups with the least sum of squared errors, and publish group means.

    Groups are runs in the order of the values, so very little is lost, but nobody is protected across attributes: an
    intruder who knows two or three of them mostly re-identifies the record. A missing value stays missing. Equal values
    are interchangeable; of partitions with equal loss the one with the larger last group is taken.

    Formula: $\min \sum_G \sum_{i \in G} (x_i - \bar{x}_G)^2$,  $k \le |G| \le 2k - 1$,  $G$ runs of the sorted values

    Use it when a single attribute has to be blurred with the least loss; for several use a multivariate method.
    """

    columnwise = True
    locality = Locality.SORT
    reads_a_part = True
    preserves = frozenset({Statistic.MEANS})

    group_size: int = param(3, "smallest number of records in a group (the papers' k)", low=1, grid=(3, 5, 10))

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        if len(values) < self.group_size:
            raise SchemaError(
                f"{self.name} needs at least {self.group_size} values to fill a group and the attribute has "
                f"{len(values)}; use a smaller group_size"
            )
        masked = np.empty(values.shape)
        for index, column in enumerate(values.T):
            labels = optimal_univariate(column, self.group_size)
            masked[:, index] = group_means(column[:, None], labels)[labels, 0]
        return masked

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value went to the mean next below it or next above it.

        An intruder who knows the whole column knows which. One who knows a part of it can align the part with the
        published means: smaller sets, which may miss the truth.
        """
        if released is None:
            return None
        lower, upper, certain = {}, {}, True
        for name in known.lower:
            column = released.matrix([name])[:, 0]
            seen = np.sort(column[~np.isnan(column)])
            if not len(seen):
                continue
            bounds = neighbouring_means
            if known.complete and not known.left_out and np.isfinite([known.lower[name], known.upper[name]]).all():
                bounds = aligned
            elif known.exactly(name) and known.aligned and known.records * len(np.unique(seen)) <= MOST_PAIRS:
                bounds, certain = warped, False
            lower[name], upper[name] = bounds(known.lower[name], known.upper[name], seen)
        return Candidates(known.records, lower, upper, certain=certain)


def neighbouring_means(
    low: NDArray[np.float64], high: NDArray[np.float64], published: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The published means next below the low ends and next above the high ends.

    A run of equal values may be split over two groups, so a value equal to a mean may still be in the group beside it.
    """
    means = np.unique(published)
    last = len(means) - 1
    margin = LAST_DIGITS * np.abs(published).max()
    below = means[np.clip(np.searchsorted(means, low - margin, side="left") - 1, 0, last)]
    above = means[np.clip(np.searchsorted(means, high + margin, side="right"), 0, last)]
    return np.where(np.isneginf(low), -np.inf, below), np.where(np.isposinf(high), np.inf, above)


def aligned(
    low: NDArray[np.float64], high: NDArray[np.float64], published: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The i-th smallest value got the i-th smallest mean; values that may be equal may have got several.

    As many values are smaller as have their high end below, and no more than have their low end up to the value's high.
    """
    first = np.searchsorted(np.sort(high), low, side="left")
    last = np.searchsorted(np.sort(low), high, side="right") - 1
    below, above = neighbouring_means(low, high, published)
    return np.maximum(published[first], below), np.minimum(published[last], above)


def warped(
    low: NDArray[np.float64], high: NDArray[np.float64], published: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The published means that a value is aligned with, in the least warping of the known values onto the means."""
    means = np.unique(published)
    order = np.argsort(low, kind="stable")
    first, last = time_warping(low[order], means)
    lower, upper = np.empty(len(low)), np.empty(len(low))
    lower[order], upper[order] = means[first], means[last]
    return lower, upper
