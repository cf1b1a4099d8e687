"""`sdckit reproduce` lists the published experiments and runs one."""

from pathlib import Path

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
        f"figure-4-{number}.{ending}" for number in (1, 2, 3) for ending in ("png", "svg")
    ]
    again = run("reproduce", "global-risk", "--records", 300, "--out", tmp_path)
    assert again.code == 2 and "--force" in again.err


def test_a_person_reads_what_the_source_reports(run: Run) -> None:
    done = run("reproduce", "global-risk", "--records", 300)
    assert "What the source reports" in done.out and "Figure 4.2" in done.out


def test_an_unknown_one_is_told_with_its_near_miss(run: Run) -> None:
    done = run("reproduce", "global-rsik")
    assert done.code == 2 and "did you mean 'global-risk'?" in done.err


def test_a_printed_table_stands_beside_ours(run: Run) -> None:
    reference_file("data", "CASCrefmicrodata.csv")
    done = run("reproduce", "mdav-benchmark", "--quick", "--json")
    assert {cell["figure"] for cell in done.json["cells"]} == {"SSE%"}
    assert [verdict["outcome"] for verdict in done.json["verdicts"]] == ["reproduced"]
    assert run("reproduce", "mdav-benchmark", "--quick", "--quiet").out.startswith("reproduced\tCensus")
    told = run("reproduce", "mdav-benchmark", "--quick").out
    assert "printed" in told and "ours" in told and "off by" in told and "How near it comes" in told


def test_an_option_that_an_experiment_does_not_have_is_refused(run: Run) -> None:
    done = run("reproduce", "global-risk", "--quick")
    assert done.code == 2 and "takes no --quick" in done.err
