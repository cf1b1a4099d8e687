"""`sdckit describe`: guesses with reasons, and a schema to edit."""

import tomllib
from pathlib import Path

from sdckit import read

from .conftest import Run


def test_roles_and_kinds_are_guessed_and_why(run: Run, people: Path) -> None:
    description = run("describe", people, "--json").json
    about = {each["name"]: each for each in description["attributes"]}
    assert description["records"] == 60
    assert about["name"]["role"] == "identifier"
    assert about["age"]["role"] == "key"
    assert all(each["reasons"] for each in about.values())


def test_the_schema_written_is_the_one_that_protect_takes(run: Run, people: Path) -> None:
    schema, out = people.with_name("guessed.toml"), people.with_name("out.csv")
    done = run("describe", people, "--schema-out", schema)
    assert done.code == 0 and "guessed.toml" in done.out
    assert tomllib.loads(schema.read_text("utf-8"))["attributes"]["name"]["role"] == "identifier"
    assert "# " in schema.read_text("utf-8"), "the reasons stand beside the guesses"
    arguments = ("--schema", schema, "--method", "mdav", "--attributes", "age", "--json")
    assert run("protect", people, out, *arguments).json["dropped"] == ["name"]


def test_an_edited_schema_is_left_alone_without_force(run: Run, people: Path, schema: Path) -> None:
    before = schema.read_text("utf-8")
    done = run("describe", people, "--schema-out", schema)
    assert done.code == 2 and "--force" in done.err
    assert schema.read_text("utf-8") == before


def test_what_a_schema_declares_is_not_guessed(run: Run, people: Path, tmp_path: Path) -> None:
    declared = tmp_path / "declared.toml"
    declared.write_text('[attributes.age]\nrole = "confidential"\nkind = "continuous"\n', encoding="utf-8")
    about = {each["name"]: each for each in run("describe", people, "--schema", declared, "--json").json["attributes"]}
    assert (about["age"]["role"], about["age"]["kind"]) == ("confidential", "continuous")
    assert about["age"]["reasons"] == ["declared in the schema"]


def test_a_column_that_the_schema_does_not_list_has_the_role_that_every_verb_uses(
    run: Run, people: Path, tmp_path: Path
) -> None:
    declared = tmp_path / "declared.toml"
    declared.write_text('[attributes.age]\nrole = "key"\n', encoding="utf-8")
    about = {each["name"]: each for each in run("describe", people, "--schema", declared, "--json").json["attributes"]}
    in_force = read(people, declared)
    assert {name: each["role"] for name, each in about.items()} == {
        each.name: each.role.value for each in in_force.attributes
    }
    assert "not listed in the schema" in about["name"]["reasons"][0]
    assert "guessed as identifier" in about["name"]["reasons"][0]
    assert "person 1" not in run("describe", people, "--schema", declared).out
    assert run("protect", people, tmp_path / "out.csv", "--schema", declared, "--method", "mdav").code == 2
    draft = tmp_path / "draft.toml"
    run("describe", people, "--schema", declared, "--schema-out", draft)
    assert tomllib.loads(draft.read_text("utf-8"))["attributes"]["name"]["role"] == "identifier"


def test_missing_values_and_uniques_are_counted(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_text("age,sex\n30,f\n30,f\n,m\n50,m\n", encoding="utf-8")
    description = run("describe", source, "--json").json
    assert description["uniques"] == 2
    assert next(each for each in description["attributes"] if each["name"] == "age")["missing"] == 1


def test_the_tables_name_every_column_and_no_identifying_value(run: Run, people: Path) -> None:
    output = run("describe", people).out
    assert all(name in output for name in ("name", "age", "income, net", "region"))
    assert "person 1" not in output


def test_quiet_gives_one_line_a_column(run: Run, people: Path) -> None:
    lines = run("describe", people, "-q").out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["name", "age", "income, net", "region"]


def test_a_hierarchy_is_shown(run: Run, tmp_path: Path) -> None:
    file, schema = tmp_path / "zips.csv", tmp_path / "zips.toml"
    file.write_text("zip,x\n48201,1\n48202,2\n88202,3\n", encoding="utf-8")
    schema.write_text('[attributes.zip]\nkind = "partially-ordered"\nhierarchy = { prefix = [2] }\n', encoding="utf-8")
    attribute = run("describe", file, "--schema", schema, "--json").json["attributes"][0]
    assert attribute["hierarchy"] == "2 levels above 3 values, such as 48201 → 482** → *"
    assert "482**" in run("describe", file, "--schema", schema).out


def test_a_line_end_in_a_name_or_a_category_breaks_no_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text('"two\nlines","b"\n' + '"x\ny","1"\n' * 5 + '"z\tz","2"\n' * 4, encoding="utf-8")
    shown = run("describe", path).out
    assert "x␊y ×5, z␉z ×4" in shown
    assert "two␊lines" in shown
    assert run("describe", path, "--quiet").out.splitlines()[0].split("\t")[0] == "two␊lines"
