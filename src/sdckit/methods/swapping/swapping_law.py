"""The law of a swapping method: learned by swapping ranks many times, as anybody who knows the method can."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.likelihood import sum_of_tables

RANKS = 1000  # ranks that are swapped in a trial: the laws depend on shares of the file, not on its size
TRIALS = 200
CELLS = 100  # of ranks that probabilities are estimated for


@dataclass(frozen=True, eq=False)
class SwappingLaw:
    """The probability that a value of one cell of ranks is released for one of another, attribute by attribute."""

    log_probability: NDArray[np.float64]
    ordered: tuple[NDArray[np.float64], ...]

    @classmethod
    def learned(
        cls, released: NDArray[np.float64], swap: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    ) -> "SwappingLaw":
        """Count where ranks go in trials of the published method."""
        n = int(min(len(released), RANKS))
        cells = int(min(n, CELLS))
        cell = np.arange(n) * cells // n
        counts = np.full((cells, cells), 0.5)
        for _ in range(TRIALS):
            got = swap(np.arange(n, dtype=float)).astype(np.int64)
            np.add.at(counts, (cell, cell[got]), 1.0)
        counts /= np.bincount(cell)[None, :]
        columns = tuple(np.sort(column[~np.isnan(column)]) for column in released.T)
        return cls(np.log(counts / counts.sum(axis=1, keepdims=True)), columns)

    def tables(
        self, known: NDArray[np.float64], released: NDArray[np.float64]
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]]:
        for index, ordered in enumerate(self.ordered):
            yield self.log_probability, self.cells(known[:, index], ordered), self.cells(released[:, index], ordered)

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        return sum_of_tables(self, known, released)

    def cells(self, values: NDArray[np.float64], ordered: NDArray[np.float64]) -> NDArray[np.int64]:
        """The cell of the middle rank of each value; a missing one counts as the middle of the file."""
        first = np.searchsorted(ordered, values, side="left")
        last = np.searchsorted(ordered, values, side="right")
        middle = np.where(np.isnan(values), len(ordered) / 2, (first + np.maximum(last - 1, first)) / 2)
        count = len(self.log_probability)
        cell: NDArray[np.int64] = np.clip(middle * count // max(len(ordered), 1), 0, count - 1).astype(np.int64)
        return cell
