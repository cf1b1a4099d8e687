"""Edits as text on the command line: described, checked, kept by a masking, and refused where they contradict."""

from pathlib import Path

import pytest

from .conftest import Run

SCHEMA = """\
[attributes.total]
role = "key"
kind = "continuous"

[attributes.status]
kind = "unordered"

[[edits]]
condition = "total == net + tax"

[[edits]]
condition = 'if status == "married" then age >= 16'
"""
ROWS = """\
net,tax,total,age,status
1.5,0.5,2,12,single
2.5,0.5,3,13,single
3.5,0.5,4,14,single
9,1,10,40,married
8,2,10,41,married
7,3,11,42,married
"""


@pytest.fixture
def accounts(tmp_path: Path) -> Path:
    (tmp_path / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    (tmp_path / "in.csv").write_text(ROWS, encoding="utf-8")
    return tmp_path


def test_describe_counts_violations_and_names_edits_that_do_not_fit(run: Run, accounts: Path) -> None:
    schema = accounts / "schema.toml"
    found = run("describe", accounts / "in.csv", "--schema", schema, "--json").json
    assert found["edits_broken"] == {"total == net + tax": 1} and found["edit_problems"] == []
    schema.write_text(SCHEMA.replace('"married"', '"maried"'), encoding="utf-8")
    shown = run("describe", accounts / "in.csv", "--schema", schema)
    assert "1 record breaks the edit total == net + tax" in shown.out
    assert "has no category 'maried'; did you mean 'married'?" in " ".join(shown.out.split())


def test_protect_keeps_the_edits_or_says_which_are_broken(run: Run, accounts: Path) -> None:
    names = ("--attributes", "net,tax,total,age", "--schema", accounts / "schema.toml", "--json")
    for method, broken in (("edit-preserving-microaggregation", 0), ("mdav:group_size=6", 6)):
        out = accounts / f"{broken}.csv"
        done = run("protect", accounts / "in.csv", out, "--method", method, *names).json
        assert sum(each["broken"] for each in done["broken_edits"] if "net" in each["edit"]) == broken


def test_contradictory_edits_stop_every_masking_and_are_found_by_check(run: Run, accounts: Path) -> None:
    schema = accounts / "schema.toml"
    schema.write_text(SCHEMA + '\n[[edits]]\ncondition = "tax >= 5"\n\n[[edits]]\ncondition = "tax <= 3"\n', "utf-8")
    message = "no record can satisfy the edits tax >= 5 and tax <= 3 together"
    done = run("protect", accounts / "in.csv", accounts / "out.csv", "--schema", schema, "--method", "mdav")
    assert done.code == 2 and message in " ".join(done.err.split()) and not (accounts / "out.csv").exists()
    checked = run("check", schema)
    assert checked.code == 2 and message in " ".join((checked.out + checked.err).split())


def test_an_edit_that_cannot_be_read_is_refused_with_its_position(run: Run, accounts: Path) -> None:
    schema = accounts / "schema.toml"
    schema.write_text(SCHEMA.replace("net + tax", "net +"), encoding="utf-8")
    done = run("describe", accounts / "in.csv", "--schema", schema)
    assert done.code == 2 and "position 15: expected a column or a number" in " ".join(done.err.split())
