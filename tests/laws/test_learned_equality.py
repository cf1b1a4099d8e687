"""Where a method leaves values unchanged, a row with exactly the record's value is likelier than one beside it."""

from types import SimpleNamespace

import numpy as np
import pytest

from sdckit.laws.blocks import UNKNOWN
from sdckit.laws.learned_equality import _frequency, _own, learned_equality
from sdckit.laws.learned_tables import number_law
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.risks import InformedIntruder, OrdinaryIntruder
from sdckit.testing.files import a_file

RECORDS, REPLAYS = 400, 4


def equality(after):
    """What is learned of these replays of a column of distinct values."""
    before = np.random.default_rng(1).normal(size=RECORDS)
    pairs = [(ends, ends) for ends in after(before)]  # every record has a row
    law = number_law("x", [before] * REPLAYS, pairs)
    return before, learned_equality(law, [before] * REPLAYS, pairs)


def test_the_share_of_unchanged_values_is_learned():
    def half_changed(before):
        for seed in range(REPLAYS):
            rng = np.random.default_rng(seed)
            yield np.where(rng.random(RECORDS) < 0.5, before, before + rng.normal(size=RECORDS))

    before, found = equality(half_changed)
    assert found.share == pytest.approx(0.5, abs=0.06)
    blocks = found.blocks(before, before, slice(None))
    everyone = np.arange(RECORDS)
    assert (blocks.of_pairs(everyone, everyone) > 1).all()  # by chance, one row of 400 is equal
    assert blocks.of_pairs(everyone[1:], everyone[:-1]) == pytest.approx(np.zeros(RECORDS - 1))


def test_values_that_all_change_say_nothing_of_equality():
    def all_changed(before):
        return (before + np.random.default_rng(seed).normal(size=RECORDS) for seed in range(REPLAYS))

    assert equality(all_changed)[1] is None


def test_ties_that_a_swap_leaves_equal_are_no_unchanged_values():
    """One value in ten is had by as many: that a swapped one is the same is what the table of ranks expects."""
    before = np.repeat(np.arange(10.0), RECORDS // 10)
    rng = np.random.default_rng(2)
    pairs = [(ends, ends) for ends in (rng.permutation(before) for _ in range(REPLAYS))]
    assert learned_equality(number_law("x", [before] * REPLAYS, pairs), [before] * REPLAYS, pairs) is None


def test_an_informed_intruder_sees_the_values_that_a_chain_left_unchanged():
    data = a_file(90)
    names = ["yearly income", "rent"]
    steps = (*Recipe.of("mondrian-strict", ["town", "age"]).steps, *Recipe.of("local-suppression", names).steps)
    release = protect(data, Recipe((*steps, *Recipe.of("multivariate-top-coding", ["age", *names]).steps)), seed=1)
    found = {attack: attack().measure(release).value for attack in (InformedIntruder, OrdinaryIntruder)}
    assert found[InformedIntruder] >= found[OrdinaryIntruder] - 0.015


def test_the_frequencies_of_rows_with_the_same_value_by_hand():
    assert _frequency(np.array([0, 2, 0, UNKNOWN]))[:3].tolist() == [0.5, 0.25, 0.5]
    assert _frequency(np.full(3, UNKNOWN)).tolist() == [0, 0, 0]


def test_a_row_is_as_likely_as_its_own_cell_says():
    law = SimpleNamespace(entries=np.diag([1.0, 2.0, 3.0]))
    assert _own(law, np.arange(9.0)).tolist() == [1] * 3 + [2] * 3 + [3] * 3


@pytest.mark.parametrize("replays", [1, 3])
def test_the_unchanged_beyond_what_is_expected_by_hand(replays):
    """All ten values stay; where any row is as likely as any other, one of ten would have its value anyway."""
    law, values = SimpleNamespace(entries=np.zeros((2, 2))), np.arange(10.0)
    found = learned_equality(law, [values] * replays, [(values, values)] * replays)
    assert found.share == pytest.approx(0.9)
    moved = np.roll(values, 5)
    assert learned_equality(law, [values] * replays, [(moved, values)] * replays) is None
