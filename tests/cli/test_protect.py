"""`sdckit protect`: what is written, and what never is."""

import csv
import tomllib
from pathlib import Path

import polars as pl
import pytest

from sdckit.errors import FileError

from .conftest import Run


def columns(path: Path) -> dict[str, list[str]]:
    with path.open(newline="", encoding="utf-8") as handle:
        rows = list(csv.reader(handle))
    return dict(zip(rows[0], map(list, zip(*rows[1:], strict=True)), strict=True))


def test_keys_are_masked_identifiers_dropped_and_the_rest_is_kept(run: Run, people: Path, schema: Path) -> None:
    out = people.with_name("out.csv")
    done = run("protect", people, out, "--schema", schema, "--method", "mdav:group_size=3", "--json")
    assert done.code == 0, done.err
    before, after = columns(people), columns(out)
    assert list(after) == ["age", "income, net", "region"]
    assert after["region"] == before["region"]
    assert after["age"] != before["age"]
    assert min(map(after["age"].count, after["age"])) >= 3
    assert done.json["dropped"] == ["name"]
    assert done.json["unchanged"] == ["region"]
    assert done.json["steps"][0]["attributes"] == ["age", "income, net"]


def test_the_same_seed_gives_the_same_file_and_another_another(run: Run, people: Path, schema: Path) -> None:
    written = []
    for number, seed in enumerate((1, 1, 2)):
        out = people.with_name(f"out{number}.csv")
        assert run("protect", people, out, "--schema", schema, "--method", "rank-swapping", "--seed", seed).code == 0
        written.append(out.read_text(encoding="utf-8"))
    assert written[0] == written[1] != written[2]


def test_several_methods_make_a_chain(run: Run, people: Path, schema: Path) -> None:
    out, recipe = people.with_name("out.csv"), people.with_name("recipe.toml")
    chain = ("--method", "additive-noise:variance_share=0.2", "--method", "mdav:group_size=4")
    run("protect", people, out, "--schema", schema, *chain, "--seed", 5, "--recipe-out", recipe)
    assert [step["method"] for step in tomllib.loads(recipe.read_text())["steps"]] == ["additive-noise", "mdav"]
    again = people.with_name("again.csv")
    assert run("protect", people, again, "--schema", schema, "--recipe", recipe, "--seed", 5).code == 0
    assert again.read_text() == out.read_text()


@pytest.mark.parametrize(
    "typed", [("age,income, net",), ("income, net", "age"), ("age", "--attributes", "income, net")]
)
def test_a_column_name_with_a_comma_can_be_named(run: Run, people: Path, typed: tuple[str, ...]) -> None:
    out = people.with_name("out.csv")
    done = run("protect", people, out, "--method", "mdav", "--attributes", *_spread(typed), "--json")
    assert sorted(done.json["steps"][0]["attributes"]) == ["age", "income, net"]


def _spread(typed: tuple[str, ...]) -> tuple[str, ...]:
    if "--attributes" in typed:
        return typed
    return tuple(part for name in typed for part in ("--attributes", name))[1:]


def test_the_seed_appears_nowhere(run: Run, people: Path, schema: Path) -> None:
    out, recipe, report = (people.with_name(name) for name in ("out.csv", "recipe.toml", "report.html"))
    arguments = ("--schema", schema, "--method", "rank-swapping", "--seed", 918273645, "--recipe-out", recipe)
    done = run("protect", people, out, *arguments, "--report", report)
    assert done.code == 0, done.err
    as_json = run("protect", people, out, *arguments, "--report", report, "--force", "--json")
    for text in (done.out, done.err, as_json.out, *(path.read_text("utf-8") for path in (out, recipe, report))):
        assert "918273645" not in text


def test_shuffled_rows_are_the_same_rows_in_another_order(run: Run, people: Path, schema: Path) -> None:
    plain, shuffled = people.with_name("plain.csv"), people.with_name("shuffled.csv")
    arguments = ("--schema", schema, "--method", "mdav", "--seed", 1)
    run("protect", people, plain, *arguments)
    assert run("protect", people, shuffled, *arguments, "--shuffle-rows", "--json").json["shuffled"]
    one, other = plain.read_text().splitlines(), shuffled.read_text().splitlines()
    assert sorted(one) == sorted(other) and one != other


def test_a_formula_is_disarmed_on_request_and_reported(run: Run, people: Path) -> None:
    people.write_text("age,note\n30,=1+1\n40,fine\n50,fine\n", encoding="utf-8")
    out = people.with_name("out.csv")
    warned = run("protect", people, out, "--method", "mdav", "--json")
    assert warned.json["formula_cells"] == 1 and "--escape-formulas" in warned.err
    run("protect", people, out, "--method", "mdav", "--escape-formulas", "--force")
    assert columns(out)["note"][0] == "'=1+1"


def test_an_existing_file_is_left_alone_without_force(run: Run, people: Path) -> None:
    out = people.with_name("out.csv")
    out.write_text("precious", encoding="utf-8")
    done = run("protect", people, out, "--method", "mdav")
    assert done.code == 2 and "--force" in done.err
    assert out.read_text(encoding="utf-8") == "precious"
    assert run("protect", people, out, "--method", "mdav", "--force").code == 0
    assert out.read_text(encoding="utf-8") != "precious"


def test_no_masked_file_without_its_key(run: Run, people: Path, schema: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise FileError("no space is left for the key")

    monkeypatch.setattr("sdckit.files.key_file.write_key", full)
    out = people.with_name("out.csv")
    out.write_text("precious", encoding="utf-8")
    arguments = ("protect", people, out, "--schema", schema, "--method", "mdav", "--force")
    done = run(*arguments, "--key-out", people.with_name("out.key"))
    assert done.code == 2 and "no space" in done.err
    assert out.read_text(encoding="utf-8") == "precious"
    assert {path.name for path in people.parent.iterdir()} == {people.name, schema.name, "out.csv"}


def test_the_original_is_never_overwritten(run: Run, people: Path) -> None:
    before = people.read_bytes()
    done = run("protect", people, people, "--method", "mdav", "--force")
    assert done.code == 2
    assert people.read_bytes() == before


def test_what_looks_like_an_identifier_is_warned_of_without_a_schema(run: Run, people: Path) -> None:
    done = run("protect", people, people.with_name("out.csv"), "--method", "mdav")
    assert done.code == 0
    assert "warning: 'name' may identify the records" in done.err


def test_codes_of_missing_values_that_become_empty_cells_are_named(run: Run, tmp_path: Path) -> None:
    file, schema, out, other = (tmp_path / name for name in ("in.csv", "schema.toml", "out.csv", "out.parquet"))
    file.write_text("net pay,age\n-9,31\n100,32\n200,47\n300,48\n", encoding="utf-8")
    text = (
        '[attributes]\n"net pay" = { role = "confidential", missing = [-9] }\nage = { role = "key", missing = [999] }\n'
    )
    schema.write_text(text, encoding="utf-8")
    named = "the codes of missing values in 'net pay' are written as empty cells"
    for target, empty in ((out, False), (other, True)):
        done = run("protect", file, target, "--schema", schema, "--method", "mdav:group_size=2")
        assert (named in " ".join(done.out.split())) is empty
    assert out.read_text(encoding="utf-8").splitlines()[1].startswith("-9,")
    assert pl.read_parquet(other)["net pay"].to_list() == [None, 100, 200, 300]


def test_quiet_prints_nothing(run: Run, people: Path, schema: Path) -> None:
    done = run("protect", people, people.with_name("out.csv"), "--schema", schema, "--method", "mdav", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_the_summary_tells_what_was_done(run: Run, people: Path, schema: Path) -> None:
    output = run("protect", people, people.with_name("out.csv"), "--schema", schema, "--method", "mdav").out
    assert "age, 'income, net' by mdav" in output
    assert "name (identifiers)" in output
    assert "60 records" in output


def test_the_differential_privacy_of_a_recipe_is_shown_with_what_it_does_not_cover(
    run: Run, people: Path, schema: Path
) -> None:
    out = people.with_name("private.csv")
    method = ("--method", "randomised-response:epsilon=2", "--attributes", "region")
    done = run("protect", people, out, "--schema", schema, *method, "--json").json["differential_privacy"]
    assert done["epsilon"] == 2 and done["covered"] == ["region"]
    assert not done["of_whole_release"] and done["not_covered"] == ["age", "income, net"]
    assert "not differentially private" in done["statement"]
