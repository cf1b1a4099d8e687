"""`check_document` finds all mistakes at once, and agrees with the JSON Schemas that are shipped."""

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from tools.json_schemas import FOLDER, json_schemas

import sdckit
from sdckit import check_document
from sdckit.datasets import simulate_business
from sdckit.document_check import problems_in
from sdckit.release_table import ReleaseTable
from tests.run_documents import runs, spoilt

SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))
FILES = ("schema", "recipe", "policy", "run")


@cache
def validator(name: str) -> Draft202012Validator:
    """The shipped JSON Schema of a document, with those that it refers to."""
    texts = {each: (FOLDER / f"{each}.json") for each in FILES}
    contents = {each: json.loads(path.read_text(encoding="utf-8")) for each, path in texts.items() if path.exists()}
    contents.setdefault("schema", {"properties": {"attributes": {}, "edits": {}}})
    resources = [(f"{each}.json", Resource(content, DRAFT202012)) for each, content in contents.items()]
    Draft202012Validator.check_schema(contents[name])
    return Draft202012Validator(contents[name], registry=Registry().with_resources(resources))


@pytest.mark.parametrize("path", json_schemas(), ids=lambda path: path.name)
def test_the_shipped_schemas_are_what_the_catalogue_gives(path):
    assert path.read_text(encoding="utf-8") == json_schemas()[path], "run `make stubs`"


@SLOW
@given(runs())
def test_a_run_without_mistakes_has_no_problems_and_fits_its_schema(document):
    assert problems_in(document) == ([] if document else problems_in({}))
    assert validator("run").is_valid(document)


@SLOW
@given(spoilt())
def test_a_mistake_is_seen_by_both(document):
    assert problems_in(document)
    assert not validator("run").is_valid(document)


@pytest.mark.parametrize("name", ["recipe", "policy"])
def test_a_part_has_a_schema_of_its_own(name):
    good = {"recipe": {"steps": [{"method": "mdav"}]}, "policy": {"rules": [{"measure": "il1", "max": 1}]}}
    assert validator(name).is_valid(good[name] | {"title": "ours"})
    assert not validator(name).is_valid({})


@pytest.mark.parametrize("entry", sdckit.entries(), ids=lambda entry: entry.name)
def test_every_default_that_a_document_can_contain_fits_the_schema(entry):
    plain = {each.name: each.default for each in entry.parameters if isinstance(each.default, bool | int | str)}
    table = {"method" if entry.kind == "masking" else "measure": entry.name, **plain}
    document = {"steps" if entry.kind == "masking" else "measures": [table]}
    assert validator("run").is_valid(document)
    assert problems_in(document) == [] or entry.name == "user-analysis-loss"


DOCUMENT = """
[attributes.age]
kind = "discret"
rol = "key"

[[steps]]
method = "mdaw"

[[steps]]
method = "mdav"
group_size = 0
blok_size = 2
attributes = "age"

[intruder]
attribute = ["age"]
noise = -1

[[measures]]
measure = "distance-linkag"

[[rules]]
measure = "il1"
cap = "much"
optional = "yes"

[grid.mdav]
group_size = [3, "five"]
"""


def test_all_mistakes_are_listed_with_table_key_and_cure(tmp_path: Path):
    path = tmp_path / "run.toml"
    path.write_text(DOCUMENT, encoding="utf-8")
    problems = check_document(path)
    assert [(each.table, each.key) for each in problems] == [
        ("attributes.age", "kind"),
        ("attributes.age", "rol"),
        ("steps 1", "method"),
        ("steps 2", "attributes"),
        ("steps 2", "group_size"),
        ("steps 2", "blok_size"),
        ("intruder", "attribute"),
        ("intruder", "noise"),
        ("measures 1", "measure"),
        ("rules 1", "optional"),
        ("rules 1", "max"),
        ("rules 1", "cap"),
        ("grid.mdav", "group_size"),
    ]
    cures = {(each.table, each.key): each.cure for each in problems}
    assert cures["steps 1", "method"] == "did you mean 'mdav'?"
    assert cures["steps 2", "blok_size"] == "did you mean 'block_size'?"
    assert cures["intruder", "attribute"] == "did you mean 'attributes'?"
    assert str(problems[2]) == "steps 1, method: there is no masking 'mdaw'; did you mean 'mdav'?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no table of a run"),
        ("steps = 3", "steps is not an array of tables"),
        ("rules = []", "rules is not an array of tables, or is empty"),
        ("steps = [3]", "has no method"),
        ("[rule]", "no table 'rule'; did you mean 'rules'"),
        ("[grid]", "the grid has no methods"),
        ("[grid.mdaw]\ngroup_size = [3]", "did you mean 'mdav'"),
        ("[grid.mdav]\ngroup_size = []", "it has no values"),
        ('[[steps]]\nmethod = "mdav"\ngroup_size = "3"', "'3' is not a whole number"),
        ("attributes = 3", "attributes are not tables"),
        ("steps = [", "not valid TOML"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, message: str):
    path = tmp_path / "document.toml"
    path.write_text(text, encoding="utf-8")
    assert [message in str(each) for each in check_document(path)] == [True]


def test_the_recipe_written_with_a_masked_file_is_accepted(tmp_path: Path):
    release = sdckit.protect(simulate_business(20, seed=1), "mdav")
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(ReleaseTable.of(release.masked).recipe_toml(release.recipe), encoding="utf-8")
    assert check_document(recipe) == []
    assert sdckit.Run.from_toml(recipe).recipe == release.recipe
    recipe.write_text('[[steps]]\nmethod = "mdav"\n[release]\nrecords = 20\n', encoding="utf-8")
    assert "needs a digest" in str(check_document(recipe)[0])


def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path):
    assert "cannot be read" in str(check_document(tmp_path / "none.toml")[0])


def test_checking_needs_no_validator(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "jsonschema", None)
    assert problems_in({"steps": [{"method": "mdav"}]}) == []
