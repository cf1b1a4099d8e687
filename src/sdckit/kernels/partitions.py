"""A partition of records into groups: sizes, typical members, and the variation lost within groups."""

import numpy as np
from numpy.typing import NDArray


def require_enough_records(records: int, group_size: int) -> None:
    """Raise a ValueError unless the records fill at least one group."""
    if group_size < 1:
        raise ValueError(f"a group needs at least one record, not {group_size}")
    if records < group_size:
        raise ValueError(f"{records} records cannot fill a group of {group_size}")


def group_sizes(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of records in each group."""
    return np.bincount(labels).astype(np.int64)


def group_means(values: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """The mean of the observed values of each group, column by column; NaN where a group has none."""
    matrix = values.reshape(len(values), -1)
    groups = int(labels.max()) + 1
    means = np.empty((groups, matrix.shape[1]))
    for column, value in enumerate(matrix.T):
        observed = ~np.isnan(value)
        group, member = labels[observed], value[observed]
        count = np.bincount(group, minlength=groups)
        # Measured from a value of the group, a large level costs no precision and equal values have exactly their mean.
        anchor = np.zeros(groups)
        anchor[group] = member
        total = np.bincount(group, weights=member - anchor[group], minlength=groups)
        means[:, column] = np.where(count > 0, anchor + total / np.maximum(count, 1), np.nan)
    return means.reshape(groups, *values.shape[1:])


def weighted_group_means(
    values: NDArray[np.float64], labels: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weighted mean of the observed values of each group, column by column; the plain one where weights are 0."""
    plain = group_means(values, labels)
    means = np.empty(plain.shape)
    for column, value in enumerate(values.T):
        observed = ~np.isnan(value)
        group, weight = labels[observed], weights[observed]
        gap = value[observed] - plain[group, column]  # measured from the plain mean, which is exact for equal values
        total = np.bincount(group, weights=weight, minlength=len(plain))
        moved = np.bincount(group, weights=weight * gap, minlength=len(plain))
        means[:, column] = plain[:, column] + np.where(total > 0, moved / np.where(total > 0, total, 1.0), 0.0)
    return means


def group_medians(values: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """The lower median of the observed values of each group, column by column: always an observed value."""
    matrix = values.reshape(len(values), -1)
    groups = int(labels.max()) + 1
    medians = np.full((groups, matrix.shape[1]), np.nan)
    for column, value in enumerate(matrix.T):
        order = np.lexsort((value, labels))  # NaN sorts last within its group
        first = np.searchsorted(labels[order], np.arange(groups))
        observed = np.bincount(labels[~np.isnan(value)], minlength=groups)
        some = observed > 0
        medians[some, column] = value[order[first[some] + (observed[some] - 1) // 2]]
    return medians.reshape(groups, *values.shape[1:])


def group_modes(codes: NDArray[np.int64], labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The most frequent code of each group, column by column; ties to the lowest code, -1 where all are missing."""
    matrix = codes.reshape(len(codes), -1)
    groups = int(labels.max()) + 1
    modes = np.full((groups, matrix.shape[1]), -1, dtype=np.int64)
    for column, code in enumerate(matrix.T):
        observed = code >= 0
        pairs, count = np.unique(np.column_stack([labels[observed], code[observed]]), axis=0, return_counts=True)
        ranking = np.lexsort((pairs[:, 1], -count, pairs[:, 0]))
        group, first = np.unique(pairs[ranking, 0], return_index=True)
        modes[group, column] = pairs[ranking[first], 1]
    return modes.reshape(groups, *codes.shape[1:])


def within_group_sum_of_squares(points: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """SSE: the sum of squared distances of the records from the means of their groups."""
    return float(np.nansum((points - group_means(points, labels)[labels]) ** 2))


def share_of_variation_lost(points: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """SSE / SST: the share of the variation that replacing records by their group means destroys."""
    total = float(np.nansum((points - group_means(points, np.zeros_like(labels))[0]) ** 2))
    return within_group_sum_of_squares(points, labels) / total if total > 0 else 0.0
