import json
import math
import tomllib
from dataclasses import replace

import numpy as np
import pytest

from sdckit import Recipe, build, protect
from sdckit.attribute import Level
from sdckit.bands import Bands
from sdckit.candidates import Candidates
from sdckit.catalogue import entries, find
from sdckit.draws import Draws
from sdckit.errors import FileError, ParameterError, SchemaError, SdcError, UnknownNameError
from sdckit.masking import Masking
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Step, _with_whole_bands, masking_from_text, step_from_text
from sdckit.rows import Rows
from sdckit.testing.files import a_file, ordinary

TWO_STEPS = """
[[steps]]
method = "rank-swapping"
attributes = ["age", "yearly income"]
window = 0.1

[[steps]]
method = "mdav"
group_size = 4
"""


class Halved(Masking):
    """Keep every second record."""

    name, kinds, keeps_records = "halved", Kind.ANY, False

    def protect(self, data, attributes=(), *, draws):
        return data.take(np.arange(0, len(data), 2))

    def candidates(self, known, released):
        return known


class Suppressed(Masking):
    """Remove the values of every third record."""

    name, kinds, suppresses = "suppressed", Kind.ORDERED, True

    def transform(self, values, draws):
        return np.where(np.arange(len(values))[:, None] % 3 == 0, np.nan, values)

    def candidates(self, known, released):
        return replace(known, may_be_missing=frozenset(known.names))


def test_a_recipe_is_read_and_written_as_toml(tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text(TWO_STEPS, encoding="utf-8")
    recipe = Recipe.from_toml(path)
    swap, group = recipe.steps
    assert swap.masking == build("masking", "rank-swapping", window=0.1)
    assert swap.attributes == ("age", "yearly income")
    assert (group.masking.group_size, group.attributes) == (4, ())
    assert Recipe.from_dict(tomllib.loads(recipe.to_toml())) == recipe


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", FileError, "no steps"),
        ("steps = 3", FileError, "no steps"),
        ("[[steps]]\nwindow = 1", FileError, "step 1 names no method"),
        ("[[steps]]\nmethod = 'mdaw'", UnknownNameError, "did you mean 'mdav'"),
        ("[[steps]]\nmethod = 'mdav'\ngroup_sise = 3", ParameterError, "did you mean 'group_size'"),
        ("[[steps]]\nmethod = 'mdav'\ngroup_size = 0", ParameterError, "out of range"),
        ("[[steps]]\nmethod = 'mdav'\nattributes = 'age'", SchemaError, "list of column names"),
        ("[[steps", FileError, "not valid TOML"),
    ],
)
def test_a_wrong_recipe_is_refused_with_the_cure(tmp_path, text, error, message):
    path = tmp_path / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(error, match=message):
        Recipe.from_toml(path)


@pytest.mark.parametrize("method", [entry.name for entry in entries("masking", Microdata)])
def test_the_recipe_of_every_masking_is_valid_json(method):
    masking = find("masking", method).build()
    document = json.loads(json.dumps(Recipe.of(masking).to_dict(), allow_nan=False))
    assert Recipe.from_dict(document).steps[0].masking == masking


def test_a_recipe_that_is_not_there_is_refused():
    with pytest.raises(FileError, match="cannot be read"):
        Recipe.from_toml("no such file.toml")


def test_a_recipe_is_made_of_names_maskings_and_recipes():
    mdav = build("masking", "mdav", group_size=5)
    inner = Recipe.of(["additive-noise", mdav], ("age",))
    recipe = Recipe.of(["rank-swapping:window=0.2", inner])
    assert [step.masking.name for step in recipe.steps] == ["rank-swapping", "additive-noise", "mdav"]
    assert [step.attributes for step in recipe.steps] == [(), ("age",), ("age",)]
    assert Recipe((Step(inner, ("rent",)),)) == inner


def test_a_recipe_is_described_in_one_line():
    assert str(Recipe.of("rank-swapping:window=0.2")) == "rank-swapping(window=0.2)"


def test_a_step_draws_the_same_whatever_comes_after_it():
    alone = protect(ordinary(), Recipe.of("additive-noise", ("age",)), seed=1).masked
    chain = Recipe((*Recipe.of("additive-noise", ("age",)).steps, *Recipe.of("rank-swapping", ("rent",)).steps))
    assert np.array_equal(alone.columns["age"], protect(ordinary(), chain, seed=1).masked.columns["age"])


def test_the_same_step_twice_draws_twice():
    data = ordinary()
    once = protect(data, "additive-noise", ("yearly income",), seed=1).masked.columns["yearly income"]
    twice = protect(data, ["additive-noise"] * 2, ("yearly income",), seed=1).masked.columns["yearly income"]
    first, second = once - data.columns["yearly income"], twice - once
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.9


def test_a_recipe_masks_as_its_steps_do_one_after_the_other():
    recipe = Recipe.of(["rank-swapping", "additive-noise"])
    names = ("age", "rent")
    by_hand = ordinary()
    for number, step in enumerate(recipe.steps):
        own = Draws.of(3).of_step(number, step.masking.name, step.masking.parameters(), by_hand.only(names))
        by_hand = step.masking.protect(by_hand, names, draws=own)
    assert np.array_equal(recipe.protect(ordinary(), names, draws=Draws.of(3)).matrix(names), by_hand.matrix(names))


def test_a_dropped_record_hides_the_ranks_of_an_earlier_swap():
    data = a_file(50)
    recipe = Recipe.of(["rank-swapping:window=0.04", Halved()], ("age", "yearly income"))
    release = protect(data, recipe, seed=1)
    possible = recipe.candidates(Candidates.known(data, ("age", "yearly income")), release.masked)
    rows = release.true_rows(np.arange(50))
    assert all(possible.admits(release.masked, record)[row] for record, row in enumerate(rows) if row >= 0)


def test_a_swap_after_a_sample_is_attacked_by_the_ranks_in_the_sample():
    data = a_file(50)
    recipe = Recipe((Step(Halved(), ("age",)), *Recipe.of("rank-swapping:window=0.1", ("yearly income",)).steps))
    release = protect(data, recipe, seed=1)
    possible = recipe.candidates(Candidates.known(data, ("yearly income",)), release.masked)
    rows = release.true_rows(np.arange(50))
    admitted = np.array([possible.admits(release.masked, record) for record in range(50)])
    assert all(admitted[record, row] for record, row in enumerate(rows) if row >= 0)
    assert admitted.mean() < 0.5


def test_values_that_went_missing_are_not_excluded_by_a_later_swap():
    data = a_file(30)
    recipe = Recipe.of([Suppressed(), "rank-swapping:window=0.1"], ("yearly income",))
    release = protect(data, recipe, seed=1)
    possible = recipe.candidates(Candidates.known(data, ("yearly income",)), release.masked)
    assert all(possible.admits(release.masked, record)[record] for record in range(30))


def test_what_no_step_touched_is_released_as_it_is():
    data = a_file(30)
    recipe = Recipe.of("additive-noise", ("age",))
    release = protect(data, recipe, seed=1)
    possible = recipe.candidates(Candidates.known(data, ("age", "yearly income")), release.masked)
    assert [np.flatnonzero(possible.admits(release.masked, record)).tolist() for record in range(30)] == [
        [record] for record in range(30)
    ]


def test_the_released_recipe_names_the_attributes_of_each_step():
    data = ordinary()
    release = protect(data, ["mdav", "additive-noise", "simple-sampling"], seed=1)
    resolved = Recipe.of(["mdav", "additive-noise", "simple-sampling"]).resolve(data)
    assert release.recipe == resolved
    assert [step.attributes for step in resolved.steps] == [
        data.names(role=Role.KEY),
        data.names(kind=Kind.ORDERED, role=Role.KEY),
        tuple(each.name for each in data.attributes if each.role is not Role.IDENTIFIER),
    ]


def test_a_resolved_recipe_resolves_to_itself_and_masks_alike():
    data = ordinary()
    recipe = Recipe.of(["rank-swapping", "additive-noise"])
    resolved = recipe.resolve(data)
    assert resolved.resolve(data) == resolved
    one, other = (protect(data, each, seed=4).masked for each in (recipe, resolved))
    assert all(np.array_equal(one.columns[name], other.columns[name]) for name in one.columns)


def test_a_step_that_does_not_fit_is_refused_before_anything_is_masked():
    called = []

    class Watched(Halved):
        def protect(self, data, attributes=(), *, draws):
            called.append(attributes)
            return data

    with pytest.raises(SdcError, match="'town'"):
        protect(ordinary(), Recipe((Step(Watched(), ("age",)), *Recipe.of("additive-noise", ("town",)).steps)), seed=1)
    assert not called


def test_a_sample_keeps_a_column_without_any_value():
    data = ordinary().with_columns({"savings": np.full(60, np.nan)})
    release = protect(data, "simple-sampling", seed=1)
    again = protect(data, release.recipe, seed=1)
    assert "savings" in again.masked


def test_a_level_that_was_meant_as_levels_of_a_hierarchy_is_recognised():
    with pytest.raises(SchemaError, match="for levels of a hierarchy, write levels=1"):
        step_from_text("global-recoding:level=1")
    with pytest.raises(SchemaError, match=r'write "record" or "household"$'):
        step_from_text("mdav:level=1")


def test_a_written_recipe_names_every_parameter_that_says_something():
    masking = Recipe.of("top-coding").steps[0].masking
    written = Recipe.of("top-coding").to_dict()["steps"][0]
    said = {name: value for name, value in masking.parameters().items() if value not in (None, "", (), np.inf)}
    assert said.items() <= written.items()
    assert False in said.values()


def left_out(recipe: Recipe, names: tuple[str, ...], known: Candidates, released: Microdata, number: int = 0):
    return recipe._left_out(number, names, recipe.touched(released), known, released)


def test_a_step_is_visible_unless_a_later_one_changes_its_attributes_or_the_records():
    """A sampled file of 6 out of 10 records, of whose ages 2 are missing."""
    data = a_file(10)
    released = data.take(np.arange(6)).with_columns({"age": np.array([1.0, np.nan, 3, 4, np.nan, 6])})
    known, whole = (Candidates.known(data, ["age", "rent"], complete=complete) for complete in (False, True))
    swap = Recipe.of("rank-swapping", ["age"])

    def left(*later: str, names: tuple[str, ...] = ("age",), first: object = swap, known: Candidates = known):
        return left_out(Recipe.of([first, *later]), names, known, released)

    assert left() == 0
    assert left("additive-noise:attributes=rent") == 0
    assert left("additive-noise:attributes=age") is None
    assert left("local-suppression:attributes=age+town") == 2
    assert left("local-suppression:attributes=rent+town", names=("rent",)) == 0
    assert left("simple-sampling:share=0.6") == math.inf
    assert left("simple-sampling:share=0.6", known=whole) == 2 + 4
    assert left("simple-sampling:share=0.6", "local-suppression:attributes=age+town", known=whole) == 2 + 4
    assert left("simple-sampling:share=0.6", "additive-noise:attributes=age", known=whole) is None
    assert left("simple-sampling:share=0.6", names=("weight",), known=whole) is None
    noise = Recipe.of("additive-noise", ["age"])
    assert left("local-suppression:attributes=age+town", first=noise) is None
    sampled = Recipe.of("simple-sampling:share=0.9")
    assert left("simple-sampling:share=0.6", first=sampled, known=whole) == math.inf
    assert left_out(Recipe.of(["additive-noise:attributes=age", swap]), ("age",), known, released, 1) == 0


def test_a_chain_that_leaves_records_out_leaves_nobody_with_the_whole_file():
    data = a_file(10)
    known = Candidates.known(data, ["age", "rent"], complete=True)
    noise = Recipe.of("additive-noise", ["age"])
    assert noise.candidates(known, data).complete
    assert not Recipe.of([noise, "simple-sampling:share=0.6"]).candidates(known, data).complete
    assert noise.candidates(known, None) is None


def test_a_chain_does_to_the_rows_what_its_strongest_step_does():
    assert Recipe.of("mdav").rows is Rows.KEPT
    assert Recipe.of(["mdav", "simple-sampling"]).rows is Rows.SAMPLED
    assert Recipe.of(["simple-sampling", "gaussian-copula", "mdav"]).rows is Rows.SYNTHESISED


def test_a_recipe_of_recipes_is_the_chain_of_their_steps():
    inner = Recipe((*Recipe.of("mdav").steps, *Recipe.of("rounding", ["rent"]).steps))
    outer = Recipe((Step(inner, ("age",)), *Recipe.of("rank-swapping").steps))
    assert [(step.masking.name, step.attributes) for step in outer.steps] == [
        ("mdav", ("age",)),
        ("rounding", ("rent",)),
        ("rank-swapping", ()),
    ]
    with pytest.raises(ParameterError, match="no step"):
        Recipe(())


def test_a_step_is_read_with_its_attributes_and_its_level():
    step = step_from_text("rounding:base=5,attributes=age + hours,level=household", ("rent",))
    assert step.attributes == ("age", "hours") and step.masking.acts_on is Level.HOUSEHOLD
    assert step_from_text("rounding:base=5", ["rent"]).attributes == ("rent",)
    assert masking_from_text("rounding:base=5") == step_from_text("rounding:base=5").masking
    level = Recipe.of("mdav", ["age"]).at_level("household")
    assert [step.masking.acts_on for step in level.steps] == [Level.HOUSEHOLD]
    assert level.to_dict()["steps"][0]["level"] == "household"
    assert "level" not in Recipe.of("mdav", ["age"]).to_dict()["steps"][0]
    assert Recipe.from_dict(level.to_dict()) == level
    assert "attributes" not in Recipe.of("mdav").to_dict()["steps"][0]


def test_steps_are_announced_one_after_the_other_with_the_file_that_each_made():
    files = []
    recipe = Recipe.of(["rounding:base=10", "mdav"], ("age", "rent"))
    masked = recipe.protect(ordinary(), draws=Draws.of(1), after_step=lambda name, file: files.append((name, file)))
    assert [name for name, _ in files] == ["rounding", "mdav"] and files[-1][1] is masked
    assert (files[0][1].columns["rent"] % 10 == 0).all()


def test_a_step_that_computes_with_bands_is_refused_and_one_that_exchanges_them_is_not():
    bands = Bands((-np.inf, 65.0, np.inf), (40.0, 70.0), (None, "65+"))
    ages = Attribute("age", Kind.DISCRETE, Role.KEY, bands=bands)
    before = Microdata((ages,), {"age": np.array([70.0, 30.0, np.nan])})
    exchanged = before.with_columns({"age": np.array([30.0, np.nan, 70.0])})
    computed = before.with_columns({"age": np.array([50.0, 50.0, 50.0])})
    step, other = Step(build("masking", "mdav"), ("age",)), Step(build("masking", "mdav"), ("rent",))
    assert _with_whole_bands(step, before, exchanged) is exchanged
    assert _with_whole_bands(other, before, computed) is computed
    assert _with_whole_bands(step, before, before.without(["age"])) is not None
    with pytest.raises(SchemaError, match="recoded to bands"):
        _with_whole_bands(step, before, computed)


def test_a_step_knows_how_many_of_its_values_were_left_out():
    entered = []

    class Spy(Masking):
        name, kinds, reads_a_part, columnwise = "spy", Kind.ORDERED, True, True

        def candidates(self, known, released):
            entered.append((known.names, known.left_out, known.complete))
            return known

    data = a_file(4).only(["age", "rent", "town"])
    released = data.with_columns({"age": np.array([1.0, np.nan, 3, np.nan])})
    known = Candidates.known(data, ["age", "rent"], complete=True)
    suppression = Recipe.of("local-suppression", ["age", "town"]).steps
    Recipe((Step(Spy(), ("age", "rent")), *suppression)).candidates(known, released)
    assert entered == [(("age",), 2, True), (("rent",), 0, True)]
    entered.clear()
    Recipe((*suppression, Step(Spy(), ("age", "rent")))).candidates(known, released)
    assert entered == [(("age",), 0, False), (("rent",), 0, True)]
