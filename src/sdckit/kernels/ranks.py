"""Rank swapping of one attribute: sort, exchange values between near ranks, restore the order.

Every variant visits the ranks in increasing order and gives each value not yet exchanged one partner among those
not yet exchanged, so the set of values of the attribute is unchanged. Columns have no missing values.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import inside_small, njit

T = TypeVar("T", bound=np.generic)

PATIENCE = 100  # draws that may hit a swapped value before the unswapped ones are listed
MANY = 1 << 16  # values from which on counting digits is faster, with its compilation
DIGIT = 11  # bits sorted at a time: 2048 counters stay in the first cache
FEW = 2_000  # records up to which it is faster to do without the compiler, which has to be imported
NEGLIGIBLE = 2.0**-60  # weights below this share of the total vanish in a double: it is quicker without them


def swap_within_rank_window(column: NDArray[T], reach: int, rng: np.random.Generator) -> NDArray[T]:
    """Swap each value with one drawn uniformly among the unswapped values at most `reach` ranks above (Moore 1996)."""
    if reach < 1:
        return column.copy()
    return _put_back(column, rank_order(column), partners_in_window(len(column), reach, rng))


def swap_between_buckets(column: NDArray[T], buckets: int, rng: np.random.Generator) -> NDArray[T]:
    """Swap each value with one of a bucket s drawn with a probability that halves from its own bucket r upwards.

    The ranks are cut into buckets of nearly equal size; Pr[s | r] is proportional to 2^-(s-r+1) over the buckets that
    still have an unswapped value, and the partner is uniform within the bucket. Any two ranks may be swapped, so the
    method excludes nothing.
    """
    return _put_back(column, rank_order(column), partners_in_buckets(len(column), buckets, rng))


def swap_by_distance_law(column: NDArray[T], window: float, rng: np.random.Generator) -> NDArray[T]:
    """Swap each value with the unswapped one r ranks above, r normal, mean and standard deviation half the `window`.

    Draws that leave the file or hit a swapped value are drawn again; after many of them the unswapped value
    nearest to the last draw is taken. The distribution is unbounded, so the method excludes nothing.
    """
    if window <= 0:
        return column.copy()
    return _put_back(column, rank_order(column), partners_by_distance(len(column), window, rng))


def partners_in_window(records: int, reach: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The rank that each rank exchanges its value with, at most `reach` away; itself where no partner is left."""
    return _partners_in_window(records, reach, rng) if reach >= 1 else np.arange(records)


def partners_in_buckets(records: int, buckets: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The rank that each rank exchanges its value with, by the law of `swap_between_buckets`."""
    return _partners_in_buckets(records, max(1, min(buckets, records)), rng)


def partners_by_distance(records: int, window: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """The rank that each rank exchanges its value with, by the law of `swap_by_distance_law`."""
    return _partners_by_distance(records, window, rng) if window > 0 else np.arange(records)


def mid_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1 in each column; equal values share the mean of theirs.

    >>> mid_ranks(np.array([[3.0], [1.0], [3.0]])).ravel()
    array([2.5, 1. , 2.5])
    """
    ranks = np.empty(values.shape)
    for position, column in enumerate(values.T):
        _, level, counts = np.unique(column, return_inverse=True, return_counts=True)
        ranks[:, position] = (np.cumsum(counts) - (counts - 1) / 2)[level]
    return ranks


def rank_order(column: NDArray[T]) -> NDArray[np.intp]:
    """The stable order of the values, by counting digits where they are many floats: linear in their number."""
    if column.dtype != np.float64 or len(column) < MANY:
        return np.argsort(column, kind="stable")
    bits = (np.asarray(column, dtype=np.float64) + 0.0).view(np.int64)  # + 0.0 makes -0.0 equal to 0.0
    # Negative floats sort backwards as integers: flip their other bits, and the sign bit of all.
    keys = bits ^ ((bits >> 63) | np.int64(-(2**63)))
    return _radix_order(keys.view(np.uint64))


def _put_back(column: NDArray[T], order: NDArray[np.intp], partner: NDArray[np.int64]) -> NDArray[T]:
    swapped = np.empty_like(column)
    swapped[order] = column[order[partner]]
    return swapped


@njit(cache=True, nogil=True)
def _radix_order(keys: NDArray[np.uint64]) -> NDArray[np.intp]:
    n = len(keys)
    base = 1 << DIGIT
    passes = (64 + DIGIT - 1) // DIGIT
    counts = np.zeros((passes, base), np.int64)
    for key in keys:
        for digit in range(passes):
            counts[digit, (key >> np.uint64(digit * DIGIT)) & np.uint64(base - 1)] += 1
    order = np.arange(n)
    other_order = np.empty_like(order)
    keys = keys.copy()
    other_keys = np.empty_like(keys)
    for digit in range(passes):
        if counts[digit].max() == n:
            continue
        start = 0
        for value in range(base):
            count = counts[digit, value]
            counts[digit, value] = start
            start += count
        for at in range(n):
            value = (keys[at] >> np.uint64(digit * DIGIT)) & np.uint64(base - 1)
            to = counts[digit, value]
            counts[digit, value] = to + 1
            other_keys[to] = keys[at]
            other_order[to] = order[at]
        keys, other_keys = other_keys, keys
        order, other_order = other_order, order
    return order


def _few(records: int, *_: object) -> bool:
    return records <= FEW


@njit(cache=True, small=_few)
def _partners_in_window(n: int, reach: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The partner each rank swaps with; the rank itself where no partner is left."""
    partner = np.arange(n)
    free = np.ones(n, np.bool_)
    ahead = min(reach, n - 1)  # unswapped ranks in (i, i + reach]
    for i in range(n):
        if i > 0:
            ahead -= free[i]
            if i + reach < n:
                ahead += 1
        if not free[i] or ahead == 0:
            continue
        width = min(reach, n - 1 - i)
        chosen = i
        for _ in range(PATIENCE):
            drawn = i + 1 + int(rng.random() * width)
            if free[drawn]:
                chosen = drawn
                break
        if chosen == i:  # conditional on failed draws, a uniform draw is still uniform
            left = int(rng.random() * ahead)
            chosen = i + 1
            while left > 0 or not free[chosen]:
                left -= free[chosen]
                chosen += 1
        partner[i], partner[chosen] = chosen, i
        free[chosen] = False
        ahead -= 1
    return partner


@njit(cache=True, small=_few)
def _partners_in_buckets(n: int, buckets: int, rng: np.random.Generator) -> NDArray[np.int64]:
    partner = np.arange(n)
    pool = np.arange(n)  # each bucket's unswapped ranks come first within its slice
    position = np.arange(n)  # the position of each rank in the pool
    size, longer = n // buckets, n % buckets
    start = np.empty(buckets, np.int64)
    left = np.empty(buckets, np.int64)
    bucket_of = np.empty(n, np.int64)
    for b in range(buckets):
        start[b] = b * size + min(b, longer)
        left[b] = size + (b < longer)
        bucket_of[start[b] : start[b] + left[b]] = b
    for i in range(n):
        if partner[i] != i:
            continue
        own = bucket_of[i]
        _take(i, own, pool, position, start, left)
        chosen_bucket = _draw_bucket(own, left, rng)
        if chosen_bucket < 0:
            continue
        chosen = pool[start[chosen_bucket] + int(rng.random() * left[chosen_bucket])]
        _take(chosen, chosen_bucket, pool, position, start, left)
        partner[i], partner[chosen] = chosen, i
    return partner


@njit(cache=True, small=inside_small)
def _take(
    rank: int,
    bucket: int,
    pool: NDArray[np.int64],
    position: NDArray[np.int64],
    start: NDArray[np.int64],
    left: NDArray[np.int64],
) -> None:
    """Take a rank out of its bucket's pool: the last one fills the gap."""
    left[bucket] -= 1
    last = pool[start[bucket] + left[bucket]]
    pool[position[rank]] = last
    position[last] = position[rank]


@njit(cache=True, small=inside_small)
def _draw_bucket(own: int, left: NDArray[np.int64], rng: np.random.Generator) -> int:
    """A bucket from `own` upwards that is not empty, each half as probable as the one before; -1 if all are empty."""
    first = own
    while first < len(left) and left[first] == 0:
        first += 1
    if first == len(left):
        return -1
    total, weight, end = 0.0, 1.0, first
    while end < len(left) and weight > NEGLIGIBLE:
        if left[end] > 0:
            total += weight
        weight /= 2
        end += 1
    drawn = rng.random() * total
    chosen, weight = first, 1.0
    for bucket in range(first, end):
        if left[bucket] > 0:
            chosen = bucket
            if drawn < weight:
                break
            drawn -= weight
        weight /= 2
    return chosen


@njit(cache=True)
def _partners_by_distance(n: int, window: float, rng: np.random.Generator) -> NDArray[np.int64]:
    partner = np.arange(n)
    free = np.ones(n, np.bool_)
    left = n
    for i in range(n):
        if not free[i]:
            continue
        free[i] = False
        left -= 1
        if left == 0:
            break
        chosen = i
        for _ in range(PATIENCE):
            chosen = i + int(np.rint(0.5 * window + 0.5 * window * rng.standard_normal()))
            if i < chosen < n and free[chosen]:
                break
        else:
            chosen = _nearest_free(min(max(chosen, i + 1), n - 1), free)
        partner[i], partner[chosen] = chosen, i
        free[chosen] = False
        left -= 1
    return partner


@njit(cache=True)
def _nearest_free(target: int, free: NDArray[np.bool_]) -> int:
    """The unswapped rank nearest to the target, the lower of two."""
    for gap in range(len(free)):
        if target - gap >= 0 and free[target - gap]:
            return target - gap
        if target + gap < len(free) and free[target + gap]:
            return target + gap
    return -1
