"""Partners for record swapping: units of the same profile that differ in the swapped attributes."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

DRAWS = 32  # random draws of a partner before all remaining units are scanned


def swap_partners(
    profile: NDArray[np.int64],
    code: NDArray[np.int64],
    risky: NDArray[np.bool_],
    min_swapped: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """The partner each unit swaps with; the unit itself if it is not swapped.

    Units at risk choose first, in random order, then the others until `min_swapped` units are swapped. A partner is
    drawn uniformly among the unswapped units of the same profile with another `code` of the swapped attributes.
    """
    shuffled = rng.permutation(len(profile))
    order = shuffled[np.argsort(~risky[shuffled], kind="stable")]
    pool = np.argsort(profile, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(profile))])
    return _swap_partners(order, pool, starts, profile, code, risky, min_swapped, rng)


@njit(cache=True)
def _swap_partners(
    order: NDArray[np.int64],
    pool: NDArray[np.int64],
    starts: NDArray[np.int64],
    profile: NDArray[np.int64],
    code: NDArray[np.int64],
    risky: NDArray[np.bool_],
    min_swapped: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    partner = np.arange(len(order))
    pool_index = np.empty(len(order), np.int64)
    pool_index[pool] = np.arange(len(order))
    ends = starts[1:].copy()
    swapped = 0
    for unit in order:
        if partner[unit] != unit or (swapped >= min_swapped and not risky[unit]):
            continue
        first, end = starts[profile[unit]], ends[profile[unit]]
        chosen = -1
        for _ in range(DRAWS):
            other = pool[first + rng.integers(0, end - first)]
            if code[other] != code[unit]:
                chosen = other
                break
        if chosen < 0:
            chosen = _draw_from_all(pool[first:end], code, unit, rng)
        if chosen < 0:
            continue
        partner[unit], partner[chosen] = chosen, unit
        swapped += 2
        for used in (unit, chosen):
            end -= 1
            pool[pool_index[used]], pool_index[pool[end]] = pool[end], pool_index[used]
        ends[profile[unit]] = end
    return partner


@njit(cache=True)
def _draw_from_all(pool: NDArray[np.int64], code: NDArray[np.int64], unit: int, rng: np.random.Generator) -> int:
    """A unit drawn uniformly among those of the pool with another code; -1 if there is none."""
    chosen, seen = -1, 0
    for other in pool:
        if code[other] != code[unit]:
            seen += 1
            if rng.integers(0, seen) == 0:
                chosen = other
    return chosen
