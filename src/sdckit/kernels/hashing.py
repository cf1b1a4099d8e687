"""Open addressing: where the search for a number begins, which changes its time and never what it finds."""

import numpy as np

from sdckit.kernels.compiled import njit

FEWEST = 16  # slots; more of them make a search faster
SEED = np.uint64(0x9E3779B97F4A7C15)  # the hash of no numbers; any other is as quick
MULTIPLIER = np.uint64(0xFF51AFD7ED558CCD)  # odd and without a pattern, so that searches are quick
HALF = np.uint64(32)  # bits: the upper half reaches the slots, too, which makes searches faster


@njit(cache=True, nogil=True)
def slots_for(numbers: int) -> int:
    """A power of two that leaves at least half of the slots free."""
    slots = FEWEST
    while slots < 2 * numbers:
        slots *= 2
    return slots


@njit(cache=True, nogil=True, inline="always")
def mixed(before: np.uint64, number: int | np.int64) -> np.uint64:
    """The hash of a number that follows others with the hash `before`; of the first one, `SEED`."""
    value = (before ^ np.uint64(number)) * MULTIPLIER
    return value ^ (value >> HALF)
