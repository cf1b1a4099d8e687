"""Local suppression: make few values missing so that every record agrees with enough others on its keys.

A missing value agrees with every value, so suppressing a value never lowers the frequency of a record: a record that is
frequent enough stays so, and records can be treated one by one, the rarest first. A record's frequency is the current
one, after all suppressions for earlier records. Two ways to choose what to suppress are tried, and the cheaper outcome
is returned: the cheapest sufficient set of values, or one value after the other.

A hash table has the frequencies by fingerprint: for the records of one pattern of missing values, the number with the
same values on some of the keys. Only what a rare record can query is in the table. Two fingerprints may collide, though
hardly ever, so in the end all frequencies are counted exactly, and the search goes on if one is too low.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.equivalence_classes import MISSING, wildcard_frequencies
from sdckit.kernels.hashing import mixed
from sdckit.kernels.sorted_positions import first_from

SETS_AT_ONCE = 256  # with more, only sets of equal cost are tried together: bounds the table
SLOTS = 1 << 16  # of the table before it grows, a power of two: bounds the memory for small files


def suppress_to_k_anonymity(codes: NDArray[np.integer], k: int, costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """The codes with values made missing (-1) until at least k records agree with each one; needs k records.

    `costs` are the costs of suppressing a value of each key; at equal cost, the key with the most categories is
    suppressed.
    """
    original: NDArray[np.int64] = np.array(codes, dtype=np.int64, order="C")
    costs = np.asarray(costs, dtype=np.float64)
    levels = losses_by_cost(costs, np.array([len(np.unique(column)) for column in original.T]))
    outcomes = [_suppressed(original, k, levels, one_by_one=False)]
    if len(levels) == 1:
        outcomes.append(_suppressed(original, k, levels, one_by_one=True))
    return min(outcomes, key=lambda outcome: float(((outcome == MISSING) & (original != MISSING)).sum(axis=0) @ costs))


def _suppressed(
    codes: NDArray[np.int64], k: int, levels: list[NDArray[np.int64]], *, one_by_one: bool
) -> NDArray[np.int64]:
    codes, salt, keys = codes.copy(), 0, np.arange(codes.shape[1])
    while True:
        frequency = wildcard_frequencies(codes)
        rare = np.flatnonzero(frequency < k)
        if not len(rare):
            return codes
        rare = rare[np.argsort(frequency[rare], kind="stable")]
        salt += 1
        for sets in levels:
            pattern = patterns_of(codes)
            rare = suppress_sets(codes, pattern, rare, sets, k, salt, one_by_one=one_by_one)
            codes[(pattern[:, None] >> keys) & 1 == 0] = MISSING


def losses_by_cost(costs: NDArray[np.float64], categories: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The sets of keys that can be suppressed, as bit masks, by ascending cost; in one list, or one list per cost."""
    by_cost: dict[float, list[tuple[int, int]]] = {}
    for size in range(1, len(costs) + 1):
        for lost in combinations(range(len(costs)), size):
            cost = round(float(sum(costs[key] for key in lost)), 9)
            by_cost.setdefault(cost, []).append((-sum(categories[key] for key in lost), sum(1 << key for key in lost)))
    lists = [[mask for _, mask in sorted(by_cost[cost])] for cost in sorted(by_cost)]
    if sum(map(len, lists)) < SETS_AT_ONCE:
        lists = [[mask for each in lists for mask in each]]
    return [np.array(each, dtype=np.int64) for each in lists]


def patterns_of(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which keys each record has, as a bit mask."""
    pattern: NDArray[np.int64] = (codes != MISSING) @ (np.int64(1) << np.arange(codes.shape[1], dtype=np.int64))
    return pattern


@njit(cache=True, nogil=True)
def _fingerprint(values: NDArray[np.int64], keys: int, pattern: int, salt: np.uint64) -> np.uint64:
    value = mixed((salt << np.uint64(56)) ^ (np.uint64(pattern) << np.uint64(28)), keys)
    for column in range(len(values)):
        if (keys >> column) & 1:
            value = mixed(value, values[column])
    return value | np.uint64(1)  # 0 marks an empty slot


@njit(cache=True, nogil=True)
def _slot(table: NDArray[np.uint64], fingerprint: np.uint64) -> int:
    """The slot of a fingerprint, or the empty slot where it belongs."""
    mask = np.uint64(len(table) - 1)
    slot = (fingerprint >> np.uint64(1)) & mask
    while table[slot] != 0 and table[slot] != fingerprint:
        slot = (slot + np.uint64(1)) & mask
    return int(slot)


@njit(cache=True, nogil=True)
def _larger(table: NDArray[np.uint64], counts: NDArray[np.int32]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The same table with twice the capacity."""
    larger = np.zeros(2 * len(table), np.uint64)
    moved = np.zeros(2 * len(table), np.int32)
    for slot in range(len(table)):
        if table[slot] != 0:
            target = _slot(larger, table[slot])
            larger[target] = table[slot]
            moved[target] = counts[slot]
    return larger, moved


@njit(cache=True, nogil=True)
def _frequency(
    values: NDArray[np.int64],
    kept: int,
    patterns: NDArray[np.int64],
    table: NDArray[np.uint64],
    counts: NDArray[np.int32],
    salt: np.uint64,
    enough: int,
) -> int:
    """The number of records that agree with these values on the keys kept; counting stops at `enough`."""
    records = 0
    for pattern in patterns:
        records += int(counts[_slot(table, _fingerprint(values, kept & pattern, pattern, salt))])
        if records >= enough:
            break
    return records


@njit(cache=True, nogil=True)
def _cheapest(
    values: NDArray[np.int64],
    own: int,
    sets: NDArray[np.int64],
    patterns: NDArray[np.int64],
    table: NDArray[np.uint64],
    counts: NDArray[np.int32],
    salt: np.uint64,
    k: int,
) -> int:
    """The keys left after suppressing the first sufficient set; -1 where none suffices."""
    for lost in sets:
        if lost & own == lost and _frequency(values, own ^ lost, patterns, table, counts, salt, k) >= k:
            return int(own ^ lost)
    return -1


@njit(cache=True, nogil=True)
def _one_by_one(
    values: NDArray[np.int64],
    own: int,
    sets: NDArray[np.int64],
    patterns: NDArray[np.int64],
    table: NDArray[np.uint64],
    counts: NDArray[np.int32],
    salt: np.uint64,
    k: int,
) -> int:
    """The keys left after repeatedly suppressing the first key that raises the frequency; -1 where none suffices."""
    frequency = _frequency(values, own, patterns, table, counts, salt, k)
    while frequency < k:
        best = -1
        for lost in sets:
            if lost & (lost - 1) == 0 and lost & own == lost:
                then = _frequency(values, own ^ lost, patterns, table, counts, salt, k)
                if best < 0 or then > frequency:
                    best, reached = int(own ^ lost), then
                if then > frequency:
                    break
        if best < 0:
            return -1
        own, frequency = best, reached
    return own


def suppress_sets(
    codes: NDArray[np.int64],
    pattern: NDArray[np.int64],
    rare: NDArray[np.int64],
    sets: NDArray[np.int64],
    k: int,
    salt: int,
    *,
    one_by_one: bool,
) -> NDArray[np.int64]:
    """Update `pattern`, suppressing in each rare record one of the sets if it suffices; returns those still rare."""
    asking = np.unique(pattern[rare])
    left = asking[:, None] ^ sets
    kept = np.unique(np.concatenate([asking, left[sets & asking[:, None] == sets]]))
    present = np.unique(np.concatenate([pattern, kept]))  # patterns that occur, or that a suppression can make
    asked = [np.unique(kept & each) for each in present]  # for each pattern, the sets of keys it is queried for
    ends = np.cumsum([0, *map(len, asked)])
    index = np.searchsorted(present, pattern)
    used = np.bincount(index, minlength=len(present))
    by_frequency = present[np.argsort(-used, kind="stable")]  # the most frequent first: `k` is reached soonest
    lists = kept, present, np.concatenate(asked), ends, index, used, by_frequency, int((used > 0).sum())
    return _suppress_sets(codes, pattern, rare, sets, *lists, k, np.uint64(salt), one_by_one, SLOTS)


@njit(cache=True, nogil=True)
def _suppress_sets(
    codes: NDArray[np.int64],
    pattern: NDArray[np.int64],
    rare: NDArray[np.int64],
    sets: NDArray[np.int64],
    kept: NDArray[np.int64],
    present: NDArray[np.int64],
    asked: NDArray[np.int64],
    ends: NDArray[np.int64],
    pattern_index: NDArray[np.int64],
    used: NDArray[np.int64],
    patterns: NDArray[np.int64],
    seen: int,
    k: int,
    salt: np.uint64,
    one_by_one: bool,
    slots: int,
) -> NDArray[np.int64]:
    """The same, with the patterns by frequency, of which some record has the first `seen`."""
    n = len(codes)
    table = np.zeros(slots, np.uint64)
    counts = np.zeros(slots, np.int32)
    filled = 0
    for record in rare:
        for some in kept:
            if some & pattern[record] == some:
                for index in range(seen):
                    fingerprint = _fingerprint(codes[record], some & patterns[index], patterns[index], salt)
                    slot = _slot(table, fingerprint)
                    if table[slot] == 0:
                        table[slot] = fingerprint
                        filled += 1
                        if 2 * filled > len(table):
                            table, counts = _larger(table, counts)
    for record in range(n):
        index = int(pattern_index[record])
        for keys in asked[ends[index] : ends[index + 1]]:
            slot = _slot(table, _fingerprint(codes[record], keys, present[index], salt))
            if table[slot] != 0:
                counts[slot] += 1

    still = np.empty(len(rare), np.int64)
    size = 0
    for record in rare:
        own, values = int(pattern[record]), codes[record]
        if _frequency(values, own, patterns[:seen], table, counts, salt, k) >= k:
            continue
        if one_by_one:
            left = _one_by_one(values, own, sets, patterns[:seen], table, counts, salt, k)
        else:
            left = _cheapest(values, own, sets, patterns[:seen], table, counts, salt, k)
        if left < 0:
            still[size] = record
            size += 1
            continue
        index = int(pattern_index[record])
        for keys in asked[ends[index] : ends[index + 1]]:
            slot = _slot(table, _fingerprint(values, keys, own, salt))
            if table[slot] != 0:
                counts[slot] -= 1
        pattern[record] = left
        index = first_from(present, 0, len(present), left)
        pattern_index[record] = index
        if used[index] == 0:
            for later in range(seen, len(patterns)):
                if patterns[later] == left:
                    patterns[later], patterns[seen] = patterns[seen], patterns[later]
            seen += 1
        used[index] += 1
        for keys in asked[ends[index] : ends[index + 1]]:
            fingerprint = _fingerprint(values, keys, left, salt)
            slot = _slot(table, fingerprint)
            if table[slot] == 0:
                table[slot] = fingerprint
                filled += 1
            counts[slot] += 1
            if 2 * filled > len(table):
                table, counts = _larger(table, counts)
    return still[:size]
