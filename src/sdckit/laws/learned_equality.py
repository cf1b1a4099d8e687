"""Learned equality: how often a number is released exactly as it was, beyond what a table of ranks shows.

A table of cells of ranks does not distinguish a value from its neighbours. Where a method leaves some values unchanged,
a row with exactly the record's value is far likelier to be its own than one with a value beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sdckit.laws.blocks import UNKNOWN, Equality, Floats, Indices, Table
from sdckit.laws.learned_tables import LearnedNumbers, rank_cells
from sdckit.laws.values import equal_codes

LEAST = 0.02  # share of unchanged values beyond the expected ones, from which on equality counts


@dataclass(frozen=True, eq=False)
class LearnedEquality:
    """The share of values that are unchanged, beyond what the table of the same number expects."""

    of: LearnedNumbers
    share: float

    @property
    def name(self) -> str:
        return self.of.name

    def blocks(self, values: Floats, released: Floats, rows: Indices | slice) -> "Unchanged":
        """The law for records with these values and some rows of a released column."""
        of_record, codes = equal_codes(values, released)
        chance = np.exp(_own(self.of, released)) * _frequency(codes)
        gain = np.where(codes == UNKNOWN, 0.0, np.log1p(self.share / np.maximum(chance, 1e-300)))[rows]
        of_row = np.where(codes == UNKNOWN, int(max(codes.max(initial=0), of_record.max(initial=0))) + 1, codes)
        gains, of_gain = np.unique(gain, return_inverse=True)
        lines = np.where(of_record == UNKNOWN, UNKNOWN, 0)
        return Unchanged(
            Equality((self.name,), of_record, of_row[rows], -gain, lift=True),
            Table((self.name,), gains[None, :], lines, of_gain.ravel().astype(np.int64), lift=True),
        )


class Unchanged(NamedTuple):
    """What a row gains by having the record's value: an equality without the gain, and the gain of every row."""

    equality: Equality
    gain: Table

    def of_pairs(self, records: Indices, rows: Indices) -> Floats:
        return self.equality.of_pairs(records, rows) + self.gain.of_pairs(records, rows)


def learned_equality(
    law: LearnedNumbers, before: Sequence[Floats], after: Sequence[tuple[Floats, Floats]]
) -> LearnedEquality | None:
    """The equality that replays show; `after` has what became of each value, and the masked column.

    Unchanged values are those beyond what the table expects, and beyond those that moved to the next value: noise that
    is rounded leaves some values equal, and moves as many by one.
    """
    found = expected = beside = count = 0.0
    for values, (ends, column) in zip(before, after, strict=True):
        seen = ~np.isnan(values) & ~np.isnan(ends)
        start, end = equal_codes(values[seen], ends[seen])
        own, row = equal_codes(values[seen], column)
        chance = np.zeros(int(max(own.max(initial=0), row.max(initial=0))) + 1)
        kept = row != UNKNOWN
        np.maximum.at(chance, row[kept], (np.exp(_own(law, column)) * _frequency(row))[kept])
        found += float((start == end).sum())
        beside += float((np.abs(start - end) == 1).sum()) / 2
        expected += float(np.minimum(chance[own], 1.0).sum())
        count += len(start)
    share = (found - max(expected, beside)) / max(count, 1.0)
    return LearnedEquality(law, share) if share > LEAST else None


def _own(law: LearnedNumbers, column: Floats) -> Floats:
    """The log of how much likelier a row is for a record of its own cell than for anybody."""
    cell = rank_cells(column, column, len(law.entries))
    lifts: Floats = law.entries[np.maximum(cell, 0), np.maximum(cell, 0)]
    return lifts


def _frequency(codes: Indices) -> Floats:
    """The share of the rows that have each row's value."""
    count = np.bincount(codes[codes != UNKNOWN], minlength=int(codes.max(initial=0)) + 1)
    share: Floats = count[np.maximum(codes, 0)] / max(len(codes), 1)
    return share
