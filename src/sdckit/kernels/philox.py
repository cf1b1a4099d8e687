"""Philox: random words by a key and a counter, those of numpy's generator of this name, as uniform numbers.

Each value of the counter gives four words of 64 bits, by ten rounds of multiplications. The rounds of several values of
the counter are computed side by side, so products of 64 bits are made of products of 32 bits, of which a processor
computes several at once.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Four = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

WORDS_OF_A_COUNT = 4
COUNTS_AT_ONCE = 1 << 8  # values of the counter whose words are kept at once, in the nearest cache
LARGEST = 1 << 62  # positions up to which a counter takes one word
WORD = (1 << 64) - 1
ONE = np.float64(1.0).view(np.uint64)
SHIFT = np.uint64(12)  # 52 bits of a word are the fraction of a number from 1 to 2
BELOW_ONE = 1.0 - 2.0**-53  # subtracted, so that neither 0 nor 1 occurs: (word + ½) / 2⁵²
HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
ZERO, STEP = np.uint64(0), np.uint64(1)
KEY_STEPS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B))  # added to the key after each round
MULTIPLIERS = (  # the low and the high half of each
    (np.uint64(0xE14C6C93), np.uint64(0xD2E7470E)),
    (np.uint64(0x95121157), np.uint64(0xCA5A8263)),
)


def write_uniform(key: int, start: int, out: NDArray[np.float64], *, compiled: bool) -> None:
    """Write uniform numbers between 0 and 1, both excluded, under a key, from a position of its sequence on.

    >>> both = np.empty((2, 5))
    >>> for row, compiled in zip(both, (False, True), strict=True):
    ...     write_uniform(key=1, start=6, out=row, compiled=compiled)
    >>> (both[0] == both[1]).all()
    np.True_
    """
    if compiled and start + len(out) < LARGEST:
        count, skipped = divmod(start, WORDS_OF_A_COUNT)
        _write(np.uint64(key & WORD), np.uint64(key >> 64), np.uint64(count), skipped, out)
        return
    source = np.random.Philox(key=key, counter=start // WORDS_OF_A_COUNT)
    if start % WORDS_OF_A_COUNT:
        source.random_raw(start % WORDS_OF_A_COUNT, output=False)
    words = source.random_raw(len(out))
    words >>= SHIFT
    words |= ONE
    np.subtract(words.view(np.float64), BELOW_ONE, out=out)


@njit(cache=True)
def _write(low_key: np.uint64, high_key: np.uint64, count: np.uint64, skipped: int, out: NDArray[np.float64]) -> None:
    words = np.empty(WORDS_OF_A_COUNT * COUNTS_AT_ONCE, np.uint64)
    numbers = words.view(np.float64)
    done = 0
    while done < len(out):
        _write_words(low_key, high_key, count, words)
        size = min(len(words) - skipped, len(out) - done)
        drawn, part = numbers[skipped : skipped + size], out[done : done + size]
        for index in range(size):
            part[index] = drawn[index] - BELOW_ONE
        count += np.uint64(COUNTS_AT_ONCE)
        skipped = 0
        done += size


@njit()
def _write_words(low_key: np.uint64, high_key: np.uint64, count: np.uint64, words: NDArray[np.uint64]) -> None:
    """The words after a value of the counter, as fractions of numbers from 1 to 2.

    The ten rounds are written out: a loop over them inside the other would be computed for one value after the other.
    """
    a, b = KEY_STEPS
    for index in range(COUNTS_AT_ONCE):
        state = (count + np.uint64(index) + STEP, ZERO, ZERO, ZERO)
        state = _round(state, low_key, high_key)
        state = _round(state, low_key + a, high_key + b)
        state = _round(state, low_key + np.uint64(2) * a, high_key + np.uint64(2) * b)
        state = _round(state, low_key + np.uint64(3) * a, high_key + np.uint64(3) * b)
        state = _round(state, low_key + np.uint64(4) * a, high_key + np.uint64(4) * b)
        state = _round(state, low_key + np.uint64(5) * a, high_key + np.uint64(5) * b)
        state = _round(state, low_key + np.uint64(6) * a, high_key + np.uint64(6) * b)
        state = _round(state, low_key + np.uint64(7) * a, high_key + np.uint64(7) * b)
        state = _round(state, low_key + np.uint64(8) * a, high_key + np.uint64(8) * b)
        state = _round(state, low_key + np.uint64(9) * a, high_key + np.uint64(9) * b)
        first = WORDS_OF_A_COUNT * index
        words[first] = (state[0] >> SHIFT) | ONE
        words[first + 1] = (state[1] >> SHIFT) | ONE
        words[first + 2] = (state[2] >> SHIFT) | ONE
        words[first + 3] = (state[3] >> SHIFT) | ONE


@njit()
def _round(state: Four, low_key: np.uint64, high_key: np.uint64) -> Four:
    of_first = _product(state[0], MULTIPLIERS[0][0], MULTIPLIERS[0][1])
    of_third = _product(state[2], MULTIPLIERS[1][0], MULTIPLIERS[1][1])
    return of_third[1] ^ state[1] ^ low_key, of_third[0], of_first[1] ^ state[3] ^ high_key, of_first[0]


@njit()
def _product(word: np.uint64, low: np.uint64, high: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The low and the high word of a product with a number that is given by its halves."""
    below, above = word & LOW, word >> HALF
    lowest, crossed = below * low, above * low
    middle = (lowest >> HALF) + (crossed & LOW) + below * high
    return (middle << HALF) | (lowest & LOW), above * high + (crossed >> HALF) + (middle >> HALF)
