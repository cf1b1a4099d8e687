"""Partners for swapping: who may be one, who must have one, and that each is as likely."""

from collections import Counter

import numpy as np
import pytest

from sdckit.kernels.partner_search import swap_partners


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
