"""Displacement in rank: how many ranks lie between a value and another, with tied values in the most favourable order.

Equal values share a run of ranks, and any order within the run is as good as another. The displacement is the smallest
one over all these orders: the gap between two runs, 0 where they overlap.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.ranks import rank_order

Ranks = NDArray[np.int64]


def rank_runs(column: NDArray[np.float64]) -> tuple[Ranks, Ranks]:
    """The first and the last rank, from 0, that each value of a column can have.

    >>> rank_runs(np.array([5.0, 3.0, 5.0]))
    (array([1, 0, 1]), array([2, 0, 2]))
    """
    order = rank_order(column)
    ordered = column[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(column)])
    sizes = np.diff(np.append(starts, len(column)))
    first, last = np.empty(len(column), dtype=np.int64), np.empty(len(column), dtype=np.int64)
    first[order], last[order] = np.repeat(starts, sizes), np.repeat(starts + sizes - 1, sizes)
    return first, last


def run_of_nearest(column: NDArray[np.float64], value: float) -> tuple[int, int]:
    """The ranks, from 0, of the values of a column that are nearest to a value; its own where the column has it.

    Of two values at the same distance, one below and one above, the ranks of both count.

    >>> run_of_nearest(np.array([1.0, 4.0, 4.0, 9.0]), 5.0)
    (1, 2)
    """
    ordered = np.sort(column)
    distance = np.abs(ordered - value)
    nearest = np.flatnonzero(distance == distance.min())
    return int(nearest[0]), int(nearest[-1])


def gap_between_runs(first: Ranks, last: Ranks, other_first: Ranks | int, other_last: Ranks | int) -> Ranks:
    """The ranks from one run to the other, 0 where they overlap."""
    gap: Ranks = np.maximum(np.maximum(other_first - last, first - other_last), 0)
    return gap


def displacements(original: NDArray[np.float64], masked: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far the rank of each record moved from one column to the other, as a share of the records.

    Neither column has missing values, and both have the same number of records. Time grows as that of sorting.

    >>> displacements(np.array([1.0, 2.0, 3.0, 4.0]), np.array([20.0, 10.0, 40.0, 40.0]))
    array([0.25, 0.25, 0.  , 0.  ])
    """
    gap = gap_between_runs(*rank_runs(original), *rank_runs(masked))
    return gap / max(len(original), 1)
