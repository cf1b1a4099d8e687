"""Posteriors: from the log-likelihoods of rows for records to the likeliest rows and the entropy, in blocks."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.row_blocks import over_row_blocks

TIED = np.log1p(-1e-9)  # rows whose weight is as near as this to the largest tie with it
NEGLIGIBLE = -50.0  # a log-weight this far below the largest adds nothing to a sum of floats
BLOCK = 64  # records given to a core at a time: each is as long as the file


class Tables(NamedTuple):
    """Log-likelihoods as sums of table entries: for record i and row r, Σ_t table t [of_record[t, i], of_row[t, r]].

    `entries` are all tables one after the other; table t starts at `starts[t]` and has `widths[t]` columns.
    """

    entries: NDArray[np.float64]
    starts: NDArray[np.int64]
    widths: NDArray[np.int64]
    of_record: NDArray[np.int64]
    of_row: NDArray[np.int32]

    @classmethod
    def of(
        cls, parts: Sequence[tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]], records: int, rows: int
    ) -> "Tables":
        """Tables, each with the index of every record into its rows and of every row into its columns."""
        sizes = [table.size for table, _, _ in parts]
        return cls(
            np.concatenate([table.ravel() for table, _, _ in parts] or [np.empty(0)]),
            np.cumsum([0, *sizes])[:-1].astype(np.int64),
            np.array([table.shape[1] for table, _, _ in parts], dtype=np.int64),
            np.array([of_record for _, of_record, _ in parts], dtype=np.int64).reshape(len(parts), records),
            np.array([of_row for _, _, of_row in parts], dtype=np.int32).reshape(len(parts), rows),
        )


class Summary(NamedTuple):
    """For each record: the largest log-weight of a row, the log of their sum, how many rows tie, and the entropy."""

    largest: NDArray[np.float64]
    log_sum: NDArray[np.float64]
    ties: NDArray[np.int64]
    entropy: NDArray[np.float64]

    @classmethod
    def empty(cls, records: int) -> "Summary":
        """Arrays for this number of records, to be filled."""
        return cls(np.empty(records), np.empty(records), np.empty(records, np.int64), np.empty(records))

    def take(self, records: NDArray[np.int64]) -> "Summary":
        """The summary of these records."""
        return Summary(self.largest[records], self.log_sum[records], self.ties[records], self.entropy[records])


def add_tables(block: NDArray[np.float64], first: int, tables: Tables) -> None:
    """Add the table entries to the log-likelihoods of consecutive records, from the number `first` on, in place."""
    if len(tables.widths):
        over_row_blocks(len(block), lambda start, stop: _add(block, first, start, stop, *tables), BLOCK)


class Evidence:
    """The log of the sum of likelihoods over records, row by row, from one block of records after the other."""

    def __init__(self, rows: int) -> None:
        self.largest, self.sums = np.full(rows, -np.inf), np.zeros(rows)

    def add(self, block: NDArray[np.float64], multiplicity: NDArray[np.int64]) -> None:
        """Count the records of a block, each as often as it occurs."""
        rows = block.shape[1]
        over_row_blocks(rows, lambda start, stop: _sum(block, multiplicity, start, stop, self.largest, self.sums))

    def log_sum(self) -> NDArray[np.float64]:
        """The logs; −inf for a row that no record could be."""
        with np.errstate(divide="ignore"):
            total: NDArray[np.float64] = self.largest + np.log(self.sums)
        return total


def summarise(block: NDArray[np.float64], multiplicity: NDArray[np.int64]) -> Summary:
    """The summary of the records of a block, where each column represents one or several equal rows.

    A record for which no row is possible has all rows alike.
    """
    summary = Summary.empty(len(block))
    over_row_blocks(len(block), lambda start, stop: _summarise(block, multiplicity, start, stop, *summary), BLOCK)
    return summary


@njit(cache=True, nogil=True)
def _add(
    block: NDArray[np.float64],
    first: int,
    start: int,
    stop: int,
    entries: NDArray[np.float64],
    starts: NDArray[np.int64],
    widths: NDArray[np.int64],
    of_record: NDArray[np.int64],
    of_row: NDArray[np.int32],
) -> None:
    for record in range(start, stop):
        for table in range(len(widths)):
            begin = starts[table] + of_record[table, first + record] * widths[table]
            line = entries[begin : begin + widths[table]]
            columns = of_row[table]
            for row in range(block.shape[1]):
                block[record, row] += line[columns[row]]


@njit(cache=True, nogil=True)
def _sum(
    block: NDArray[np.float64],
    multiplicity: NDArray[np.int64],
    start: int,
    stop: int,
    largest: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    for record in range(len(block)):
        for row in range(start, stop):
            weight = block[record, row]
            if weight > largest[row]:
                sums[row] = sums[row] * np.exp(largest[row] - weight) + multiplicity[record]
                largest[row] = weight
            elif weight > largest[row] + NEGLIGIBLE:
                sums[row] += multiplicity[record] * np.exp(weight - largest[row])


@njit(cache=True, nogil=True)
def _summarise(
    block: NDArray[np.float64],
    multiplicity: NDArray[np.int64],
    start: int,
    stop: int,
    largest: NDArray[np.float64],
    log_sum: NDArray[np.float64],
    ties: NDArray[np.int64],
    entropy: NDArray[np.float64],
) -> None:
    rows = multiplicity.sum()
    for record in range(start, stop):
        top = -np.inf
        for weight in block[record]:
            top = max(top, weight)
        largest[record] = top
        if top == -np.inf:
            ties[record], log_sum[record], entropy[record] = rows, np.log(rows), np.log(rows)
            continue
        total, moment, tied = 0.0, 0.0, 0
        for row in range(block.shape[1]):
            below = block[record, row] - top
            if below > NEGLIGIBLE:
                weight = multiplicity[row] * np.exp(below)
                total += weight
                moment += weight * below
                if below >= TIED:
                    tied += multiplicity[row]
        ties[record], log_sum[record] = tied, top + np.log(total)
        entropy[record] = np.log(total) - moment / total
