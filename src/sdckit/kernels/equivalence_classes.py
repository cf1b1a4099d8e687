"""Equivalence classes: the records that agree on every key, and those that may agree where keys are missing."""

from collections.abc import Iterator
from math import prod
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.hashing import SEED, mixed, slots_for
from sdckit.kernels.wildcard_matches import MOST_KEYS, sums_over_patterns

MISSING = -1
CELLS_PER_RECORD = 8  # up to this many possible combinations per record, a table is faster than hashing
CELLS = 1024  # and so it is up to these combinations beside: faster than hashing, however few records there are
SMALL = 1 << 20  # codes up to which one copy of them as 64-bit integers needs little memory
SORTED = 40, 200  # how long a code takes to be sorted, alone and in a row of several, beside a squared difference
SCANNED = 5_000  # distinct rows from which on patterns of holes are scanned by compiled code
PACKED = 1 << 62  # up to this many possible combinations, each fits one integer, which is faster

Number = TypeVar("Number", np.int64, np.float64)


class EquivalenceClasses(NamedTuple):
    """Each record's class, numbered in order of first appearance, and the number of records of each class."""

    of: NDArray[np.int64]
    sizes: NDArray[np.int64]

    def first(self) -> NDArray[np.int64]:
        """Each class's first record."""
        first = np.empty(len(self.sizes), dtype=np.int64)
        first[self.of[::-1]] = np.arange(len(self.of) - 1, -1, -1)  # the last write wins: the lowest record
        return first

    def representatives(self) -> NDArray[np.int64]:
        """The first record of each record's class."""
        return self.first()[self.of]


class Comparison(NamedTuple):
    """Distinct rows with the same missing keys, the rows they share one set of keys with, and which of these agree.

    Rows of `members` and `others` agree where `of_members` and `of_others` are the same of `cells` combinations.
    """

    members: NDArray[np.int64]
    others: NDArray[np.int64]
    of_members: NDArray[np.int64]
    of_others: NDArray[np.int64]
    cells: int


def class_of(codes: NDArray[np.integer]) -> EquivalenceClasses:
    """Put records with the same code in every column in one class."""
    if not codes.size:
        return _by_sorting(np.ascontiguousarray(codes, dtype=np.int64))
    # The kernels are compiled for each type of integer: a small file is converted to the one that is always needed.
    small = codes.size <= SMALL
    codes = np.ascontiguousarray(codes, dtype=np.int64 if small else None)
    low, high = (codes.min(axis=0), codes.max(axis=0)) if small else _ranges(codes)
    spans = [int(top) - int(bottom) + 1 for bottom, top in zip(low, high, strict=True)]
    cells = prod(spans)
    if cells > PACKED:
        return _same_rows(codes.astype(np.int64))
    strides = np.array([prod(spans[index + 1 :]) for index in range(len(spans))], dtype=np.int64)
    if cells <= CELLS_PER_RECORD * len(codes) + CELLS and not _sorted_sooner(codes):
        return EquivalenceClasses(*_tabled(codes, low, strides, cells))
    packed = ((codes - low) * strides).sum(axis=1, keepdims=True) if small else _packed(codes, low, strides)
    return _same_rows(packed)


def equal_rows(values: NDArray[np.float64]) -> EquivalenceClasses:
    """Put records with the same numbers in one class; a missing value equals a missing value."""
    canonical = np.where(np.isnan(values), np.nan, values + 0.0)  # one bit pattern for NaN, one for zero
    return _same_rows(np.ascontiguousarray(canonical).view(np.int64))


def distinct_rows(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The distinct rows of numbers, ascending, and which of them each record has; only distinct rows are sorted.

    >>> rows, of = distinct_rows(np.array([[2.0, 1.0], [1.0, 5.0], [2.0, 1.0]]))
    >>> rows.tolist(), of.tolist()
    ([[1.0, 5.0], [2.0, 1.0]], [1, 0, 1])
    """
    classes = equal_rows(values)
    rows = values[classes.first()]
    ascending = np.lexsort(rows.T[::-1])
    position = np.empty(len(rows), np.int64)
    position[ascending] = np.arange(len(rows))
    return rows[ascending], position[classes.of]


def distinct_flags(flags: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """The distinct rows of truth values, ascending, and which of them each record has."""
    packed = np.packbits(flags, axis=1)
    words = np.zeros((len(flags), max(-(-packed.shape[1] // 8), 1) * 8), np.uint8)
    words[:, : packed.shape[1]] = packed
    classes = _same_rows(words.view(np.int64))
    patterns, of = np.unique(flags[classes.first()], axis=0, return_inverse=True)
    return patterns, of.ravel()[classes.of]


def _same_rows(codes: NDArray[np.int64]) -> EquivalenceClasses:
    return _by_sorting(codes) if _sorted_sooner(codes) else EquivalenceClasses(*_hashed_rows(codes))


def _sorted_sooner(codes: NDArray[np.integer]) -> bool:
    """Whether classes are found by sorting sooner than the kernel would be compiled."""
    return spared(_hashed_rows, codes.size * SORTED[codes.shape[1] > 1])


def _by_sorting(codes: NDArray[np.int64]) -> EquivalenceClasses:
    """The classes that hashing gives, without the compiler."""
    if not codes.shape[1]:
        codes = np.zeros((len(codes), 1), np.int64)
    rows, axis = (codes[:, 0], None) if codes.shape[1] == 1 else (codes, 0)
    _, first, of, sizes = np.unique(rows, axis=axis, return_index=True, return_inverse=True, return_counts=True)
    by_appearance = np.argsort(first)
    number = np.empty(len(first), np.int64)
    number[by_appearance] = np.arange(len(first))
    return EquivalenceClasses(number[of.reshape(-1)], np.asarray(sizes[by_appearance], np.int64))


def wildcard_frequencies(codes: NDArray[np.integer]) -> NDArray[np.int64]:
    """How many records agree with each one on all the keys that both have, itself included (-1 is missing)."""
    distinct = class_of(codes)
    return _sums_over_matches(codes, distinct, distinct.sizes)[distinct.of]


def wildcard_sums(codes: NDArray[np.integer], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The total weight of the records that agree with each one on all the keys that both have, itself included."""
    distinct = class_of(codes)
    totals = np.asarray(np.bincount(distinct.of, weights, len(distinct.sizes)), dtype=np.float64)
    return _sums_over_matches(codes, distinct, totals)[distinct.of]


def sums_over_matching_classes(rows: NDArray[np.integer], totals: NDArray[Number]) -> NDArray[Number]:
    """For distinct rows of codes, the total of all rows that agree on all the keys that both have, itself included."""
    return _sums_over_matches(rows, EquivalenceClasses(np.arange(len(rows)), np.ones(len(rows), np.int64)), totals)


def _sums_over_matches(
    codes: NDArray[np.integer], distinct: EquivalenceClasses, totals: NDArray[Number]
) -> NDArray[Number]:
    rows = codes[distinct.first()]
    observed = rows != MISSING
    if observed.all():
        return totals
    if len(rows) >= SCANNED and rows.shape[1] <= MOST_KEYS:
        return sums_over_patterns(rows, observed, class_of(observed.astype(np.int8)).of, totals)
    sums = np.zeros_like(totals)
    for comparison in comparisons(rows):
        count = np.zeros(comparison.cells, dtype=totals.dtype)
        np.add.at(count, comparison.of_others, totals[comparison.others])
        sums[comparison.members] += count[comparison.of_members]
    return sums


def comparisons(rows: NDArray[np.integer]) -> Iterator[Comparison]:
    """All comparisons of distinct rows, where a missing key agrees with every value; each ordered pair occurs once.

    The work is done by pairs of missing-value patterns, never by pairs of records.
    """
    observed = rows != MISSING
    pattern = class_of(observed.astype(np.int8))
    keys_of_pattern = observed[pattern.first()]
    rows_of_pattern = np.split(np.argsort(pattern.of, kind="stable"), np.cumsum(pattern.sizes)[:-1])
    for own, own_keys in enumerate(keys_of_pattern):
        members = rows_of_pattern[own]
        joint = class_of((keys_of_pattern & own_keys).astype(np.int8))
        for index, first in enumerate(joint.first()):
            keys = np.flatnonzero(keys_of_pattern[first] & own_keys)
            others = np.concatenate([rows_of_pattern[other] for other in np.flatnonzero(joint.of == index)])
            together = class_of(np.concatenate([rows[members[:, None], keys], rows[others[:, None], keys]]))
            yield Comparison(
                members, others, together.of[: len(members)], together.of[len(members) :], len(together.sizes)
            )


@njit(cache=True, nogil=True)
def _ranges(codes: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    low, high = np.empty(codes.shape[1], np.int64), np.empty(codes.shape[1], np.int64)
    for column in range(codes.shape[1]):
        low[column] = high[column] = codes[0, column]
    for row in range(len(codes)):
        for column in range(codes.shape[1]):
            code = np.int64(codes[row, column])
            low[column] = min(low[column], code)
            high[column] = max(high[column], code)
    return low, high


@njit(cache=True, nogil=True)
def _packed(codes: NDArray[np.integer], low: NDArray[np.int64], strides: NDArray[np.int64]) -> NDArray[np.int64]:
    """One number for each combination of codes, as a matrix of one column."""
    packed = np.zeros((len(codes), 1), np.int64)
    for row in range(len(codes)):
        for column in range(codes.shape[1]):
            packed[row, 0] += (np.int64(codes[row, column]) - low[column]) * strides[column]
    return packed


@njit(cache=True, nogil=True)
def _tabled(
    codes: NDArray[np.integer], low: NDArray[np.int64], strides: NDArray[np.int64], cells: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Classes by a table with a cell for every possible combination."""
    table = np.full(cells, -1, np.int32)
    of = np.empty(len(codes), np.int64)
    sizes = np.zeros(min(len(codes), cells), np.int64)
    classes = 0
    for row in range(len(codes)):
        cell = np.int64(0)
        for column in range(codes.shape[1]):
            cell += (np.int64(codes[row, column]) - low[column]) * strides[column]
        if table[cell] < 0:
            table[cell] = classes
            classes += 1
        of[row] = table[cell]
        sizes[of[row]] += 1
    return of, sizes[:classes].copy()


@njit(cache=True, nogil=True)
def _hashed_rows(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Classes by open addressing on whole rows."""
    n, d = codes.shape
    slots = slots_for(n)
    mask = np.uint64(slots - 1)
    table = np.full(slots, -1, np.int64)
    of = np.empty(n, np.int64)
    sizes = np.zeros(n, np.int64)
    first = np.empty(n, np.int64)
    classes = 0
    for row in range(n):
        value = SEED
        for column in range(d):
            value = mixed(value, codes[row, column])
        slot = value & mask
        while True:
            label = table[slot]
            if label < 0:
                table[slot] = classes
                first[classes] = row
                label = classes
                classes += 1
                break
            same = True
            for column in range(d):
                if codes[first[label], column] != codes[row, column]:
                    same = False
                    break
            if same:
                break
            slot = (slot + np.uint64(1)) & mask
        of[row] = label
        sizes[label] += 1
    return of, sizes[:classes].copy()
