"""Row sets: for each record, the released rows that may be its own, in compressed sparse rows.

What rules rows out decides how the sets are made: `RowSets.of_candidates` for the intervals, categories and groups that
a recipe leaves possible, `RowSets.of_adjacency` for links of any other sort, such as those of a graph. Nothing is ever
stored for pairs of a record and a row that are ruled out.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.kernels.intersections import intersection_rows
from sdckit.kernels.row_constraints import Sets
from sdckit.microdata import Microdata

if TYPE_CHECKING:
    from scipy.sparse import csr_array, csr_matrix


@dataclass(frozen=True, eq=False)
class RowSets:
    """Record i may be the rows `rows[starts[i] : starts[i + 1]]`, in ascending order, of `row_count` released ones.

    Example
    -------
    >>> sets = RowSets(np.array([0, 2, 2]), np.array([0, 3]), row_count=4)  # record 0 is row 0 or 3, record 1 no row
    >>> sets.sizes.tolist(), sets.contains(np.array([3, 1])).tolist()
    ([2, 0], [True, False])
    """

    starts: NDArray[np.int64]
    rows: NDArray[np.int64]
    row_count: int

    @classmethod
    def of_candidates(cls, possible: Candidates, released: Microdata) -> "RowSets":
        """The rows of a released file that the candidates admit."""
        constraints = Constraints.of(possible, released)
        starts, rows = intersection_rows(
            constraints.lower, constraints.upper, constraints.values, constraints.sets, constraints.missing_fits
        )
        return cls(starts, rows, len(released))

    @classmethod
    def of_adjacency(cls, matrix: "csr_array | csr_matrix") -> "RowSets":
        """The rows that are linked to each record: the columns of the stored entries that are not zero."""
        sparse = matrix.tocsr(copy=True)
        sparse.sum_duplicates()
        sparse.eliminate_zeros()
        sparse.sort_indices()
        return cls(sparse.indptr.astype(np.int64), sparse.indices.astype(np.int64), int(sparse.shape[1]))

    @classmethod
    def everything(cls, records: int, row_count: int) -> "RowSets":
        """Sets that rule nothing out."""
        return cls(np.arange(records + 1) * row_count, np.tile(np.arange(row_count), records), row_count)

    def __len__(self) -> int:
        """The number of records."""
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows each record may be."""
        return np.diff(self.starts)

    def of(self, record: int) -> NDArray[np.int64]:
        """The rows that a record may be."""
        return self.rows[self.starts[record] : self.starts[record + 1]]

    def contains(self, truth: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the row beside each record is in its set; −1 is in none."""
        pairs = self._pairs()
        wanted = np.arange(len(self)) * self.row_count + truth
        at = np.searchsorted(pairs, wanted)
        found = np.zeros(len(self), dtype=bool)
        inside = (at < len(pairs)) & (truth >= 0)
        found[inside] = pairs[at[inside]] == wanted[inside]
        return found

    def intersect(self, other: "RowSets") -> "RowSets":
        """The rows that both allow each record."""
        if (len(self), self.row_count) != (len(other), other.row_count):
            raise ValueError("the two sets are not of the same records and rows")
        both = np.intersect1d(self._pairs(), other._pairs(), assume_unique=True)
        records, rows = np.divmod(both, max(self.row_count, 1))
        return RowSets(np.searchsorted(records, np.arange(len(self) + 1)), rows, self.row_count)

    def _pairs(self) -> NDArray[np.int64]:
        """One number for each pair of a record and a row of its set, ascending."""
        pairs: NDArray[np.int64] = np.repeat(np.arange(len(self)), self.sizes) * self.row_count + self.rows
        return pairs


@dataclass(frozen=True, eq=False)
class Constraints:
    """Candidates in a released file as arrays: a box of each record over `values`, and sets of classes of rows.

    `missing_fits` says of which attributes a missing value is possible for every record.
    """

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    values: NDArray[np.float64]
    missing_fits: NDArray[np.bool_]
    sets: list[Sets]

    def of_records(
        self, records: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], list[Sets], NDArray[np.bool_]]:
        """The constraints on some of the records, as the kernels take them."""
        sets = [Sets(each.of_row, *_taken(each, records)) for each in self.sets]
        return self.lower[records], self.upper[records], self.values, sets, self.missing_fits

    def dropped(self) -> "Constraints":
        """No constraint on any of the records."""
        nothing = np.empty((len(self.lower), 0))
        return Constraints(nothing, nothing, np.empty((len(self.values), 0)), np.empty(0, dtype=bool), [])

    @classmethod
    def of(cls, possible: Candidates, released: Microdata) -> "Constraints":
        """The restrictions on attributes that the released file has."""
        boxed = [name for name in possible.lower if name in released]
        sets = [Sets(groups.of_row, groups.starts, groups.listed) for groups in possible.groups]
        sets += [_categories_as_sets(possible, name, released) for name in possible.allowed if name in released]
        return cls(
            np.column_stack([possible.lower[name] for name in boxed] or [np.empty((possible.records, 0))]),
            np.column_stack([possible.upper[name] for name in boxed] or [np.empty((possible.records, 0))]),
            released.matrix(boxed),
            np.array([name in possible.may_be_missing for name in boxed], dtype=bool),
            sets,
        )


def _taken(sets: Sets, records: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The lists of some records out of those of all: where each begins, and what it contains."""
    sizes = np.diff(sets.starts)[records]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
    return starts, sets.listed[np.repeat(sets.starts[records], sizes) + within]


def _categories_as_sets(possible: Candidates, name: str, released: Microdata) -> Sets:
    """The released categories that each record may have; the class after the last one is 'missing'."""
    size = len(released.attribute(name).categories or ())
    table = np.zeros((possible.records, size + 1), dtype=bool)
    allowed = possible.allowed[name]
    table[:, : allowed.shape[1]] = allowed
    table[:, size] = allowed.all(axis=1) | (name in possible.may_be_missing)
    codes = released.columns[name].astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(table.sum(axis=1))])
    return Sets(np.where(codes < 0, size, codes), starts, np.nonzero(table)[1])
