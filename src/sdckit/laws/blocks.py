"""Blocks: the parts of a release law, each on attributes that are independent of the others given the record.

A block gives the log-likelihood of each class of equal rows for each known record. A block that says nothing of a
record, because the intruder does not know its value, adds 0 for every row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.log_likelihoods import Evidence, Side
from sdckit.kernels.pair_log_likelihoods import FEW, by_compiled_code, of_deviations, of_equality, of_table

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
UNKNOWN = -1  # the index of a record whose value is not known


@dataclass(frozen=True, eq=False)
class Equality:
    """Record and row have the same code; else the log-likelihood is `unequal`, by row (−inf: impossible).

    `lift` as of a table.
    """

    names: tuple[str, ...]
    of_record: Indices
    of_row: Indices
    unequal: Floats
    lift: bool = False

    @property
    def promised(self) -> bool:
        """Whether a row with another code is impossible."""
        return bool(np.isneginf(self.unequal).all())

    def taken(self, records: Indices) -> "Equality":
        """The block for some of the records."""
        return replace(self, of_record=self.of_record[records])

    def of_pairs(self, records: Indices, rows: Indices) -> Floats:
        if by_compiled_code(of_equality, len(records)):
            return of_equality(records, rows, self.of_record, self.of_row, self.unequal)
        equal = (self.of_record[records] == self.of_row[rows]) | (self.of_record[records] == UNKNOWN)
        return np.where(equal, 0.0, self.unequal[rows])


@dataclass(frozen=True, eq=False)
class Table:
    """A table of log-likelihoods: an index of its lines for each record and of its columns for each row.

    `lift` says that an entry compares a row with what anybody has, and not with other rows alone.
    """

    names: tuple[str, ...]
    entries: Floats
    of_record: Indices
    of_row: Indices
    lift: bool = False

    def taken(self, records: Indices) -> "Table":
        """The block for some of the records."""
        return replace(self, of_record=self.of_record[records])

    def of_pairs(self, records: Indices, rows: Indices) -> Floats:
        if not len(self.entries):  # no record has a value, as where a masking removed them all
            return np.zeros(records.shape)
        if by_compiled_code(of_table, len(records)):
            return of_table(records, rows, self.of_record, self.of_row, self.entries)
        lines = self.of_record[records]
        return np.where(lines == UNKNOWN, 0.0, self.entries[lines, self.of_row[rows]])


@dataclass(frozen=True, eq=False)
class Margin(Table):
    """The inverse of how likely a row is for anybody, for the records of which other blocks of its names know more."""


@dataclass(frozen=True, eq=False)
class Deviations:
    """Normal deviations of unit variance about a point of each record, one column for each dimension.

    A row that misses a value which the record has adds `hole`. `constant` is the same for all rows and left out of
    their log-likelihoods: by it laws with other parameters are compared.
    """

    names: tuple[str, ...]
    of_record: Floats
    of_row: Floats
    hole: float = -np.inf
    constant: float = 0.0

    def taken(self, records: Indices) -> "Deviations":
        """The block for some of the records."""
        return replace(self, of_record=self.of_record[records])

    def of_pairs(self, records: Indices, rows: Indices) -> Floats:
        if by_compiled_code(of_deviations, len(records)) and self.of_row.shape[1] < FEW:
            return of_deviations(records, rows, self.of_record, self.of_row, self.hole)
        a, b = self.of_record[records], self.of_row[rows]
        missing = np.isnan(b) & ~np.isnan(a)
        terms = np.where(missing, self.hole, -0.5 * np.nan_to_num(a - b) ** 2)
        return np.asarray(terms.sum(axis=1))


@dataclass(frozen=True, eq=False)
class Intervals:
    """A row whose value lies outside the record's interval is impossible."""

    names: tuple[str, ...]
    lower: Floats
    upper: Floats
    of_row: Floats

    def taken(self, records: Indices) -> "Intervals":
        """The block for some of the records."""
        return replace(self, lower=self.lower[records], upper=self.upper[records])

    def of_pairs(self, records: Indices, rows: Indices) -> Floats:
        outside = (self.of_row[rows] < self.lower[records]) | (self.of_row[rows] > self.upper[records])
        return np.where(outside.any(axis=1), -np.inf, 0.0)


Block: TypeAlias = Equality | Table | Deviations | Intervals


def evidence_of(blocks: Sequence[Block], records: int, rows: int) -> Evidence:
    """The blocks as the kernel takes them."""
    tables = [each for each in blocks if isinstance(each, Table)]
    equalities = [each for each in blocks if isinstance(each, Equality)]
    deviations = [each for each in blocks if isinstance(each, Deviations)]
    intervals = [each for each in blocks if isinstance(each, Intervals)]
    sizes = [each.entries.size for each in tables]

    def codes(columns: list[Indices], length: int) -> NDArray[np.int32]:
        return np.ascontiguousarray(np.array(columns, dtype=np.int32).reshape(len(columns), length))

    def in_lines(columns: list[Floats], length: int) -> Floats:
        return np.ascontiguousarray(np.concatenate([np.empty((0, length)), *(each.T for each in columns)]))

    values = in_lines([each.of_row for each in intervals], rows)
    points = in_lines([each.of_record for each in deviations], records)
    return Evidence(
        np.concatenate([np.empty(0), *(each.entries.ravel() for each in tables)]),
        np.concatenate([[0], np.cumsum(sizes)])[: len(sizes)].astype(np.int64),
        np.array([each.entries.shape[1] for each in tables], dtype=np.int64),
        Side(
            codes([each.of_record for each in tables], records),
            codes([each.of_record for each in equalities], records),
            np.zeros((len(equalities), records)),
            points,
            np.zeros(len(points)),
            in_lines([each.lower for each in intervals], records),
            in_lines([each.upper for each in intervals], records),
        ),
        Side(
            codes([each.of_row for each in tables], rows),
            codes([each.of_row for each in equalities], rows),
            np.array([each.unequal for each in equalities], dtype=np.float64).reshape(len(equalities), rows),
            in_lines([each.of_row for each in deviations], rows),
            np.concatenate([np.empty(0), *(np.full(each.of_row.shape[1], each.hole) for each in deviations)]),
            values,
            values,
        ),
    )
