"""A column that the schema does not name is not released silently."""

from pathlib import Path

import polars as pl
import pytest

from sdckit import Microdata, Schema, protect, read, write
from sdckit.cli import main
from sdckit.errors import SchemaError
from sdckit.files import formats
from tests.leaks.files import LONG_SEED, RECORDS, marked_frame, marked_schema

EXTENSIONS = [
    suffix
    for each in formats()
    if each.write and each.in_file and each.domain is Microdata
    for suffix in each.suffixes
    if suffix != ".sas7bdat"
]


def without(schema: Schema, name: str) -> Schema:
    return Schema({each: declared for each, declared in schema.attributes.items() if each != name})


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("name", ["name", "town", "hours"])
def test_every_format_knows_what_the_schema_does_not_name(tmp_path: Path, extension: str, name: str) -> None:
    frame = marked_frame().select("name", "town", "hours", "income")
    path = tmp_path / f"people{extension}"
    write(Microdata.from_frame(frame), path)
    schema = Schema({each: marked_schema(marked_frame()).attributes[each] for each in frame.columns})
    assert read(path, schema).form.undeclared == ()
    assert read(path).form.undeclared == ()
    data = read(path, without(schema, name))
    assert data.form.undeclared == (name,)
    with pytest.raises(SchemaError, match=f"does not name '{name}'.*--allow-undeclared"):
        protect(data, "rank-swapping", ["income"], seed=LONG_SEED)
    assert name in protect(data, "rank-swapping", ["income"], seed=LONG_SEED, allow_undeclared=True).masked


def test_a_column_that_is_masked_need_not_be_declared() -> None:
    frame = marked_frame()
    data = Microdata.from_frame(frame, schema=without(marked_schema(frame), "hours"))
    assert "hours" in protect(data, "rank-swapping", ["income", "hours"], seed=LONG_SEED).masked


@pytest.fixture
def people(tmp_path: Path) -> Path:
    frame = marked_frame().select("name", "income", "hours").with_columns(iban=pl.Series(range(RECORDS)) * 7 + 1000)
    frame.write_csv(tmp_path / "people.csv")
    (tmp_path / "policy.toml").write_text('[[rules]]\nmeasure = "il1"\nmax = 1000\n', encoding="utf-8")
    return tmp_path / "people.csv"


def schema_file(folder: Path, **roles: str) -> Path:
    text = "".join(f'[attributes.{name}]\nrole = "{role}"\n\n' for name, role in roles.items())
    (folder / "schema.toml").write_text(text, encoding="utf-8")
    return folder / "schema.toml"


def masked(people: Path, *options: object) -> int:
    method = ("--method", "rank-swapping", "--attributes", "income,hours")
    outputs = ("--recipe-out", people.with_name("recipe.toml"), "--key-out", people.with_name("key"), "-f")
    words = ("protect", people, people.with_name("out.csv"), *method, *outputs, *options)
    return main([str(each) for each in words])


def published(people: Path, *options: object) -> int:
    words = ("publish", people.with_name("out.csv"), "--original", people, "--policy", people.with_name("policy.toml"))
    more = ("--recipe", people.with_name("recipe.toml"), "--key", people.with_name("key"))
    return main([str(each) for each in (*words, *more, "--out", people.with_name("release"), "-q", *options)])


def test_protect_and_publish_refuse_it_with_the_cure(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = schema_file(people.parent, name="identifier", income="key", hours="key")
    assert masked(people, "--schema", schema) == 2
    assert "'iban'" in capsys.readouterr().err and not people.with_name("out.csv").exists()
    assert masked(people, "--schema", schema, "--allow-undeclared") == 0
    capsys.readouterr()
    assert published(people, "--schema", schema) == 2
    assert "'iban'" in capsys.readouterr().err and not people.with_name("release").exists()


def test_the_look_for_identifiers_runs_with_a_schema_too(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = schema_file(people.parent, name="other", income="key", hours="key", iban="other")
    assert masked(people, "--schema", schema) == 0
    message = capsys.readouterr().err
    assert "'name' may identify the records" in message
    schema = schema_file(people.parent, name="identifier", income="key", hours="key", iban="identifier")
    assert masked(people, "--schema", schema) == 0
    assert "may identify" not in capsys.readouterr().err


def test_without_a_schema_what_looks_like_an_identifier_is_not_published(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert masked(people) == 0
    capsys.readouterr()
    assert published(people) == 2
    assert "may identify the records" in capsys.readouterr().err and not people.with_name("release").exists()
