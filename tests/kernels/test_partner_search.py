"""Partners for swapping: who may be one, who must have one, and that each is as likely."""

from collections import Counter

import numpy as np
import pytest

from sdckit.kernels.partner_search import DRAWS, swap_partners


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("min_swapped", [0, 12, 60])
def test_partners_have_the_same_profile_and_another_code(seed, min_swapped):
    rng = np.random.default_rng(seed)
    profile, code, risky = rng.integers(0, 4, 60), rng.integers(0, 3, 60), rng.random(60) < 0.1
    partner = swap_partners(profile, code, risky, min_swapped, rng)
    swapped = np.flatnonzero(partner != np.arange(60))
    assert (partner[partner] == np.arange(60)).all()
    assert (profile[partner] == profile).all()
    assert (code[partner[swapped]] != code[swapped]).all()
    assert len(swapped) <= max(2 * risky.sum(), min_swapped + 1)
    alone = partner == np.arange(60)
    for unit in np.flatnonzero(alone & (risky | (len(swapped) < min_swapped))):
        assert not (alone & (profile == profile[unit]) & (code != code[unit])).any()


def test_nobody_is_swapped_without_need():
    nobody = np.zeros(10, dtype=bool)
    partner = swap_partners(np.zeros(10, int), np.arange(10), nobody, 0, np.random.default_rng(0))
    assert partner.tolist() == list(range(10))


def test_every_other_code_is_as_likely():
    profile, code, risky = np.zeros(5, int), np.array([0, 0, 1, 1, 2]), np.arange(5) == 0
    rng = np.random.default_rng(1)
    seen = Counter(int(swap_partners(profile, code, risky, 0, rng)[0]) for _ in range(1500))
    assert sorted(seen) == [2, 3, 4]
    assert all(abs(number - 500) < 5 * np.sqrt(1500 * 2 / 9) for number in seen.values())


@pytest.mark.parametrize("others", [[700], [3, 400, 650]])
def test_a_rare_partner_is_always_found_and_each_of_several_at_times(others):
    """Nearly all units have the code of the one at risk, so that draws mostly fail."""
    code = np.zeros(2000, dtype=int)
    code[others] = 1
    risky = np.arange(2000) == 0
    rng = np.random.default_rng(2)
    seen = Counter(int(swap_partners(np.zeros(2000, int), code, risky, 0, rng)[0]) for _ in range(25 * len(others)))
    assert sorted(seen) == others


def partners_by_lists(profile, code, risky, min_swapped, rng):
    """The same draws with a list of the unswapped units of each profile: who leaves is replaced by the last."""
    shuffled = rng.permutation(len(profile)).tolist()
    order = [unit for unit in shuffled if risky[unit]] + [unit for unit in shuffled if not risky[unit]]
    pools = {number: np.flatnonzero(profile == number).tolist() for number in set(profile.tolist())}
    partner, swapped = list(range(len(profile))), 0
    for unit in order:
        if partner[unit] != unit or (swapped >= min_swapped and not risky[unit]):
            continue
        pool = pools[profile[unit]]
        chosen = None
        for _ in range(DRAWS):
            other = pool[rng.integers(0, len(pool))]
            if code[other] != code[unit]:
                chosen = other
                break
        if chosen is None:
            for seen, other in enumerate((each for each in pool if code[each] != code[unit]), start=1):
                if rng.integers(0, seen) == 0:
                    chosen = other
        if chosen is None:
            continue
        partner[unit], partner[chosen] = chosen, unit
        swapped += 2
        for used in (unit, chosen):
            last = pool.pop()
            if last != used:
                pool[pool.index(used)] = last
    return partner


def test_the_same_draws_give_the_partners_of_the_definition():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        units = int(rng.integers(1, 14))
        profile, code = rng.integers(0, 1 + seed % 3, units), rng.integers(0, 1 + seed % 4, units)
        risky, min_swapped = rng.random(units) < 0.3, int(rng.integers(0, units + 2))
        found = swap_partners(profile, code, risky, min_swapped, np.random.default_rng(seed))
        expected = partners_by_lists(profile, code, risky, min_swapped, np.random.default_rng(seed))
        assert found.tolist() == expected
