"""Rare combinations: the smallest sets of keys on which few records agree with a record.

A record that is unique on some keys is unique on every larger set, so the minimal sets determine all of them (the MSUs,
minimal sample uniques, of SUDA2). The search goes level by level over distinct rows: a set of keys is counted
only if some row is rare on all keys and not yet rare on any part of the set.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, islice
from math import prod
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit, spared
from sdckit.kernels.equivalence_classes import CELLS_PER_RECORD, MISSING, PACKED, class_of, wildcard_sums
from sdckit.kernels.hashing import SEED, mixed, slots_for
from sdckit.kernels.row_blocks import cores

T = TypeVar("T")
Result = TypeVar("Result")

SHARED = 500_000  # codes from which on the cores share the sets of keys
TABLED = 10  # how long a code takes to be counted in a table by numpy, beside a squared difference
SORTED = 200  # and to be sorted


class Columns(NamedTuple):
    """The codes of some keys, a line for each; the lowest of each, and how many codes there are up to the highest."""

    codes: NDArray[np.integer]
    low: NDArray[np.int64]
    spans: NDArray[np.int64]

    def of(self, keys: NDArray[np.integer] | NDArray[np.bool_]) -> "Columns":
        """Some of the keys."""
        return Columns(self.codes[keys], self.low[keys], self.spans[keys])


class Rare(NamedTuple):
    """A set of keys and the rows on which it is a minimal rare combination."""

    keys: tuple[int, ...]
    rows: NDArray[np.int64]


def minimal_rare_combinations(
    codes: NDArray[np.integer],
    sizes: NDArray[np.int64],
    threshold: int,
    largest: int,
    missing: NDArray[np.bool_] | None = None,
) -> Iterator[Rare]:
    """The sets of up to `largest` keys that fewer than `threshold` records share, without a proper subset as rare.

    `codes` are distinct rows, `sizes` the number of records of each. A key of code −1 agrees with every value. Where
    `missing` says so, a key is in no set, whatever its code: with a code of its own it agrees with no value.
    """
    suspects = np.flatnonzero(wildcard_sums(codes, sizes.astype(np.float64)) < threshold)
    columns = np.ascontiguousarray(codes.T)
    observed: NDArray[np.bool_] = np.not_equal(columns, MISSING)
    if missing is not None:
        observed = np.ascontiguousarray(np.logical_not(missing.T))
    low, high = (limit(columns, axis=1, initial=0).astype(np.int64) for limit in (np.min, np.max))
    ranged = Columns(columns, low, high - low + 1)
    # One bit for each suspect that is rare on the set or a part of it.
    rare_before: dict[tuple[int, ...], NDArray[np.uint8]] = {(): np.packbits(np.zeros(len(suspects), dtype=np.bool_))}
    for size in range(1, min(largest, len(columns)) + 1):
        rare_here: dict[tuple[int, ...], NDArray[np.uint8]] = {}

        def found_on(
            keys: tuple[int, ...], rare_before: dict[tuple[int, ...], NDArray[np.uint8]] = rare_before
        ) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
            """Of the suspects, those of which the set is a minimal rare combination; and all that are rare on it."""
            known = rare_before[keys[1:]]
            for left_out in range(1, len(keys)):
                known = known | rare_before[keys[:left_out] + keys[left_out + 1 :]]
            rare = np.unpackbits(known, count=len(suspects)).astype(np.bool_)
            # A record that misses one of the keys is as rare on the other keys, so the set is not minimal for it.
            whole: NDArray[np.bool_] = np.all(observed[list(keys)], axis=0)
            unsettled = np.flatnonzero(~rare & whole[suspects])
            if not len(unsettled):
                return unsettled, known
            found = unsettled[_fewer_than(threshold, ranged.of(np.array(keys)), sizes, whole, suspects[unsettled])]
            rare[found] = True
            return found, np.packbits(rare)

        for keys, (found, known) in _in_order(found_on, combinations(range(len(columns)), size), columns.size):
            if len(found):
                yield Rare(keys, suspects[found])
            rare_here[keys] = known
        rare_before = rare_here


def _in_order(work: Callable[[T], Result], items: Iterable[T], cells: int) -> Iterator[tuple[T, Result]]:
    """Each item with what the work gives for it; in a large file by all cores, a few items ahead at most."""
    if cells < SHARED:
        yield from ((item, work(item)) for item in items)
        return
    left = iter(items)
    with ThreadPoolExecutor(cores()) as pool:
        while some := tuple(islice(left, cores())):
            yield from zip(some, pool.map(work, some), strict=True)


def _fewer_than(
    threshold: int,
    columns: Columns,
    sizes: NDArray[np.int64],
    whole: NDArray[np.bool_],
    suspects: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Which suspects, none of which misses a key, agree with fewer than `threshold` records."""
    agreeing = _agreeing(columns, sizes, np.flatnonzero(whole), suspects)
    gaps = np.flatnonzero(~whole)
    observed = (columns.codes[:, gaps] != MISSING).T
    pattern = class_of(observed.astype(np.int8))
    for index, first in enumerate(pattern.first()):
        left = np.flatnonzero(agreeing < threshold)
        agreeing[left] += _agreeing(columns.of(observed[first]), sizes, gaps[pattern.of == index], suspects[left])
    few: NDArray[np.bool_] = agreeing < threshold
    return few


def _agreeing(
    columns: Columns, sizes: NDArray[np.int64], rows: NDArray[np.int64], suspects: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The number of records in some rows, which are in order, that agree with each suspect."""
    codes, spans = columns.codes, columns.spans.tolist()
    if not len(codes):
        return np.full(len(suspects), sizes[rows].sum())
    cells = prod(spans)
    strides = np.array([prod(spans[index + 1 :]) % PACKED for index in range(len(spans))], dtype=np.int64)
    work = len(codes) * (len(rows) + len(suspects))
    if cells <= CELLS_PER_RECORD * len(rows) + 1024:
        table = codes, columns.low, strides, cells, sizes, rows, suspects
        return (tabled_by_numpy if spared(_tabled, TABLED * work) else _tabled)(*table)
    if cells > PACKED or spared(_hashed, SORTED * work):
        return agreeing_by_classes(codes, sizes, rows, suspects)
    return _hashed(codes, columns.low, strides, sizes, rows, suspects)


def agreeing_by_classes(
    codes: NDArray[np.integer], sizes: NDArray[np.int64], rows: NDArray[np.int64], suspects: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The same by classes of equal codes: of any number of combinations, and for a small file without the compiler."""
    classes = class_of(codes[:, np.concatenate([suspects, rows])].T)
    records = np.zeros(len(classes.sizes), np.int64)
    np.add.at(records, classes.of[len(suspects) :], sizes[rows])
    return records[classes.of[: len(suspects)]]


def tabled_by_numpy(
    codes: NDArray[np.integer],
    low: NDArray[np.int64],
    strides: NDArray[np.int64],
    cells: int,
    sizes: NDArray[np.int64],
    rows: NDArray[np.int64],
    suspects: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The same by a table with a cell for every possible combination, without the compiler."""
    records = np.zeros(cells, np.int64)
    np.add.at(records, strides @ (codes[:, rows].astype(np.int64) - low[:, None]), sizes[rows])
    return records[strides @ (codes[:, suspects].astype(np.int64) - low[:, None])]


@njit(cache=True, nogil=True)
def _packed(
    codes: NDArray[np.integer],
    low: NDArray[np.int64],
    strides: NDArray[np.int64],
    rows: NDArray[np.int64],
    suspects: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One number for the combination of each of some rows, and of each suspect."""
    keys, n = codes.shape
    if n <= len(rows) + len(suspects):  # every row once, in the order of the memory
        all_packed = np.zeros(n, np.int64)
        for key in range(keys):
            for row in range(n):
                all_packed[row] += (np.int64(codes[key, row]) - low[key]) * strides[key]
        return all_packed if n == len(rows) else all_packed[rows], all_packed[suspects]
    packed, asked = np.zeros(len(rows), np.int64), np.zeros(len(suspects), np.int64)
    for key in range(keys):
        for index in range(len(rows)):
            packed[index] += (np.int64(codes[key, rows[index]]) - low[key]) * strides[key]
        for index in range(len(suspects)):
            asked[index] += (np.int64(codes[key, suspects[index]]) - low[key]) * strides[key]
    return packed, asked


@njit(cache=True, nogil=True)
def _tabled(
    codes: NDArray[np.integer],
    low: NDArray[np.int64],
    strides: NDArray[np.int64],
    cells: int,
    sizes: NDArray[np.int64],
    rows: NDArray[np.int64],
    suspects: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The same by a table with a cell for every possible combination."""
    records = np.zeros(cells, np.int64)
    cell, asked = _packed(codes, low, strides, rows, suspects)
    for index in range(len(rows)):
        records[cell[index]] += sizes[rows[index]]
    return records[asked]


@njit(cache=True, nogil=True)
def _hashed(
    codes: NDArray[np.integer],
    low: NDArray[np.int64],
    strides: NDArray[np.int64],
    sizes: NDArray[np.int64],
    rows: NDArray[np.int64],
    suspects: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The same by open addressing, in which only the combinations of suspects are."""
    packed, asked = _packed(codes, low, strides, rows, suspects)
    slots = slots_for(len(suspects))
    mask = np.uint64(slots - 1)
    combinations_in, records = np.full(slots, np.int64(-1)), np.zeros(slots, np.int64)
    slot_of = np.empty(len(suspects), np.int64)
    for index in range(len(suspects)):
        slot = mixed(SEED, asked[index]) & mask
        while combinations_in[slot] != -1 and combinations_in[slot] != asked[index]:
            slot = (slot + np.uint64(1)) & mask
        combinations_in[slot] = asked[index]
        slot_of[index] = slot
    for index in range(len(rows)):
        slot = mixed(SEED, packed[index]) & mask
        while combinations_in[slot] != -1 and combinations_in[slot] != packed[index]:
            slot = (slot + np.uint64(1)) & mask
        if combinations_in[slot] == packed[index]:
            records[slot] += sizes[rows[index]]
    return records[slot_of]
