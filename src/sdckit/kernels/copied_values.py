"""Copied values: the rows of a synthetic file that carry several values of one and the same original record."""

import numpy as np
from numpy.typing import NDArray


def rows_with_copies(
    original: NDArray[np.float64], synthetic: NDArray[np.float64], copies: int = 2
) -> NDArray[np.bool_]:
    """Which rows have at least this many values that only one record of the original has, the same record each time.

    >>> rows_with_copies(np.array([[1.0, 5.0], [2.0, 6.0]]), np.array([[1.0, 5.0], [1.0, 6.0], [3.0, 3.0]]))
    array([ True, False, False])
    """
    owners = np.column_stack([_owner(a, b) for a, b in zip(original.T, synthetic.T, strict=True)])
    if owners.shape[1] < copies:
        return np.zeros(len(synthetic), dtype=bool)
    owners.sort(axis=1)
    same = owners[:, copies - 1 :] == owners[:, : owners.shape[1] - copies + 1]
    return np.asarray((same & (owners[:, copies - 1 :] >= 0)).any(axis=1))


def _owner(original: NDArray[np.float64], synthetic: NDArray[np.float64]) -> NDArray[np.int64]:
    """The only record that has the value of each row, −1 where there is none or more than one."""
    values, first, times = np.unique(original, return_index=True, return_counts=True)
    position = np.minimum(np.searchsorted(values, synthetic), len(values) - 1)
    unique = (values[position] == synthetic) & (times[position] == 1)
    return np.where(unique, first[position], -1)
