"""MDAV by scans of all the records that remain, for files so small that compiling a kernel takes longer."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

SCANS = 4  # of the records that remain, for one group
Point = TypeVar("Point")


def mdav_by_scans(
    records: int,
    group_size: int,
    average: Callable[[NDArray[np.int64]], Point],
    where: Callable[[int], Point],
    distances: Callable[[NDArray[np.int64], Point, float], NDArray[np.float64]],
) -> NDArray[np.int64]:
    """The groups that the compiled kernels form, to the last tie.

    `average` gives the average of some records, `where` one record, and `distances` those of some records from either,
    with the number it is given for a record that shares no observed attribute.
    """
    labels = np.zeros(records, dtype=np.int64)
    remaining, group = np.arange(records), 0

    def leave(seed: int) -> None:
        """Group a record of those that remain with the nearest others."""
        nonlocal remaining, group
        distance = distances(remaining, where(int(remaining[seed])), np.inf)
        distance[seed] = -np.inf
        near = np.flatnonzero(distance <= np.partition(distance, group_size - 1)[group_size - 1])
        together = near[np.argsort(distance[near], kind="stable")[:group_size]]
        labels[remaining[together]] = group
        remaining, group = np.delete(remaining, together), group + 1

    while len(remaining) >= 2 * group_size:
        seed = int(np.argmax(distances(remaining, average(remaining), -np.inf)))
        extreme = where(int(remaining[seed]))
        leave(seed)
        if len(remaining) >= 2 * group_size:
            leave(int(np.argmax(distances(remaining, extreme, -np.inf))))
    labels[remaining] = group
    return labels


def operations(records: int, attributes: int, group_size: int) -> int:
    """How long it takes, in differences squared and added up."""
    return SCANS * records * records // group_size * attributes
