"""The law of an intruder who knows the recipe: what is impossible, what is replayed, and what says nothing."""

import numpy as np
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import ReleaseLaw, Source
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.testing.files import a_file, with_missing


def file_of(**columns) -> Microdata:
    """Keys: text is a category (None: missing), numbers are numbers."""
    attributes, values = [], {}
    for name, column in columns.items():
        if any(isinstance(value, str) for value in column):
            categories = tuple(sorted({value for value in column if value is not None}))
            attributes.append(Attribute(name, Kind.UNORDERED, Role.KEY, categories=categories))
            values[name] = np.array([-1 if value is None else categories.index(value) for value in column])
        else:
            attributes.append(Attribute(name, Kind.CONTINUOUS, Role.KEY))
            values[name] = np.array([np.nan if value is None else value for value in column], dtype=float)
    return Microdata(tuple(attributes), values)


def law_of(release: Release, **knowledge) -> ReleaseLaw:
    return informed_law(Intruder(**knowledge).view(release, seed=1), np.random.default_rng(1))


def table_of(law: ReleaseLaw) -> np.ndarray:
    """The log-likelihood of every row for every record."""
    records, rows = np.divmod(np.arange(law.records * len(law.rows.of)), len(law.rows.of))
    total = sum(law.of_pairs(records, law.rows.of[rows]).values())
    return np.asarray(total).reshape(law.records, -1)


def test_an_unmasked_file_has_one_possible_value_per_attribute():
    data = file_of(town=["Ely", "Rye", "Ely"], age=[30, 40, 50])
    law = law_of(protect(data, "rounding:base=100", ["age"], seed=1), attributes=("town",))
    assert law.sources == {"town": Source.UNTOUCHED}
    assert np.array_equal(np.isfinite(table_of(law)), np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]], bool))


@pytest.mark.parametrize("numbers", [True, False])
def test_a_value_that_the_intruder_does_not_know_says_nothing(numbers):
    town = [1.0, 2.0, 3.0, 1.0] if numbers else ["Ely", "Rye", "Hay", "Ely"]
    data = file_of(town=town, age=[30, 40, 50, 60])
    release = protect(data, "rounding:base=100", ["age"], seed=1)
    assert (table_of(law_of(release, attributes=("town",), missing=1.0)) == 0).all()


@pytest.mark.parametrize("numbers", [True, False])
def test_a_hole_of_the_original_is_a_hole_of_the_row(numbers):
    town = [1.0, 2.0, None, 1.0] if numbers else ["Ely", "Rye", None, "Ely"]
    data = file_of(town=town, age=[30, 40, 50, 60])
    table = table_of(law_of(protect(data, "rounding:base=100", ["age"], seed=1), attributes=("town",)))
    assert np.isneginf(table[2]).tolist() == [True, True, False, True]


@pytest.mark.parametrize("numbers", [True, False])
def test_a_hole_in_the_release_is_impossible_for_a_record_with_a_value_where_nothing_suppresses(numbers):
    town = [1.0, 2.0, None, 1.0] if numbers else ["Ely", "Rye", None, "Ely"]
    data = file_of(town=town, age=[30, 40, 50, 60])
    table = table_of(law_of(protect(data, "rounding:base=100", ["age"], seed=1), attributes=("town",)))
    assert np.isneginf(table[[0, 1, 3], 2]).all()


@pytest.mark.parametrize("recipe", ["additive-noise", "multiplicative-noise", "rank-swapping", "mdav", "rounding"])
def test_a_hole_in_a_masked_number_is_next_to_impossible_for_a_record_with_a_value(recipe):
    data = with_missing(a_file(60))
    release = protect(data, recipe, ["age"], seed=1)
    table = table_of(law_of(release, attributes=("age",)))
    known, hole = ~data.absent("age"), release.masked.absent("age")
    assert hole.any()
    worst_present = np.array([line[~hole][np.isfinite(line[~hole])].max() for line in table[known]])
    assert (table[known][:, hole].max(axis=1) < worst_present - 5).all()


def test_a_hole_stays_possible_where_a_step_suppresses():
    data = a_file(60)
    release = protect(data, "local-suppression", ["town", "post code", "grade"], seed=1)
    holes = release.masked.absent("post code")
    assert holes.any()
    rows = np.flatnonzero(holes)
    table = table_of(law_of(release, attributes=("post code",)))
    assert np.isfinite(table[rows, rows]).all()


@pytest.mark.parametrize("recipe", ["mdav", "z-score-projection", "optimal-univariate"])
def test_a_deterministic_method_on_a_file_known_whole_is_replayed(recipe):
    release = protect(a_file(60), recipe, ["yearly income", "rent"], seed=1)
    law = law_of(release, attributes=("yearly income", "rent"))
    assert set(law.sources.values()) == {Source.REPLAYED}
    assert np.isfinite(np.diag(table_of(law))).all()


@pytest.mark.parametrize("recipe", ["mdav", "rounding", "top-coding"])
def test_the_possible_rows_are_those_with_the_released_value_of_the_record(recipe):
    release = protect(a_file(60), recipe, ["yearly income"], seed=1)
    table = table_of(law_of(release, attributes=("yearly income",)))
    values = release.masked.columns["yearly income"]
    assert np.array_equal(np.isfinite(table), values[:, None] == values[None, :])


def test_a_part_of_the_records_is_no_ground_for_a_replay():
    release = protect(a_file(60), "mdav", ["yearly income", "rent"], seed=1)
    law = law_of(release, records=0.5, attributes=("yearly income", "rent"))
    assert set(law.sources.values()) == {Source.LEARNED}


def test_a_part_of_the_attributes_is_no_ground_for_a_replay():
    release = protect(a_file(60), "mdav", ["yearly income", "rent"], seed=1)
    assert law_of(release, attributes=("rent",)).sources == {"rent": Source.LEARNED}


@pytest.mark.parametrize("recipe", ["additive-noise", "correlated-noise"])
def test_a_method_with_a_closed_law_needs_no_replay(recipe):
    release = protect(a_file(60), recipe, seed=1)
    law = law_of(release)
    touched = release.recipe.touched(release.masked)[0]
    assert {law.sources[name] for name in touched} == {Source.EXACT}


@pytest.mark.parametrize("second", ["local-suppression", "pram", "rank-swapping"])
def test_a_recoding_stays_visible_after_another_step(second):
    """Rows whose coarse value does not cover a record's own are far less likely, also if a later step follows."""
    data = a_file(60)
    release = protect(data, ["global-recoding", second], seed=1)
    law = law_of(release, attributes=("post code",))
    table = table_of(law)
    assert np.isfinite(np.diag(table)).all()
    own = np.diag(table)
    others = np.array([np.delete(line, index).min() for index, line in enumerate(table)])
    assert (own.mean() - others.mean()) > 2


@pytest.mark.parametrize("recipe", ["additive-noise", "rank-swapping", "mdav", "pram", "local-suppression"])
def test_the_true_row_is_possible_also_with_constant_columns(recipe):
    columns = {"age": np.full(40, 40.0), "yearly income": np.full(40, 0.1), "town": np.ones(40)}
    release = protect(a_file(40).with_columns(columns), recipe, seed=1)
    table = table_of(law_of(release))
    assert not np.isnan(table).any()
    assert np.isfinite(np.diag(table)).all()


def test_an_attribute_that_is_masked_by_itself_and_not_known_changes_nothing() -> None:
    rng = np.random.default_rng(4)
    data = file_of(**{name: np.round(rng.lognormal(5, 1, 100)) for name in "abc"})
    steps = ["rank-swapping:window=0.2", "additive-noise"]
    release = protect(data, Recipe.of(steps, ["a", "b", "c"]), seed=3)
    known = data.only(["a", "b"])
    fewer = Release.in_order(known, release.masked.only(["a", "b"]), Recipe.of(steps, ["a", "b"]))
    figures = [InformedIntruder().measure(each, Intruder(attributes=("a", "b"))).value for each in (release, fewer)]
    assert figures[0] == figures[1]
