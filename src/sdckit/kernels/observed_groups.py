"""Observed groups: groups of records merged until each has enough observed values, or none, in one column.

The mean of a group in which all values but one are missing is that value. Where values are missing, a partition whose
groups have enough records can therefore have groups that give single values away.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.partitions import group_means


def merged_by_observed(
    labels: NDArray[np.int64], observed: NDArray[np.bool_], positions: NDArray[np.float64], group_size: int
) -> NDArray[np.int64]:
    """The group of each record for one column: those with too few observed values are merged with near ones.

    A group with at least `group_size` observed values, or with none, stays. The others are ordered by the mean position
    of their observed values and joined with the next until they have enough; what is left over joins the nearest group.
    Where the whole column has too few values, all groups with one become one group.
    """
    groups = int(labels.max()) + 1
    counts = np.bincount(labels[observed], minlength=groups)
    few = (counts > 0) & (counts < group_size)
    if not few.any():
        return labels
    centres = np.bincount(labels[observed], weights=positions[observed], minlength=groups) / np.maximum(counts, 1)
    target = np.arange(groups)
    run: list[int] = []
    joined: list[list[int]] = []
    for group in np.flatnonzero(few)[np.argsort(centres[few], kind="stable")].tolist():
        run.append(group)
        if counts[run].sum() >= group_size:
            joined.append(run)
            run = []
    for members in joined:
        target[members] = members[0]
    if run:
        centre = float((counts[run] * centres[run]).sum() / counts[run].sum())
        whole = np.flatnonzero((counts >= group_size) | np.isin(np.arange(groups), np.concatenate([*joined, []])))
        nearest = target[whole[np.argmin(np.abs(centres[whole] - centre))]] if len(whole) else run[0]
        target[run] = nearest
    merged: NDArray[np.int64] = target[labels]
    return merged


def merged_by_all_observed(
    values: NDArray[np.float64], labels: NDArray[np.int64], group_size: int
) -> NDArray[np.int64]:
    """One partition for all columns, in which every group has enough observed values, or none, in each of them."""
    merged = labels
    while True:
        before = merged
        for value in values.T:
            merged = merged_by_observed(merged, ~np.isnan(value), value, group_size)
        if np.array_equal(merged, before):
            return np.unique(merged, return_inverse=True)[1]


def means_of_observed(values: NDArray[np.float64], labels: NDArray[np.int64], group_size: int) -> NDArray[np.float64]:
    """For each record the mean of its group, column by column, over at least `group_size` observed values.

    A missing value (NaN) stays missing. The mean and the sum of the observed values of a column stay the same.
    """
    means = np.empty(values.shape)
    for column, value in enumerate(values.T):
        observed = ~np.isnan(value)
        own = merged_by_observed(labels, observed, value, group_size)
        means[:, column] = np.where(observed, group_means(value, own)[own], np.nan)
    return means
