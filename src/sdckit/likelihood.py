"""Law: the distribution of a released value given the original one, where the published method determines it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


class Law(Protocol):
    """How likely each released row is for each known record."""

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        """One row per known record, one column per released row; a constant per row may be left out."""
        ...


@runtime_checkable
class TableLaw(Law, Protocol):
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


@dataclass(frozen=True, eq=False)
class TransitionLaw:
    """The probability that one category becomes another, attribute by attribute; a missing one says nothing.

    `independent`  whether records change independently of each other, and not a fixed number of them
    """

    log_probability: tuple[NDArray[np.float64], ...]
    independent: bool = True

    def tables(
        self, known: NDArray[np.float64], released: NDArray[np.float64]
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]]:
        for before, after, table in zip(known.T, released.T, self.log_probability, strict=True):
            codes = [np.where(np.isnan(each), len(table), each).astype(np.int64) for each in (before, after)]
            yield np.pad(table, (0, 1)), codes[0], codes[1]

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        return sum_of_tables(self, known, released)


@dataclass(frozen=True, eq=False)
class RecordTransitionLaw:
    """A transition law that differs between records of the file that entered, which are in a few classes.

    `log_probability`  for each attribute, the table of each class of records
    `class_of`         the class of each record of that file
    """

    log_probability: tuple[NDArray[np.float64], ...]
    class_of: NDArray[np.int64]

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same for the records of the whole file, in their order."""
        total = np.zeros((len(known), len(released)))
        for before, after, tables in zip(known.T, released.T, self.log_probability, strict=True):
            padded = np.pad(tables, ((0, 0), (0, 1), (0, 1)))
            codes = [np.where(np.isnan(each), tables.shape[1], each).astype(np.int64) for each in (before, after)]
            total += padded[self.class_of[:, None], codes[0][:, None], codes[1][None, :]]
        return total


class RecordTable(NamedTuple):
    """The log-probability of distinct rows for each record of the file that entered, and which of them each row is."""

    names: tuple[str, ...]
    log_probability: NDArray[np.float64]
    of_row: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RecordTableLaw:
    """Tables with a line for each record of the file that entered, for blocks of attributes that are independent."""

    parts: tuple[RecordTable, ...]

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same for the records of the whole file and the rows of the release, in their order."""
        total = np.zeros((len(known), len(released)))
        for each in self.parts:
            total += each.log_probability[:, each.of_row]
        return total


@runtime_checkable
class VaryingNoise(Law, Protocol):
    """Normal noise about the known values whose standard deviation depends on the record."""

    def deviations(self, known: NDArray[np.float64]) -> NDArray[np.float64]:
        """The standard deviation of the noise of each record and attribute."""
        ...


@dataclass(frozen=True)
class NeighbourLaw:
    """X′ is the multiple of a base next below X or next above it, so that its mean is X."""

    base: float

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros((len(known), len(released)))
        for a, b in zip(known.T, released.T, strict=True):
            below, up = self.position(a)
            step = self.multiple(b)[None, :] - below[:, None]
            with np.errstate(divide="ignore", invalid="ignore"):
                density = np.where(step == 0, np.log1p(-up)[:, None], np.where(step == 1, np.log(up)[:, None], -np.inf))
            total += np.where(np.isnan(a)[:, None], 0.0, density)
        return total

    def position(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The number of the multiple next below each value, and the probability of the one above it."""
        below: NDArray[np.float64] = np.floor(values / self.base)
        return below, values / self.base - below

    def multiple(self, released: NDArray[np.float64]) -> NDArray[np.float64]:
        """The number of the multiple that each released value is."""
        number: NDArray[np.float64] = np.round(released / self.base)
        return number


@dataclass(frozen=True, eq=False)
class UniformLaw:
    """X′ = X + ε with ε uniform between −w and w, attribute by attribute; widths are exact or estimated."""

    half_width: NDArray[np.float64]

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros((len(known), len(released)))
        for a, b, width in zip(known.T, released.T, self.half_width, strict=True):
            outside = ~(np.abs(b[None, :] - a[:, None]) <= width)
            total += np.where(outside & ~np.isnan(a)[:, None], -np.inf, 0.0)
        return total


@dataclass(frozen=True)
class FactorLaw:
    """X′ = X · E with log E normal; a zero stays and a sign stays."""

    variance: float

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros((len(known), len(released)))
        for a, b in zip(known.T, released.T, strict=True):
            with np.errstate(divide="ignore", invalid="ignore"):
                gap = np.log(np.abs(b))[None, :] - np.log(np.abs(a))[:, None] + self.variance / 2
            log_density = -0.5 * gap**2 / max(self.variance, 1e-12) - np.log(np.maximum(np.abs(b), 1e-300))[None, :]
            both_zero = (a == 0)[:, None] & (b == 0)[None, :]
            same_sign = np.sign(a)[:, None] == np.sign(b)[None, :]
            nothing_known = np.isnan(a)[:, None]
            total += np.where(both_zero | nothing_known, 0.0, np.where(same_sign, log_density, -np.inf))
        return total
