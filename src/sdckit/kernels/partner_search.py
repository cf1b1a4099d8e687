"""Partners for swapping: similar units that differ in what is swapped."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

DRAWS = 32  # blind draws of a partner before all that are left are looked through


def swap_partners(
    profile: NDArray[np.int64],
    place: NDArray[np.int64],
    risky: NDArray[np.bool_],
    wanted: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Whom each unit swaps with; itself where it does not.

    Risky units choose first, in random order, then the others until `wanted` units are swapped. A partner is drawn
    uniformly among the unswapped units of the same profile that stand at another place.
    """
    shuffled = rng.permutation(len(profile))
    turn = shuffled[np.argsort(~risky[shuffled], kind="stable")]
    pool = np.argsort(profile, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(profile))])
    return _swap_partners(turn, pool, starts, profile, place, risky, wanted, rng)


@njit(cache=True)
def _swap_partners(
    turn: NDArray[np.int64],
    pool: NDArray[np.int64],
    starts: NDArray[np.int64],
    profile: NDArray[np.int64],
    place: NDArray[np.int64],
    risky: NDArray[np.bool_],
    wanted: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    partner = np.arange(len(turn))
    where = np.empty(len(turn), np.int64)
    where[pool] = np.arange(len(turn))
    ends = starts[1:].copy()
    swapped = 0
    for unit in turn:
        if partner[unit] != unit or (swapped >= wanted and not risky[unit]):
            continue
        first, end = starts[profile[unit]], ends[profile[unit]]
        found = -1
        for _ in range(DRAWS):
            other = pool[first + rng.integers(0, end - first)]
            if place[other] != place[unit]:
                found = other
                break
        if found < 0:
            found = _any_elsewhere(pool[first:end], place, unit, rng)
        if found < 0:
            continue
        partner[unit], partner[found] = found, unit
        swapped += 2
        for gone in (unit, found):
            end -= 1
            pool[where[gone]], where[pool[end]] = pool[end], where[gone]
        ends[profile[unit]] = end
    return partner


@njit(cache=True)
def _any_elsewhere(pool: NDArray[np.int64], place: NDArray[np.int64], unit: int, rng: np.random.Generator) -> int:
    """A unit drawn among those of the pool that stand elsewhere; -1 if none does."""
    found, seen = -1, 0
    for other in pool:
        if place[other] != place[unit]:
            seen += 1
            if rng.integers(0, seen) == 0:
                found = other
    return found
