"""How many people of the intruder's own file are in the release is estimated from the two files."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from sdckit.catalogue import build
from sdckit.errors import ParameterError
from sdckit.external import External
from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.laws.presence import _mixed, estimated_strangers, strangers_beside
from sdckit.microdata import Microdata, Role
from sdckit.release import protect
from sdckit.testing.files import a_file

KNOWN, RELEASED = 200, 300
GUESS = KNOWN * RELEASED / (KNOWN + RELEASED)  # present, where nothing is known about it


def own_file(everybody, present, chain, seed):
    """A release of 300 persons, and an intruder with a file of 200 of whom so many are in it."""
    release = protect(everybody.take(np.arange(RELEASED)), chain, seed=seed)
    rng = np.random.default_rng(seed)
    inside = rng.choice(RELEASED, present, replace=False)
    outside = RELEASED + rng.choice(len(everybody) - RELEASED, KNOWN - present, replace=False)
    rows = np.concatenate([inside, outside])
    record = np.where(rows < RELEASED, rows, -1).tolist()
    return release, Intruder(file=External(everybody.only(everybody.names(role=Role.KEY)).take(rows), record=record))


def estimate(release, intruder):
    strangers = estimated_strangers(informed_law(intruder.view(release, seed=1), np.random.default_rng(1)))
    return KNOWN * RELEASED / (KNOWN + strangers)


@pytest.mark.parametrize(
    "present", [pytest.param(200, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.slow), 40]
)
def test_as_many_of_the_own_file_are_present_as_is_estimated(present):
    found = [estimate(*own_file(a_file(900, seed=seed), present, "additive-noise", seed)) for seed in range(4)]
    assert np.mean(found) == pytest.approx(present, abs=30)


@pytest.mark.parametrize("chain", ["rank-swapping", pytest.param("mdav", marks=pytest.mark.slow)])
@pytest.mark.parametrize("present", [200, 40])
def test_an_estimate_is_nearer_than_a_guess(chain, present):
    found = estimate(*own_file(a_file(900, seed=1), present, chain, 1))
    assert abs(found - present) < abs(GUESS - present)


def test_a_file_that_shows_nothing_leaves_the_guess():
    nothing = Microdata.from_frame(pl.DataFrame({"town": ["a"] * 900}), roles={"town": Role.KEY})
    assert estimate(*own_file(nothing, 40, "pram", 1)) == pytest.approx(GUESS, abs=2)


def test_so_many_are_strangers_that_the_rows_are_the_share_stated_of_all_people():
    """A tenth of the known 200 are present: the 300 rows are a tenth of 3,000 people, of whom 2,800 are not known."""
    release, intruder = own_file(a_file(900, seed=1), 20, "additive-noise", 1)
    law = informed_law(intruder.view(release, seed=1), np.random.default_rng(1))
    assert strangers_beside(law, 0.1) == 2_800
    assert strangers_beside(law, 1.0) == 100


@pytest.mark.slow
@pytest.mark.parametrize("present", [0.05, 0.2, 0.6])
def test_no_more_are_expected_to_be_found_than_are_said_to_be_present(present):
    release, intruder = own_file(a_file(900, seed=1), round(present * KNOWN), "rank-swapping", 1)
    informed = build("risk", "informed-intruder")
    expected = informed.measure(
        release, replace(intruder, file=replace(intruder.file, present=present)), seed=1
    ).details["expected_found"]
    assert 0 < expected <= present


@pytest.mark.parametrize("present", [0.0, -0.1, 1.5])
def test_a_share_present_that_is_none_is_an_error(present):
    with pytest.raises(ParameterError, match="the share present must be above 0"):
        External(pl.DataFrame({"town": ["a"]}), present=present)


def test_a_mixture_lies_between_its_densities_and_is_likelier_than_their_mean():
    rng, sizes = np.random.default_rng(2), np.array([3, 1, 2])
    one, other = rng.random(3), rng.random(3)
    assert _mixed(one, one, sizes) == pytest.approx(one)
    mixed = _mixed(one, other, sizes)
    assert (mixed >= np.minimum(one, other) - 1e-12).all() and (mixed <= np.maximum(one, other) + 1e-12).all()
    assert sizes @ np.log(mixed) >= sizes @ np.log((one + other) / 2)  # from which it starts
