"""Households: a step on household level leaves one value to each household, whatever the masking."""

import pickle
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from sdckit.attribute import Level
from sdckit.catalogue import entries, find
from sdckit.errors import ParameterError, SchemaError
from sdckit.evaluation.household_checks import household_checks, household_warnings
from sdckit.households import agreement, household_attributes, one_row_each
from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import Source
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.row_order import order_traces
from sdckit.rows import Rows
from sdckit.schema import Schema
from sdckit.testing.files import a_file, fitting, with_missing

HOUSEHOLDS = 50
QUICK = ("pram", "rank-swapping", "mdav", "additive-noise", "global-recoding", "top-coding", "simple-sampling")
QUICK_LAWS = ("pram", "additive-noise", "top-coding")
MASKINGS = [entry for entry in entries("masking", Microdata) if entry.component.rows is not Rows.SYNTHESISED]


def in_households(data: Microdata, seed: int = 0, *, without: float = 0.0) -> Microdata:
    """The records of a file as households of one to four members, who have the same values; some have no number."""
    rng = np.random.default_rng(seed)
    units = rng.permutation(np.repeat(np.arange(len(data)), rng.integers(1, 5, len(data))))
    numbers = np.where(rng.random(len(units)) < without, np.nan, 100.0 + units)
    household = Attribute("household", Kind.DISCRETE, Role.HOUSEHOLD, integral=True)
    person = Attribute("person", Kind.DISCRETE, Role.KEY, integral=True)
    members = data.take(units)
    return replace(
        members,
        attributes=(*members.attributes, household, person),
        columns={**members.columns, "household": numbers, "person": rng.permutation(len(units)).astype(float)},
        lineage=None,
    )


def attributes_of(data: Microdata, masking) -> tuple[str, ...]:
    return tuple(name for name in fitting(data, masking.kinds) if name != "person")


def marked(each, quick=QUICK):
    return pytest.param(each, id=each.name, marks=() if each.name in quick else pytest.mark.slow)


FILES = {
    "plain": in_households(a_file(HOUSEHOLDS)),
    "missing values and numbers": in_households(with_missing(a_file(HOUSEHOLDS)), without=0.1),
}


@pytest.mark.parametrize("entry", [marked(each) for each in MASKINGS])
@pytest.mark.parametrize("file", FILES)
def test_every_masking_leaves_one_value_to_a_household(entry, file):
    masking = entry.build(**entry.component.example)
    data = FILES[file]
    names = attributes_of(data, masking)
    try:
        protect(one_row_each(data, data.units(), names), masking, names, seed=1)
    except SchemaError:
        pytest.skip("the method refuses such a file on any level")
    release = protect(data, masking.at_level("household"), names, seed=1)
    assert not any(agreement(release.masked, name).differing for name in names)
    assert household_warnings(release) == []
    origin = release.origin
    for name in names if masking.rows is Rows.KEPT and not masking.suppresses else ():
        assert np.array_equal(release.masked.absent(name), data.absent(name)[origin]), name


@pytest.mark.parametrize("entry", [marked(each, QUICK_LAWS) for each in MASKINGS])
@pytest.mark.parametrize("knowledge", [{}, {"records": 0.4}], ids=["everybody", "some"])
def test_the_law_of_a_household_step_never_excludes_the_truth(entry, knowledge):
    masking = entry.build(**entry.component.example)
    data = FILES["plain"]
    release = protect(data, masking.at_level("household"), attributes_of(data, masking), seed=1)
    view = Intruder(**knowledge).view(release, seed=1)
    law = informed_law(view, np.random.default_rng(1))
    truth = release.true_rows(view.records)
    drawn = np.flatnonzero(truth >= 0)
    total = sum(law.of_pairs(drawn, law.rows.of[truth[drawn]]).values())
    assert np.isfinite(total).all()


def test_the_members_of_a_household_get_what_its_row_alone_would_get():
    """Rounding has no draws, so the level makes no difference; a mean is taken over households, not members."""
    data = FILES["plain"]
    rounded = [
        protect(data, masking, ["rent"]).masked.columns["rent"] for masking in ("rounding", "rounding:level=household")
    ]
    assert np.array_equal(*rounded)
    masking = find("masking", "mdav").build(group_size=3)
    names = ("age", "rent")
    units = data.units()
    alone = protect(one_row_each(data, units, names), masking, names, seed=1).masked
    members = protect(data, masking.at_level("household"), names, seed=1).masked
    assert np.array_equal(members.matrix(names), alone.matrix(names)[units])


def test_pram_has_an_exact_law_on_household_level():
    data = FILES["plain"]
    release = protect(data, "pram:stay=0.7,level=household", ["town"], seed=1)
    law = informed_law(Intruder().view(release), np.random.default_rng(1))
    assert law.sources["town"] is Source.EXACT
    assert not law.exact  # members change together, so that rows are not independent


def test_record_level_pram_makes_households_contradict_themselves_and_household_level_does_not():
    data = in_households(a_file(300))
    apart, together = (
        protect(data, f"pram:stay=0.5,level={level}", ["town"], seed=1) for level in ("record", "household")
    )
    (check,) = household_checks(apart)
    assert check.name == "town"
    assert check.differing > 0.3 * check.households
    assert "differ within" in check.warnings()[0]
    assert household_checks(together) == []


def test_a_hole_of_one_member_beside_the_value_of_another_is_counted():
    data = FILES["plain"]
    sizes = np.bincount(data.units())
    member = np.flatnonzero(data.units() == int(np.argmax(sizes)))[0]
    town = data.columns["town"].copy()
    town[member] = -1
    release = Release.in_order(data, data.with_columns({"town": town}))
    (check,) = household_checks(release)
    assert (check.differing, check.shown) == (0, 1)
    assert "still released for another" in check.warnings()[0]


def test_only_attributes_of_the_household_are_masked_where_none_is_named():
    data = FILES["plain"]
    found = household_attributes(data)
    assert "town" in found
    assert "person" not in found
    release = protect(data, "additive-noise:level=household", seed=1)
    assert "person" not in release.recipe.steps[0].attributes
    assert "age" in release.recipe.steps[0].attributes
    assert any("equal within every household" in note for note in release.notes())


def test_a_declared_level_goes_before_what_the_values_show():
    data = FILES["plain"]
    declared = data.with_columns({}, [replace(data.attribute("town"), level=Level.RECORD)])
    assert "town" not in household_attributes(declared)
    schema = Schema.from_dict({"attributes": {"town": {"role": "key", "level": "household"}}})
    assert schema.attributes["town"].level is Level.HOUSEHOLD
    assert (
        Schema.from_dict({"attributes": {"town": {"level": "household"}}}).to_toml().count('level = "household"') == 1
    )


def test_an_attribute_that_differs_within_households_is_refused():
    with pytest.raises(SchemaError, match=r"'person'.*differ within"):
        protect(FILES["plain"], "additive-noise:level=household", ["person"])


def test_a_file_without_households_is_refused():
    with pytest.raises(SchemaError, match="role household"):
        protect(a_file(20), "additive-noise:level=household", ["age"])


def test_a_method_that_makes_new_rows_has_no_household_level():
    made = next(entry for entry in entries("masking", Microdata) if entry.component.rows is Rows.SYNTHESISED)
    with pytest.raises(ParameterError, match="makes new rows"):
        made.build(**made.component.example).at_level("household")


def test_households_that_a_sample_split_are_masked_as_they_are():
    data = FILES["plain"]
    apart = data.with_roles(household="other")
    sample = protect(apart, "simple-sampling:share=0.5", seed=1).masked.with_roles(household="household")
    release = protect(replace(sample, lineage=None), "pram:stay=0.5,level=household", ["town"], seed=1)
    assert not agreement(release.masked, "town").differing
    chain = Recipe.of(["simple-sampling:share=0.5", "pram:stay=0.5,level=household"], ["town"])
    assert not agreement(protect(data, chain, seed=1).masked, "town").differing


def test_a_sample_on_household_level_has_all_members_and_grown_weights():
    data = FILES["plain"]
    release = protect(data, "simple-sampling:share=0.5,level=household", seed=1)
    kept = np.unique(data.units()[release.origin])
    assert np.isin(data.units(), kept).sum() == len(release.masked)
    factor = release.masked.columns["weight"] / data.columns["weight"][release.origin]
    assert factor == pytest.approx(np.full(len(factor), HOUSEHOLDS / len(kept)))


def test_level_survives_the_recipe_and_pickling():
    recipe = Recipe.of("pram:stay=0.9,level=household", ["town"])
    again = Recipe.from_dict(recipe.to_dict())
    assert again.steps[0].masking.acts_on is Level.HOUSEHOLD
    assert again == recipe
    assert pickle.loads(pickle.dumps(recipe)) == recipe
    assert "level=household" in str(recipe)
    assert again.at_level("record").steps[0].masking == find("masking", "pram").build(stay=0.9)


def test_a_record_level_and_a_household_level_release_share_no_draw():
    data = a_file(40)
    alone = replace(
        data,
        attributes=(*data.attributes, Attribute("household", Kind.DISCRETE, Role.HOUSEHOLD)),
        columns={**data.columns, "household": np.arange(40.0)},
    )
    one, other = (
        protect(alone, f"additive-noise:level={level}", ["rent"], seed=1).masked for level in ("record", "household")
    )
    assert not np.isclose(one.columns["rent"], other.columns["rent"]).any()


def test_members_in_a_row_with_one_value_are_no_trace_of_the_order_but_sorted_households_are():
    rng = np.random.default_rng(2)
    households = np.repeat(np.arange(200.0), 3)
    number = Attribute("household", Kind.DISCRETE, Role.HOUSEHOLD, integral=True)
    for rents, traces in ((rng.normal(size=200), 0), (np.sort(rng.normal(size=200)), 1)):
        data = Microdata(
            (number, Attribute("rent", Kind.CONTINUOUS, Role.KEY)),
            {"household": households, "rent": np.repeat(rents, 3)},
        )
        release = protect(data, "additive-noise:level=household", ["rent"], seed=1)
        assert len(order_traces(release)) == traces
    assert len(order_traces(protect(data, "additive-noise", ["rent"], seed=1))) == 1


def test_a_masked_size_that_the_rows_show_is_named():
    sizes = [1, 2, 3, 4, 2, 3] * 4
    number = np.repeat(np.arange(len(sizes)), sizes)
    frame = pl.DataFrame({"household": number, "size": np.repeat(sizes, sizes), "job": np.tile(list("abc"), 20)})
    roles = {"household": "household", "size": "key", "job": "key"}
    data = Microdata.from_frame(frame, roles=roles)
    shuffled = protect(data, "rank-swapping:window=0.5,level=household", ["size"], seed=3)
    (warning,) = household_warnings(shuffled)
    assert "'size' is masked but can be counted" in warning
    hidden = shuffled.masked.without(["household"])
    assert household_warnings(Release.in_order(data, hidden, shuffled.recipe)) == []
    assert household_warnings(protect(data, "pram:stay=0.5", ["job"], seed=3)) == []
