"""Optimal univariate microaggregation (Hansen & Mukherjee 2003)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.ordered_partition import best_starts, label_runs
from sdckit.kernels.partitions import require_enough_records
from sdckit.kernels.stable_order import stable_order


def optimal_univariate(values: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """Partition the values into groups of at least `group_size` with the least sum of squared errors.

    Groups are runs of the sorted values, of k to 2k-1 records, numbered by ascending value. Among equally good
    partitions the one whose last group starts first is taken, and so on downwards; equal values stay in their order.
    """
    require_enough_records(len(values), group_size)
    order = stable_order(np.ascontiguousarray(values))
    return label_runs(order, partition_sorted(values[order], group_size))


def partition_sorted(sorted_values: NDArray[np.float64], group_size: int) -> NDArray[np.int64]:
    """The positions where the groups of the optimal partition of sorted values start; the first is 0."""
    require_enough_records(len(sorted_values), group_size)
    return best_starts(np.ascontiguousarray(sorted_values)[None], group_size)
