"""Local suppression: make few values missing so that every record agrees with enough others on its keys.

A missing value agrees with every value, so a value made missing only ever adds to the frequencies of all records: one
that is frequent enough stays so, and records can be treated one after the other, the rarest first. A record's frequency
is the current one, with all that was suppressed for others before. Two ways to choose what it loses are tried, and the
cheaper outcome of the two is kept: the cheapest set of values that is enough, or one value after the other.

Frequencies are kept in a table by fingerprint: for the records of one pattern of missing values, how many have the same
values on some of the keys. Only what a rare record can ask for is in the table. Two fingerprints may clash, though
hardly ever, so in the end all frequencies are counted exactly, and the search goes on if one falls short.
"""

from itertools import combinations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sdckit.kernels.equivalence_classes import MISSING, wildcard_frequencies

SETS_AT_ONCE = 256  # with more, sets of equal cost are taken by themselves: bounds the table


def suppress_to_k_anonymity(codes: NDArray[np.integer], k: int, costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """The codes with values made missing (-1) until at least k records agree with each one; needs k records.

    `costs` says what losing a value of each key costs; at equal cost, a value of the key with the most categories goes.
    """
    given: NDArray[np.int64] = np.array(codes, dtype=np.int64, order="C")
    costs = np.asarray(costs, dtype=np.float64)
    levels = losses_by_cost(costs, np.array([len(np.unique(column)) for column in given.T]))
    outcomes = [_suppressed(given, k, levels, one_by_one=False)]
    if len(levels) == 1:
        outcomes.append(_suppressed(given, k, levels, one_by_one=True))
    return min(outcomes, key=lambda outcome: float(((outcome == MISSING) & (given != MISSING)).sum(axis=0) @ costs))


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
            rare = _give_losses(codes, pattern, rare, sets, k, np.uint64(salt), one_by_one)
            codes[(pattern[:, None] >> keys) & 1 == 0] = MISSING


def losses_by_cost(costs: NDArray[np.float64], categories: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The sets of keys that a record can lose, as bit masks, from cheap to dear; in one list, or one for each cost."""
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
    mixed = (salt << np.uint64(56)) ^ (np.uint64(pattern) << np.uint64(28)) ^ np.uint64(keys)
    mixed *= np.uint64(0xFF51AFD7ED558CCD)
    mixed ^= mixed >> np.uint64(32)
    for column in range(len(values)):
        if (keys >> column) & 1:
            mixed ^= np.uint64(values[column])
            mixed *= np.uint64(0xFF51AFD7ED558CCD)
            mixed ^= mixed >> np.uint64(32)
    return mixed | np.uint64(1)  # 0 marks an empty slot


@njit(cache=True, nogil=True)
def _slot(table: NDArray[np.uint64], held: np.uint64) -> int:
    """Where a fingerprint is, or the empty slot where it belongs."""
    mask = np.uint64(len(table) - 1)
    slot = (held >> np.uint64(1)) & mask
    while table[slot] != 0 and table[slot] != held:
        slot = (slot + np.uint64(1)) & mask
    return int(slot)


@njit(cache=True, nogil=True)
def _larger(table: NDArray[np.uint64], counts: NDArray[np.int32]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The same table with twice the room."""
    larger = np.zeros(2 * len(table), np.uint64)
    moved = np.zeros(2 * len(table), np.int32)
    for slot in range(len(table)):
        if table[slot] != 0:
            place = _slot(larger, table[slot])
            larger[place] = table[slot]
            moved[place] = counts[slot]
    return larger, moved


@njit(cache=True, nogil=True)
def _distinct(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The distinct ones, in order."""
    ordered = np.sort(masks)
    kept = np.ones(len(ordered), np.bool_)
    for place in range(1, len(ordered)):
        kept[place] = ordered[place] != ordered[place - 1]
    return ordered[kept]


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
    """How many records agree with these values on the keys kept; counting stops where it is enough."""
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
    """The keys left after the first loss that is enough; -1 where none is."""
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
    """The keys left after losing, time and again, the first single key that adds to the frequency; -1 where none is."""
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


@njit(cache=True, nogil=True)
def _give_losses(
    codes: NDArray[np.int64],
    pattern: NDArray[np.int64],
    rare: NDArray[np.int64],
    sets: NDArray[np.int64],
    k: int,
    salt: np.uint64,
    one_by_one: bool,
) -> NDArray[np.int64]:
    """Let each rare record lose one of these sets, where one is enough; `pattern` changes, the others stay rare."""
    n = len(codes)
    asking = _distinct(pattern[rare])
    kept = np.empty(len(asking) * (len(sets) + 1), np.int64)
    size = 0
    for own in asking:
        kept[size] = own
        size += 1
        for lost in sets:
            if lost & own == lost:
                kept[size] = own ^ lost
                size += 1
    kept = _distinct(kept[:size])
    present = _distinct(np.concatenate((pattern, kept)))  # patterns that there are, or that a loss can make
    ends = np.zeros(len(present) + 1, np.int64)
    asked = np.empty(len(present) * len(kept), np.int64)  # for each pattern, the keys that it is asked about
    for place in range(len(present)):
        mine = _distinct(kept & present[place])
        asked[ends[place] : ends[place] + len(mine)] = mine
        ends[place + 1] = ends[place] + len(mine)

    place_of = np.searchsorted(present, pattern)
    used = np.zeros(len(present), np.int64)
    for place in place_of:
        used[place] += 1
    patterns = present[np.argsort(-used, kind="mergesort")]  # those of most records first: enough is found soonest
    seen = int((used > 0).sum())  # patterns[:seen] are those that some record has

    table = np.zeros(1 << 16, np.uint64)
    counts = np.zeros(1 << 16, np.int32)
    filled = 0
    for record in rare:
        for some in kept:
            if some & pattern[record] == some:
                for place in range(seen):
                    held = _fingerprint(codes[record], some & patterns[place], patterns[place], salt)
                    slot = _slot(table, held)
                    if table[slot] == 0:
                        table[slot] = held
                        filled += 1
                        if 2 * filled > len(table):
                            table, counts = _larger(table, counts)
    for record in range(n):
        place = int(place_of[record])
        for keys in asked[ends[place] : ends[place + 1]]:
            slot = _slot(table, _fingerprint(codes[record], keys, present[place], salt))
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
        place = int(place_of[record])
        for keys in asked[ends[place] : ends[place + 1]]:
            slot = _slot(table, _fingerprint(values, keys, own, salt))
            if table[slot] != 0:
                counts[slot] -= 1
        pattern[record] = left
        place = int(np.searchsorted(present, left))
        place_of[record] = place
        if used[place] == 0:
            for later in range(seen, len(patterns)):
                if patterns[later] == left:
                    patterns[later], patterns[seen] = patterns[seen], patterns[later]
            seen += 1
        used[place] += 1
        for keys in asked[ends[place] : ends[place + 1]]:
            held = _fingerprint(values, keys, left, salt)
            slot = _slot(table, held)
            if table[slot] == 0:
                table[slot] = held
                filled += 1
            counts[slot] += 1
            if 2 * filled > len(table):
                table, counts = _larger(table, counts)
    return still[:size]
