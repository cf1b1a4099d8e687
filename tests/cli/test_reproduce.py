"""`sdckit reproduce` lists the published experiments and runs one."""

import sys
from pathlib import Path

import pytest
from tests.conftest import reference_file

from .conftest import Run


def test_without_a_name_they_are_listed(run: Run) -> None:
    done = run("reproduce", "--quiet")
    assert done.code == 0 and "global-risk" in done.out.split()


def test_an_experiment_is_run_and_drawn(run: Run, tmp_path: Path) -> None:
    done = run("reproduce", "global-risk", "--records", 300, "--out", tmp_path, "--json")
    assert done.code == 0, done.err
    assert {row["experiment"] for row in done.json["rows"]} == {"noise", "flip", "recoding"}
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(f"figure-4-{number}.{ending}" for number in (1, 2, 3) for ending in ("png", "svg")),
        "global-risk.csv",
    ]
    lines = (tmp_path / "global-risk.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("experiment,records,strength") and len(lines) == 1 + len(done.json["rows"])
    again = run("reproduce", "global-risk", "--records", 300, "--out", tmp_path)
    assert again.code == 2 and "--force" in again.err


def test_a_person_reads_what_the_source_reports(run: Run) -> None:
    done = run("reproduce", "global-risk", "--records", 300)
    assert "What the source reports" in done.out and "Figure 4.2" in done.out
    assert "The source prints curves and no numbers" in " ".join(done.out.split())


def test_an_unknown_experiment_is_an_error_with_the_near_miss(run: Run) -> None:
    done = run("reproduce", "global-rsik")
    assert done.code == 2 and "did you mean 'global-risk'?" in done.err


def test_a_printed_table_stands_beside_ours(run: Run) -> None:
    reference_file("data", "CASCrefmicrodata.csv")
    done = run("reproduce", "mdav-benchmark", "--quick", "--json")
    assert {cell["figure"] for cell in done.json["cells"]} == {"SSE%"}
    assert [verdict["outcome"] for verdict in done.json["verdicts"]] == ["reproduced"]
    assert run("reproduce", "mdav-benchmark", "--quick", "--quiet").out.startswith("reproduced\tCensus")
    output = run("reproduce", "mdav-benchmark", "--quick").out
    assert "printed" in output and "ours" in output and "off by" in output and "Which parts are reproduced" in output


def test_a_printed_table_is_left_as_csv_and_drawn_against_ours(run: Run, tmp_path: Path) -> None:
    reference_file("data", "CASCrefmicrodata.csv")
    done = run("reproduce", "mdav-benchmark", "--quick", "--out", tmp_path / "made" / "here")
    assert done.code == 0, done.err
    made = tmp_path / "made" / "here"
    assert sorted(path.name for path in made.iterdir()) == [f"mdav-benchmark.{each}" for each in ("csv", "png", "svg")]
    header, first, *_ = (made / "mdav-benchmark.csv").read_text(encoding="utf-8").splitlines()
    assert header == "file,k,figure,printed,ours,spread,deviation,part,outcome"
    assert first.startswith("Census,3,SSE%,5.69,5.69") and first.endswith(",Census,reproduced")
    picture = (made / "mdav-benchmark.svg").read_text(encoding="utf-8")
    assert all(word in picture for word in ("printed in the source", "computed by us", "equal", "reproduced"))
    again = run("reproduce", "mdav-benchmark", "--quick", "--out", made)
    assert again.code == 2 and "--force" in again.err


def test_what_counts_as_reproduced_and_that_it_is_a_part_are_printed(run: Run) -> None:
    reference_file("data", "CASCrefmicrodata.csv")
    output = " ".join(run("reproduce", "mdav-benchmark", "--quick").out.split())
    assert "reproduced: every cell is equal at its printed digits" in output and "close" not in output
    assert "This is a part of the table" in output


def test_without_the_files_the_error_names_the_cure(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDCKIT_DATA", str(tmp_path))
    monkeypatch.setitem(sys.modules, "pooch", None)
    done = run("reproduce", "mdav-benchmark", "--out", tmp_path / "out")
    assert done.code == 2 and done.out == ""
    (line,) = done.err.strip().splitlines()
    assert "CASCrefmicrodata is not available" in line and "set SDCKIT_DATA" in line
    assert not (tmp_path / "out").exists()


def test_an_option_that_an_experiment_does_not_have_is_refused(run: Run) -> None:
    done = run("reproduce", "global-risk", "--quick")
    assert done.code == 2 and "takes no --quick" in done.err
