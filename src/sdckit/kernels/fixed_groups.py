"""Fixed groups: records in an order that no data decides, cut into groups of the same size."""

import numpy as np
from numpy.typing import NDArray


def groups_in_order(order: NDArray[np.int64], group_size: int) -> NDArray[np.int64]:
    """The group of each record: the first `group_size` in the order, the next, and so on; the rest joins the last.

    >>> groups_in_order(np.array([2, 0, 1, 4, 3]), 2).tolist()
    [0, 1, 0, 1, 1]
    """
    groups = max(len(order) // group_size, 1)
    of_record = np.empty(len(order), dtype=np.int64)
    of_record[order] = np.minimum(np.arange(len(order)) // group_size, groups - 1)
    return of_record


def order_from_corner(
    values: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Records by their distance from the corner of all lower bounds; equal ones by their values, column by column.

    The order of two records depends on these two alone, so that replacing one record moves no other past another.
    """
    scaled = (values - low) / (high - low)
    return np.lexsort([*values.T[::-1], (scaled**2).sum(axis=1)])


def group_means(values: NDArray[np.float64], of_record: NDArray[np.int64]) -> NDArray[np.float64]:
    """The mean of each group, one row a group."""
    sizes = np.bincount(of_record)
    sums = np.column_stack([np.bincount(of_record, weights=column) for column in values.T])
    return np.asarray(sums / sizes[:, None], dtype=np.float64)
