"""A file masked again teaches what becomes of records; a stand-in for the original is never the release itself."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.replays import replay, replays
from sdckit.laws.stand_in import stand_in
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.testing.files import a_file, with_missing

RECIPES = ("mdav", "rounding", "top-coding", "rank-swapping", "optimal-univariate", "additive-noise", "mondrian-strict")


def stand_in_of(release, **knowledge):
    view = Intruder(**knowledge).view(release, seed=1)
    return view, stand_in(view.known, view.released, np.random.default_rng(1))


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_masked_number_of_a_stand_in_is_never_that_of_the_release(recipe):
    release = protect(a_file(60), recipe, seed=1)
    view, file = stand_in_of(release, records=0.5)
    masked = [name for step in view.published_recipe.steps for name in step.attributes]
    numbers = [name for name in masked if not view.released.attribute(name).coded]
    for name in numbers:
        assert not np.array_equal(file.columns[name], view.released.columns[name])


@pytest.mark.parametrize("recipe", ["mdav", "rounding", "global-recoding"])
def test_masking_a_stand_in_again_changes_it(recipe):
    """A release that is masked again stays the same; a stand-in must not, or the law would be the identity."""
    release = protect(a_file(60), recipe, seed=1)
    view, file = stand_in_of(release, records=0.5)
    again = replay(file, view.published_recipe, view.released, np.random.default_rng(2))
    assert again is not None
    masked = [name for step in view.published_recipe.steps for name in step.attributes]
    assert any(not np.array_equal(again.masked.columns[name], file.columns[name], equal_nan=True) for name in masked)


def test_known_numbers_have_the_quantiles_that_the_intruder_knows():
    release = protect(a_file(80), "rounding:base=1000", ["yearly income"], seed=1)
    view, file = stand_in_of(release)
    assert np.sort(file.columns["yearly income"]) == pytest.approx(np.sort(view.known.columns["yearly income"]))


def test_holes_that_the_masking_made_are_filled():
    release = protect(a_file(60), "local-suppression", seed=1)
    assert any(release.masked.missing(name) for name in ("town", "post code", "grade"))
    view, file = stand_in_of(release)
    assert not any(file.missing(name) for name in view.attributes)


def test_a_stand_in_has_no_more_holes_than_the_release():
    release = protect(with_missing(a_file(60)), "rank-swapping", seed=1)
    _, file = stand_in_of(release)
    assert file.missing("age") <= release.masked.missing("age")


def test_a_replay_knows_which_record_each_row_is_of():
    data = a_file(40)
    recipe = protect(data, "simple-sampling:share=0.5", seed=1).recipe
    again = replay(data, recipe, data, np.random.default_rng(1))
    assert again is not None
    there = np.flatnonzero(again.row_of >= 0)
    assert len(there) == len(again.masked) == 20
    ages = again.masked.columns["age"][again.row_of[there]]
    assert np.array_equal(ages, data.columns["age"][there])


def test_a_recipe_that_refuses_the_file_has_no_replays():
    data = a_file(40)
    recipe = protect(data, "mdav", ["rent"], seed=1).recipe
    assert replays(lambda: data.only(["age"]), recipe, data, np.random.default_rng(1)) == []


def test_a_replay_has_the_decimals_of_the_release_where_the_file_declares_fewer():
    """A file whose numbers are written with one decimal, released with all: means that were rounded would not agree."""
    values = np.random.default_rng(3).integers(0, 50, 60).astype(float)
    full = Microdata((Attribute("x", Kind.CONTINUOUS, Role.KEY),), {"x": values})
    released = protect(full, "mdav:group_size=3", seed=1).masked
    declared = full.with_columns({}, [replace(full.attribute("x"), decimals=1)])
    again = replay(declared, Recipe.of(["mdav:group_size=3"], ["x"]), released, np.random.default_rng(1))
    assert again is not None
    assert np.allclose(again.masked.columns["x"], released.columns["x"])
