"""The rows of a generalisation lattice: distinct combinations of keys with what has to be counted in each class."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.class_models import Classes
from sdckit.kernels.compiled import njit
from sdckit.kernels.equivalence_classes import EquivalenceClasses, class_of
from sdckit.kernels.hashing import SEED, mixed, slots_for

PACKED = 1 << 62  # possible combinations up to which each fits one integer, which is faster


@dataclass(frozen=True, eq=False)
class Levels:
    """A key's levels: on level ℓ category c becomes `nodes[ℓ, c]` with the information loss `losses[ℓ, c]`, 0 to 1.

    The last category is the missing value.
    """

    nodes: NDArray[np.int64]
    losses: NDArray[np.float64]


class RowTable(NamedTuple):
    """Distinct rows of codes, the records with each, its population, and its counts of confidential values."""

    rows: NDArray[np.int64]
    frequencies: NDArray[np.float64]
    population: NDArray[np.float64]
    counts: Sequence[NDArray[np.float64]]

    def some(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> "RowTable":
        """Some of the rows."""
        return RowTable(
            np.ascontiguousarray(self.rows[chosen]),
            self.frequencies[chosen],
            self.population[chosen],
            [each[chosen] for each in self.counts],
        )

    def classes(self, of: NDArray[np.int64], classes: int) -> Classes:
        """What the classes contain, for the class of each row; rows of class −1 are left out."""
        within = of if (of >= 0).all() else np.where(of < 0, classes, of)
        return Classes(
            totals(within, self.frequencies, classes + 1)[:classes],
            totals(within, self.population, classes + 1)[:classes],
            [_summed(within, each, classes + 1)[:classes] for each in self.counts],
        )


def totals(of: NDArray[np.int64], amounts: NDArray[np.generic], classes: int) -> NDArray[np.float64]:
    """The sum of the amounts in each class."""
    return np.asarray(np.bincount(of, amounts, classes), dtype=np.float64)


def row_table(
    codes: NDArray[np.int64],
    released: NDArray[np.bool_],
    weights: NDArray[np.float64],
    confidential: Sequence[tuple[NDArray[np.int64], int]],
) -> tuple[RowTable, EquivalenceClasses]:
    """The distinct rows, and the row of each record.

    `released` marks the records of the research subset, `weights` has the persons whom each record stands for, and
    `confidential` the codes (−1 missing) and the number of values of each column; only released records count there.
    """
    classes = class_of(codes)
    rows = len(classes.sizes)
    counts = []
    for values, categories in confidential:
        seen = released & (values >= 0)
        width = max(categories, 1)
        cells = np.bincount(classes.of[seen] * width + values[seen], minlength=rows * width)
        counts.append(cells.reshape(rows, width).astype(np.float64))
    table = RowTable(
        np.ascontiguousarray(codes[classes.first()]),
        totals(classes.of, released, rows),
        totals(classes.of, weights, rows),
        counts,
    )
    return table, classes


@dataclass(frozen=True, eq=False)
class Lattice:
    """All combinations of one level per key."""

    keys: Sequence[Levels]

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The number of levels of each key."""
        return tuple(len(key.nodes) for key in self.keys)

    def cells(self, rows: NDArray[np.int64], node: Sequence[int]) -> EquivalenceClasses:
        """The class of each row on this node."""
        if not self.keys:
            return EquivalenceClasses(np.zeros(len(rows), np.int64), np.full(min(len(rows), 1), len(rows)))
        if self._packing is None:
            levels = [
                key.nodes[level][rows[:, index]] for index, (key, level) in enumerate(zip(self.keys, node, strict=True))
            ]
            return class_of(np.column_stack(levels))
        offsets, table = self._packing
        start = np.array([offsets[index, level] for index, level in enumerate(node)], dtype=np.int64)
        return EquivalenceClasses(*_cells(rows, start, table))

    @property
    def packed(self) -> bool:
        """Whether the class of a row is one number, so that it is found in one pass."""
        return bool(self.keys) and self._packing is not None

    @cached_property
    def _packing(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """What each category adds to the number of its class on each level; None where the numbers are too large."""
        spans = [int(key.nodes.max(initial=0)) + 1 for key in self.keys]
        if prod(spans) > PACKED:
            return None
        offsets = np.zeros((len(self.keys), max(self.shape)), dtype=np.int64)
        parts, length = [], 0
        for index, key in enumerate(self.keys):
            for level, nodes in enumerate(key.nodes):
                offsets[index, level] = length
                parts.append(nodes * prod(spans[:index]))
                length += len(nodes)
        return offsets, np.concatenate(parts)


@njit(cache=True, nogil=True)
def _cells(
    rows: NDArray[np.int64], start: NDArray[np.int64], table: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Classes in order of first appearance, by open addressing."""
    n, d = rows.shape
    slots = slots_for(n)
    mask = np.uint64(slots - 1)
    label = np.full(slots, -1, np.int32)
    number = np.empty(slots, np.int64)
    of = np.empty(n, np.int64)
    sizes = np.zeros(n, np.int64)
    classes = 0
    for row in range(n):
        packed = np.int64(0)
        for column in range(d):
            packed += table[start[column] + rows[row, column]]
        slot = mixed(SEED, packed) & mask
        while label[slot] >= 0 and number[slot] != packed:
            slot = (slot + np.uint64(1)) & mask
        if label[slot] < 0:
            label[slot] = classes
            number[slot] = packed
            classes += 1
        of[row] = label[slot]
        sizes[of[row]] += 1
    return of, sizes[:classes].copy()


@njit(cache=True, nogil=True)
def _summed(of: NDArray[np.int64], counts: NDArray[np.float64], classes: int) -> NDArray[np.float64]:
    """The sums of the rows of each class."""
    total = np.zeros((classes, counts.shape[1]))
    for row in range(len(of)):
        for column in range(counts.shape[1]):
            total[of[row], column] += counts[row, column]
    return total
