"""Files that an intruder masks again where households are masked as a whole."""

import numpy as np

from sdckit.intruder import Intruder
from sdckit.laws.household_files import HOUSEHOLD, on_household_level, with_random_households
from sdckit.laws.learned import learned_blocks
from sdckit.laws.release_law import RowClasses
from sdckit.microdata import Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.testing.files import a_file
from tests.test_households import in_households


def released_in_households() -> tuple[Release, Microdata]:
    data = in_households(a_file(60))
    return protect(data, "rank-swapping:level=household", ["rent"], seed=1), data


def test_random_households_have_the_sizes_that_the_release_shows_and_one_value_each():
    release, data = released_in_households()
    view = Intruder(records=0.5).view(release, seed=1)
    file = data.only(["rent", "age"])
    made = with_random_households(file, view, view.published_recipe, np.random.default_rng(1))
    units = made.columns[HOUSEHOLD].astype(np.int64)
    shown = np.bincount(release.masked.units())
    sizes = np.bincount(units)
    assert made.names(role=Role.HOUSEHOLD) == (HOUSEHOLD,)
    assert set(sizes[sizes > 0]) <= set(shown)
    for household in np.unique(units):
        assert len(np.unique(made.columns["rent"][units == household])) == 1
    assert set(made.columns["rent"]) <= set(file.columns["rent"])
    assert np.array_equal(made.columns["age"], file.columns["age"])


def test_a_step_on_household_level_is_learned_from_random_households():
    release, _ = released_in_households()
    view = Intruder(attributes=("rent",), records=0.5).view(release, seed=1)
    rows = RowClasses.by(view.released, ["rent"])
    blocks = learned_blocks(view, view.published_recipe, ["rent"], rows, np.random.default_rng(1), whole=False)
    own = sum(block.of_pairs(np.arange(len(view)), rows.of[view.records]) for block in blocks)
    other = sum(block.of_pairs(np.arange(len(view)), rows.of[np.roll(view.records, 7)]) for block in blocks)
    assert own.mean() > other.mean()


def test_one_step_on_household_level_is_enough():
    release, _ = released_in_households()
    step = release.recipe.steps[0]
    other = protect(a_file(60), "rank-swapping", ["rent"], seed=1).recipe.steps[0]
    assert on_household_level(Recipe((step, other))) and on_household_level(Recipe((other, step)))
    assert not on_household_level(Recipe((other,)))
