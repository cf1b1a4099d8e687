"""Equivalence classes: the records that agree on every key."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

MISSING = -1


class EquivalenceClasses(NamedTuple):
    """Each record's class, numbered as they first appear, and each class's number of records."""

    of: NDArray[np.int64]
    sizes: NDArray[np.int64]

    def first(self) -> NDArray[np.int64]:
        """Each class's first record."""
        first = np.empty(len(self.sizes), dtype=np.int64)
        first[self.of[::-1]] = np.arange(len(self.of) - 1, -1, -1)  # the last one written stays
        return first


def class_of(codes: NDArray[np.integer]) -> EquivalenceClasses:
    """Put records with the same code in every column in one class."""
    return EquivalenceClasses(*_classes(np.ascontiguousarray(codes, dtype=np.int64)))


def equal_rows(values: NDArray[np.float64]) -> EquivalenceClasses:
    """Put records with the same numbers in one class; missing equals missing."""
    canonical = np.where(np.isnan(values), np.nan, values + 0.0)  # one bit pattern for NaN, one for zero
    return EquivalenceClasses(*_classes(np.ascontiguousarray(canonical).view(np.int64)))


def wildcard_frequencies(codes: NDArray[np.integer]) -> NDArray[np.int64]:
    """How many records agree with each one on all the keys that both have, itself included (-1 is missing).

    Works on the distinct rows, one pair of missing-value patterns at a time, never on pairs of records.
    """
    codes = np.ascontiguousarray(codes, dtype=np.int64)
    distinct = class_of(codes)
    rows = codes[distinct.first()]
    observed = rows != MISSING
    pattern = class_of(observed.astype(np.int64))
    keys_of_pattern = observed[pattern.first()]
    frequency = np.zeros(len(rows), dtype=np.int64)
    for own, own_keys in enumerate(keys_of_pattern):
        members = np.flatnonzero(pattern.of == own)
        joint = keys_of_pattern & own_keys
        for keys in np.unique(joint, axis=0):
            others = np.flatnonzero((joint == keys).all(axis=1)[pattern.of])
            together = class_of(np.concatenate([rows[members], rows[others]])[:, keys])
            count = np.zeros(len(together.sizes), dtype=np.int64)
            np.add.at(count, together.of[len(members) :], distinct.sizes[others])
            frequency[members] += count[together.of[: len(members)]]
    return frequency[distinct.of]


@njit(cache=True, nogil=True)
def _classes(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n, d = codes.shape
    slots = 16
    while slots < 2 * n:
        slots *= 2
    mask = np.uint64(slots - 1)
    table = np.full(slots, -1, np.int64)
    of = np.empty(n, np.int64)
    sizes = np.zeros(n, np.int64)
    first = np.empty(n, np.int64)
    classes = 0
    for row in range(n):
        mixed = np.uint64(0x9E3779B97F4A7C15)
        for column in range(d):
            mixed ^= np.uint64(codes[row, column])
            mixed *= np.uint64(0xFF51AFD7ED558CCD)
            mixed ^= mixed >> np.uint64(32)
        slot = mixed & mask
        while True:
            held = table[slot]
            if held < 0:
                table[slot] = classes
                first[classes] = row
                held = classes
                classes += 1
                break
            same = True
            for column in range(d):
                if codes[first[held], column] != codes[row, column]:
                    same = False
                    break
            if same:
                break
            slot = (slot + np.uint64(1)) & mask
        of[row] = held
        sizes[held] += 1
    return of, sizes[:classes].copy()
