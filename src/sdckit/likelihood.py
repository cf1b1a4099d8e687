"""Law: the distribution of a released value given the original one, where the published method determines it."""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


class Law(Protocol):
    """How likely each released row is for each known record."""

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        """One row per known record, one column per released row; a constant per row may be left out."""
        ...


@runtime_checkable
class TableLaw(Protocol):
    """A law whose log-likelihood is a sum of entries of small tables, which is quicker to compute than pair by pair."""

    def tables(
        self, known: NDArray[np.float64], released: NDArray[np.float64]
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]]:
        """Tables of logarithms, each with the index of every known record (its row) and released row (its column)."""
        ...


def sum_of_tables(law: TableLaw, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
    """The log-likelihood of a law by tables, for every pair of a known record and a released row."""
    total = np.zeros((len(known), len(released)))
    for table, of_record, of_row in law.tables(known, released):
        total += table[of_record][:, of_row]
    return total
