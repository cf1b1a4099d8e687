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
from sdckit.kernels.equivalence_classes import CELLS_PER_RECORD, MISSING, class_of, wildcard_sums
from sdckit.kernels.row_blocks import cores

T = TypeVar("T")
Result = TypeVar("Result")

SHARED = 500_000  # codes from which on the cores share the sets of keys
TABLED = 10  # how long a code takes to be counted in a table by numpy, beside a squared difference


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
            found = unsettled[_fewer_than(threshold, columns[list(keys)], sizes, whole, suspects[unsettled])]
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
    columns: NDArray[np.integer],
    sizes: NDArray[np.int64],
    whole: NDArray[np.bool_],
    suspects: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Which suspects, none of which misses a key, agree with fewer than `threshold` records."""
    if whole.all():
        few: NDArray[np.bool_] = _agreeing(columns, sizes, suspects) < threshold
        return few
    complete = np.flatnonzero(whole)
    agreeing = _agreeing(columns[:, complete], sizes[complete], np.searchsorted(complete, suspects))
    gaps = np.flatnonzero(~whole)
    observed = (columns[:, gaps] != MISSING).T
    pattern = class_of(observed.astype(np.int8))
    for index, first in enumerate(pattern.first()):
        left = np.flatnonzero(agreeing < threshold)
        others = gaps[pattern.of == index]
        part = columns[observed[first]]
        both = np.concatenate([part[:, suspects[left]], part[:, others]], axis=1)
        counted = np.concatenate([np.zeros(len(left), dtype=np.int64), sizes[others]])
        agreeing[left] += _agreeing(both, counted, np.arange(len(left)))
    return agreeing < threshold


def _agreeing(columns: NDArray[np.integer], sizes: NDArray[np.int64], suspects: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of records that agree with each suspect."""
    if not len(columns):
        return np.full(len(suspects), sizes.sum())
    low, spans = columns.min(axis=1), [int(span) + 1 for span in np.ptp(columns, axis=1)]
    if prod(spans) <= CELLS_PER_RECORD * columns.shape[1] + 1024:
        strides = np.array([prod(spans[index + 1 :]) for index in range(len(spans))], dtype=np.int64)
        table = np.ascontiguousarray(columns), low.astype(np.int64), strides, prod(spans), sizes, suspects
        return (tabled_by_numpy if spared(_tabled, TABLED * columns.size) else _tabled)(*table)
    classes = class_of(columns.T)
    records = np.bincount(classes.of, weights=sizes, minlength=len(classes.sizes))
    return np.rint(records[classes.of[suspects]]).astype(np.int64)


def tabled_by_numpy(
    columns: NDArray[np.integer],
    low: NDArray[np.int64],
    strides: NDArray[np.int64],
    cells: int,
    sizes: NDArray[np.int64],
    suspects: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The same by a table with a cell for every possible combination, without the compiler."""
    cell = strides @ (columns.astype(np.int64) - low[:, None])
    records = np.zeros(cells, np.int64)
    np.add.at(records, cell, sizes)
    return records[cell[suspects]]


@njit(cache=True, nogil=True)
def _tabled(
    columns: NDArray[np.integer],
    low: NDArray[np.int64],
    strides: NDArray[np.int64],
    cells: int,
    sizes: NDArray[np.int64],
    suspects: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The same by a table with a cell for every possible combination."""
    keys, n = columns.shape
    cell = np.zeros(n, np.int64)
    for key in range(keys):
        for row in range(n):
            cell[row] += (np.int64(columns[key, row]) - low[key]) * strides[key]
    records = np.zeros(cells, np.int64)
    for row in range(n):
        records[cell[row]] += sizes[row]
    agreeing = np.empty(len(suspects), np.int64)
    for index in range(len(suspects)):
        agreeing[index] = records[cell[suspects[index]]]
    return agreeing
