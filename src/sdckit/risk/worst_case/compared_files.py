"""Both files as columns of numbers and codes, with the difference of every pair of values defined."""

from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.kernels.mixed_tree import category_distances
from sdckit.linear_distances import Column
from sdckit.microdata import Kind
from sdckit.risk.linkage.mixed_space import MixedSpace, mixed_space

Array = NDArray[np.float64]

ONE_IS_MISSING = np.array([[0.0, 1.0], [1.0, 0.0]])


@dataclass(frozen=True, eq=False)
class ComparedFiles:
    """The known and the released records, how each column is compared, and the attribute that it belongs to."""

    known: Array
    released: Array
    columns: tuple[Column, ...]
    attributes: tuple[str, ...]

    def reversed(self) -> "ComparedFiles":
        """The same with known and released records exchanged."""
        columns = [
            column if column.table is None else Column(column.table.T, missing=column.missing)
            for column in self.columns
        ]
        return ComparedFiles(self.released, self.known, tuple(columns), self.attributes)

    def with_missing_apart(self) -> "ComparedFiles":
        """A missing value adds no difference; whether exactly one of the two is missing is a column of its own."""
        missing = [bool(np.isnan(column).any()) for column in np.vstack([self.known, self.released]).T]
        if not any(missing):
            return self
        columns = [
            Column(column.table, column.absolute, 0.0) if lacks else column
            for column, lacks in zip(self.columns, missing, strict=True)
        ]
        return ComparedFiles(
            np.hstack([self.known, np.isnan(self.known[:, missing])]),
            np.hstack([self.released, np.isnan(self.released[:, missing])]),
            (*columns, *[Column(ONE_IS_MISSING)] * sum(missing)),
            (*self.attributes, *compress(self.attributes, missing)),
        )


def compared_files(view: AttackerView, *, absolute: bool) -> ComparedFiles:
    """Numbers by their squared or absolute difference, categories by their distance in the tree, 0 or 1 without one.

    Squared differences are of standardised numbers, as in the literature; absolute ones are shares of the range, as in
    mixed linkage, whose distance is then the one with equal weights.
    """
    numbers = view.only(view.names(Kind.ORDERED))
    if numbers.attributes == view.attributes and not absolute:
        known, released = numbers.standardised()
        return ComparedFiles(known, released, (Column(),) * len(numbers.attributes), numbers.attributes)
    space = mixed_space(view)
    known, released = space.known.numbers, space.released.numbers
    if numbers.attributes and not absolute:
        known, released = numbers.standardised()
    columns = [Column(absolute=absolute)] * len(space.numbers)
    codes: list[tuple[Array, Array]] = []
    for j in range(len(space.categories)):
        codes.append(_codes(space, j))
        columns.append(Column(_table(space, j)))
    return ComparedFiles(
        np.column_stack([known, *(mine for mine, _ in codes)]),
        np.column_stack([released, *(theirs for _, theirs in codes)]),
        tuple(columns),
        (*space.numbers, *space.categories),
    )


def _codes(space: MixedSpace, attribute: int) -> tuple[Array, Array]:
    """The position of each record's category among those of its file, NaN where it is missing."""

    def positions(nodes: NDArray[np.int32]) -> Array:
        present = np.unique(nodes[nodes >= 0])
        return np.where(nodes >= 0, np.searchsorted(present, nodes).astype(float), np.nan)

    return positions(space.known.nodes[:, attribute]), positions(space.released.nodes[:, attribute])


def _table(space: MixedSpace, attribute: int) -> Array:
    """The root of the distance of each known and each released category, so that its square is the distance."""
    known, released = (
        np.unique(nodes[nodes >= 0]) for nodes in (space.known.nodes[:, attribute], space.released.nodes[:, attribute])
    )
    distances = [category_distances(space.trees, one, released, attribute) for one in known]
    return np.asarray(np.sqrt(np.array(distances, dtype=float).reshape(len(known), len(released))))
