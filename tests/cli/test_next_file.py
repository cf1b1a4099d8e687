"""`sdckit protect --run`: the next file is compared with the earlier one before anything is masked."""

import json
import sys
from pathlib import Path

import pytest

from .conftest import Run

HEADER = "age,sex,region,pay\n"
ROWS = [f"{20 + n % 40},{'fm'[n % 2]},{'NSEW'[n % 4]},{1000 + n}" for n in range(60)]
SCHEMA = "\n".join(
    f'[attributes.{name}]\nrole = "{role}"'
    for name, role in {"age": "key", "sex": "key", "region": "other", "pay": "confidential"}.items()
)


@pytest.fixture
def earlier(run: Run, tmp_path: Path) -> Path:
    """The folder with the run of last year's file."""
    (tmp_path / "old.csv").write_text(HEADER + "\n".join(ROWS) + "\n", encoding="utf-8")
    (tmp_path / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    done = run(
        "protect", tmp_path / "old.csv", tmp_path / "safe.csv", "--schema", tmp_path / "schema.toml",
        "--method", "global-recoding-breaks:breaks=0+30+50,attributes=age", "--key-out", tmp_path / "old.key",
        "--run-out", tmp_path / "run.toml", "--recipe-out", tmp_path / "recipe.toml",
    )  # fmt: skip
    assert done.code == 0, done.err
    return tmp_path


def masked(run: Run, folder: Path, header: str, rows: list[str], *options: object):
    (folder / "new.csv").write_text(header + "\n".join(rows) + "\n", encoding="utf-8")
    return run("protect", folder / "new.csv", folder / "out.csv", "--run", folder / "run.toml", "--force", *options)


def test_the_same_file_has_not_drifted_and_is_masked_alike(run: Run, earlier: Path) -> None:
    done = masked(run, earlier, HEADER, ROWS, "--json")
    assert done.code == 0 and done.json["drift"] == []
    assert (earlier / "out.csv").read_bytes() == (earlier / "safe.csv").read_bytes()


def test_drift_is_listed_and_the_file_is_masked(run: Run, earlier: Path) -> None:
    rows = [f"{30 + n % 60},{'fm'[n % 2]},{'NSX'[n % 3]},{'' if n < 30 else 1005}" for n in range(60)]
    done = masked(run, earlier, HEADER, rows, "--json")
    assert done.code == 0, done.err
    assert {(each["column"], each["difference"]) for each in done.json["drift"]} == {
        ("age", "wider range"),
        ("region", "new categories"),
        ("region", "vanished categories"),
        ("pay", "missing values"),
    }
    assert "50+" in (earlier / "out.csv").read_text("utf-8")


def test_records_that_break_an_edit_are_counted_also_where_their_values_become_bands(run: Run, earlier: Path) -> None:
    with (earlier / "run.toml").open("a", encoding="utf-8") as document:
        document.write('\n[[edits]]\ncondition = "0 <= age <= 110"\n')
    assert "breaks the edit" not in masked(run, earlier, HEADER, ROWS).out
    done = masked(run, earlier, HEADER, [*ROWS[:-1], "999,f,N,1000"])
    assert done.code == 0 and "1 record of new.csv breaks the edit 0 <= age <= 110" in " ".join(done.out.split())


def test_nothing_is_masked_where_any_drift_shall_stop_it(run: Run, earlier: Path) -> None:
    done = masked(run, earlier, HEADER, [row.replace(",N,", ",X,") for row in ROWS], "--stop-on-drift")
    assert done.code and "nothing was masked" in done.err and "new categories" in done.out
    assert not (earlier / "out.csv").exists()


def test_what_cannot_work_is_refused_with_the_cure(run: Run, earlier: Path) -> None:
    without_age = masked(run, earlier, HEADER.replace("age", "agee"), ROWS, "--allow-undeclared")
    assert without_age.code and "step 1 (global-recoding-breaks) masks it" in without_age.err
    as_text = masked(run, earlier, HEADER, ["young" + row[2:] for row in ROWS])
    assert as_text.code and "'age'" in as_text.err
    new_column = masked(run, earlier, "id," + HEADER, [f"{n},{row}" for n, row in enumerate(ROWS)])
    assert new_column.code and "'id'" in new_column.err and "declare it" in new_column.err
    for options in (("--method", "mdav"), ("--schema", earlier / "schema.toml")):
        assert "leave out" in masked(run, earlier, HEADER, ROWS, *options).err


def test_a_column_that_no_step_masks_may_be_missing(run: Run, earlier: Path) -> None:
    rows = [",".join(row.split(",")[:2] + row.split(",")[3:]) for row in ROWS]
    done = masked(run, earlier, "age,sex,pay\n", rows, "--json")
    assert done.code == 0 and [each["column"] for each in done.json["drift"]] == ["region"]


def test_only_the_private_key_has_the_profile(earlier: Path) -> None:
    profile = json.loads((earlier / "old.key").read_text("utf-8"))["profile"]
    assert profile["columns"]["pay"]["highest"] == 1059 and profile["columns"]["region"]["categories"] == list("ENSW")
    for name in ("run.toml", "recipe.toml", "safe.csv"):
        text = (earlier / name).read_text("utf-8")
        assert "highest" not in text and "profile" not in text
    assert "1059" not in (earlier / "run.toml").read_text("utf-8")


@pytest.mark.parametrize("options", [(), ("--json",), ("--stop-on-drift",)])
def test_drift_shows_values_of_records_on_a_terminal_only(
    run: Run, earlier: Path, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [row.replace(",N,", ",Q7731Z,") for row in ROWS[:-1]] + ["20,f,E,773177"]
    monkeypatch.setenv("FORCE_COLOR", "1")  # as in a workflow, whose log is kept
    done = masked(run, earlier, HEADER, rows, *options)
    assert "new categories" in done.out and "wider range" in done.out
    for value in ("Q7731Z", "773177", "N, S", "E, N", "1059"):
        assert value not in done.out + done.err
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert "Q7731Z" in masked(run, earlier, HEADER, rows, *options).out


def test_the_first_file_of_a_run_with_a_reference_is_masked_by_its_schema_and_recipe(run: Run, earlier: Path) -> None:
    (earlier / "old.key").unlink()
    done = masked(run, earlier, HEADER, ROWS)
    assert done.code == 2 and "mask the first file of a series by --schema" in done.err
    assert not (earlier / "out.csv").exists()
