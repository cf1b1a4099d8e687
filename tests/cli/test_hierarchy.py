"""`sdckit hierarchy`: build a hierarchy, see its levels with counts, write and reuse it."""

import tomllib
from pathlib import Path

import pytest

from .conftest import Run

ROWS = "age,marital,pay\n3,single,1.5\n17,widowed,2\n44,married,3\n71,single,4\n72,married,5\n"


@pytest.fixture
def people_of_all_ages(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_levels_are_counted_written_and_used(run: Run, people_of_all_ages: Path) -> None:
    schema, table = people_of_all_ages.with_name("s.toml"), people_of_all_ages.with_name("age.csv")
    out = people_of_all_ages.with_name("out.csv")
    breaks = ("--breaks", "0,15,25,65", "--breaks", "0,25,65")
    done = run("hierarchy", people_of_all_ages, "age", *breaks, "--schema-out", schema, "--out", table, "--json")
    assert [each["values"] for each in done.json["levels"][1:]] == [
        [{"value": value, "records": records} for value, records in level]
        for level in ([("0–14", 1), ("15–24", 1), ("25–64", 1), ("65+", 2)], [("0–24", 2), ("25–64", 1), ("65+", 2)])
    ]
    assert table.read_text("utf-8").splitlines()[-1] == "72;65+;65+;*"
    assert tomllib.loads(schema.read_text("utf-8"))["attributes"]["age"]["kind"] == "partially-ordered"
    again = run("hierarchy", people_of_all_ages, "age", "--schema", schema)
    assert again.code == 0 and "Level 2" in again.out
    masked = run(
        "protect", people_of_all_ages, out, "--schema", schema, "--method", "global-recoding:levels=2,attributes=age"
    )
    assert masked.code == 0, masked.err
    assert [line.split(",")[0] for line in out.read_text("utf-8").splitlines()[1:]] == [
        "0–24",
        "0–24",
        "25–64",
        "65+",
        "65+",
    ]


def test_orders_priorities_and_redactions_are_built_and_go_to_arx_and_back(run: Run, people_of_all_ages: Path) -> None:
    schema, table = people_of_all_ages.with_name("s.toml"), people_of_all_ages.with_name("tree.csv")
    for column, options, first in (
        ("marital", ("--order", "single,widowed,married", "--joined", "2"), "single;single – widowed;*"),
        ("marital", ("--priority", "married,single", "--kept", "2,1"), "married;married;married;*"),
        ("age", ("--redaction", "1", "--side", "left"), "17;*7;*"),
    ):
        done = run(
            "hierarchy", people_of_all_ages, column, *options, "--schema-out", schema, "--out", table, "-f", "--json"
        )
        assert done.code == 0, done.err
        assert first in table.read_text("utf-8").splitlines()
        schema.write_text(f'[attributes.{column}]\nrole = "key"\nhierarchy = {{ file = "{table.name}" }}\n', "utf-8")
        again = run("hierarchy", people_of_all_ages, column, "--schema", schema, "--json")
        assert again.json["levels"] == done.json["levels"]


def test_mistakes_name_the_cure(run: Run, people_of_all_ages: Path) -> None:
    for arguments, cure in (
        (("marital",), "build one, as with --breaks"),
        (("martial", "--groups", "single=alone"), "did you mean 'marital'"),
        (("age", "--breaks", "0,x"), "write numbers separated by commas"),
        (("age", "--breaks", "0,5", "--prefix", "1"), "give one of them"),
        (("marital", "--groups", "single"), "names no group"),
    ):
        done = run("hierarchy", people_of_all_ages, *arguments)
        assert done.code and cure in done.err, done.err
