"""Totals of the rows that agree with each one on all the keys that both have, by scans of whole patterns of holes.

Rows with the same missing keys are together. For two patterns, the smaller one is put into a table by the keys that
both have, and the larger one is scanned: first by the one key whose codes in the smaller pattern are the rarest.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.hashing import SEED, mixed, slots_for

MOST_KEYS = 62  # a pattern of holes is one integer

Codes = NDArray[np.int32]
Indices = NDArray[np.int64]
Number = TypeVar("Number", np.int64, np.float64)


def sums_over_patterns(
    rows: NDArray[np.integer], observed: NDArray[np.bool_], pattern: Indices, totals: NDArray[Number]
) -> NDArray[Number]:
    """The total of all distinct rows that agree with each; `pattern` numbers the rows by the keys that they have.

    Totals are added pattern after pattern, and in the order of the rows of each.
    """
    order = np.argsort(pattern, kind="stable")
    starts = np.searchsorted(pattern[order], np.arange(int(pattern.max()) + 2))
    bits = observed[order[starts[:-1]]].astype(np.int64) @ (1 << np.arange(rows.shape[1], dtype=np.int64))
    columns = np.empty((rows.shape[1], len(rows)), np.int32)
    for column in range(rows.shape[1]):
        columns[column] = _numbered(rows[:, column])[order]
    occurrences = np.zeros((len(columns), int(columns.max()) + 1), np.int32)
    for counts, codes in zip(occurrences, columns, strict=True):
        counts[:] = np.bincount(codes, minlength=len(counts))
    sums = np.zeros_like(totals)
    sums[order] = _sums(columns, occurrences, starts, bits, totals[order].astype(np.float64))  # counts are exact
    return sums


def _numbered(codes: NDArray[np.integer]) -> NDArray[np.integer]:
    """The same classes by numbers from 0 on that are no larger than there are rows."""
    low = int(codes.min())
    shifted: NDArray[np.integer] = codes - low if int(codes.max()) - low <= len(codes) else _positions(codes)
    return shifted


def _positions(codes: NDArray[np.integer]) -> Indices:
    """The position of each code among the distinct ones."""
    positions: Indices = np.unique(codes, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return positions


@njit(cache=True, nogil=True)
def _find(
    columns: Codes, row: int | np.int64, keys: Indices, table: Indices, first: Indices
) -> tuple[np.int64, np.int64]:
    """The label of the combination of a row in a table, −1 where it is not in it, and the slot."""
    value = SEED
    for key in keys:
        value = mixed(value, columns[key, row])
    mask = np.uint64(len(table) - 1)
    slot = value & mask
    while True:
        label = table[slot]
        if label < 0:
            return np.int64(-1), np.int64(slot)
        same = True
        for key in keys:
            if columns[key, first[label]] != columns[key, row]:
                same = False
                break
        if same:
            return label, np.int64(slot)
        slot = (slot + np.uint64(1)) & mask


@njit(cache=True, nogil=True)
def _rarest(columns: Codes, occurrences: Codes, rows: Indices, keys: Indices, seen: NDArray[np.bool_]) -> int:
    """Of some keys, that whose codes in these rows are the rarest among all rows; −1 where there is no key."""
    best, fewest = -1, np.int64(0)
    for key in keys:
        count = np.int64(0)
        for row in rows:
            code = columns[key, row]
            if not seen[code]:
                seen[code] = True
                count += occurrences[key, code]
        for row in rows:
            seen[columns[key, row]] = False
        if best < 0 or count < fewest:
            best, fewest = key, count
    return best


@njit(cache=True, nogil=True)
def _sums(
    columns: Codes, occurrences: Codes, starts: Indices, bits: Indices, totals: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Rows are in the order of their patterns, whose keys are `bits`."""
    sums = np.zeros_like(totals)
    patterns = len(bits)
    seen = np.zeros(occurrences.shape[1], np.bool_)
    for own in range(patterns):
        members = np.arange(starts[own], starts[own + 1])
        joint = bits & bits[own]
        by_keys = np.argsort(joint, kind="mergesort")
        changes = np.flatnonzero(np.diff(joint[by_keys])) + 1
        begins = np.concatenate((np.zeros(1, np.int64), changes, np.full(1, patterns)))
        for group in np.argsort(by_keys[begins[:-1]]):  # in the order in which the common keys first occur
            of_group = by_keys[begins[group] : begins[group + 1]]
            common = joint[of_group[0]]
            keys = np.array([key for key in range(len(columns)) if common >> key & 1], np.int64)
            size = 0
            for other in of_group:
                size += starts[other + 1] - starts[other]
            others = np.empty(size, np.int64)
            size = 0
            for other in of_group:
                for position in range(starts[other], starts[other + 1]):
                    others[size] = position
                    size += 1
            by_members = len(members) <= len(others)
            few, many = (members, others) if by_members else (others, members)
            # The combinations of the fewer rows, and what the others have of them.
            table, first = np.full(slots_for(len(few)), -1, np.int64), np.empty(len(few), np.int64)
            of, count = np.empty(len(few), np.int64), np.zeros(len(few))
            labels = np.int64(0)
            for index, row in enumerate(few):
                label, slot = _find(columns, row, keys, table, first)
                if label < 0:
                    label = labels
                    table[slot], first[label] = label, row
                    labels += 1
                of[index] = label
                if not by_members:
                    count[label] += totals[row]
            key = _rarest(columns, occurrences, few, keys, seen)
            if key >= 0:
                for row in few:
                    seen[columns[key, row]] = True
            for row in many:
                if key >= 0 and not seen[columns[key, row]]:
                    continue
                label, _ = _find(columns, row, keys, table, first)
                if label >= 0 and by_members:
                    count[label] += totals[row]
                elif label >= 0:
                    sums[row] += count[label]
            if key >= 0:
                for row in few:
                    seen[columns[key, row]] = False
            if by_members:
                for index, row in enumerate(members):
                    sums[row] += count[of[index]]
    return sums
