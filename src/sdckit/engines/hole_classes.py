"""Classes with a missing key, in memory, and the classes that agree with them, which pass by in batches.

A class with every key agrees with no other such class, and with at most one of those that lack the same keys.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.engines.memory_limit import PROCESS
from sdckit.errors import NotMeasuredError
from sdckit.kernels.equivalence_classes import class_of, sums_over_matching_classes
from sdckit.memory import gigabytes

MISSING = -1
BYTES_PER_KEY, BYTES_PER_CLASS = 60, 250  # of a class while it is compared with the others: codes, orders, tables
SHARE = 0.5  # of the memory beside that of the process; the engine has the rest


class ClassBatch(NamedTuple):
    """Some classes: codes from 0 (−1: missing), the number of records and their weight."""

    rows: NDArray[np.int64]
    sizes: NDArray[np.int64]
    weights: NDArray[np.float64] | None


class AgreeingClasses(NamedTuple):
    """Some classes: their records, how many records agree with these, and the weight of all that agree.

    Classes of the same frequency and weight may be one row, which has the records of all of them.
    """

    sizes: NDArray[np.int64]
    frequency: NDArray[np.int64]
    weights: NDArray[np.float64] | None

    @property
    def population(self) -> NDArray[np.float64]:
        """How many persons of the population agree with those of each class, by the weights."""
        assert self.weights is not None
        return np.maximum(self.weights, self.frequency)


class Pattern(NamedTuple):
    """The classes that have the same keys, and these keys."""

    members: NDArray[np.int64]
    keys: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class HoleClasses:
    """All classes of a file with a missing key."""

    rows: NDArray[np.int64]
    sizes: NDArray[np.int64]
    weights: NDArray[np.float64] | None

    @classmethod
    def of(cls, batches: Iterable[ClassBatch]) -> "HoleClasses":
        """The classes of some batches."""
        rows, sizes, weights = zip(*batches, strict=True)
        together = None if weights[0] is None else np.concatenate(weights)
        return cls(np.concatenate(rows), np.concatenate(sizes), together)

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """The classes by the keys that they have."""
        observed = self.rows != MISSING
        classes = class_of(observed.astype(np.int8))
        members = np.split(np.argsort(classes.of, kind="stable"), np.cumsum(classes.sizes)[:-1])
        return tuple(Pattern(each, np.flatnonzero(observed[each[0]])) for each in members)

    def agreeing(self, complete: Iterable[ClassBatch]) -> Iterator[AgreeingClasses]:
        """The classes with every key, batch by batch, then those with a missing one, each with all that agree."""
        frequency = sums_over_matching_classes(self.rows, self.sizes)
        weights = None if self.weights is None else sums_over_matching_classes(self.rows, self.weights).copy()
        frequency = frequency.copy()
        for batch in complete:
            own, own_weights = batch.sizes.copy(), None if batch.weights is None else batch.weights.copy()
            for pattern in self.patterns:
                positions, matches = self._matches(batch.rows, pattern)
                own[positions] += self.sizes[matches]
                np.add.at(frequency, matches, batch.sizes[positions])
                if own_weights is not None and weights is not None:
                    assert self.weights is not None and batch.weights is not None
                    own_weights[positions] += self.weights[matches]
                    np.add.at(weights, matches, batch.weights[positions])
            yield AgreeingClasses(batch.sizes, own, own_weights)
        yield AgreeingClasses(self.sizes, frequency, weights)

    def _matches(self, rows: NDArray[np.int64], pattern: Pattern) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which rows agree with a class of a pattern, and with which one."""
        members, keys = pattern
        # Classes are numbered as they appear, and the members of a pattern are distinct: each has its own number.
        of = class_of(np.concatenate([self.rows[members[:, None], keys], rows[:, keys]])).of[len(members) :]
        positions = np.flatnonzero(of < len(members))
        return positions, members[of[positions]]


def refuse_without_memory(classes: int, keys: int, memory: int) -> None:
    """Refuse so many classes with a missing key where they do not fit into the memory allowed."""
    needed = classes * (BYTES_PER_CLASS + BYTES_PER_KEY * keys)
    if needed <= SHARE * (memory - PROCESS):
        return
    least = PROCESS + needed / SHARE
    raise NotMeasuredError(
        f"the {classes:,} combinations of keys with a missing one are compared with all others in memory: about "
        f"{gigabytes(int(least))} are needed in all, and {gigabytes(memory)} are allowed; allow more (--memory), let "
        "the intruder know fewer keys (--attributes), or name measures that do not compare keys (--measure il1s)"
    )
