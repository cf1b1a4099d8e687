"""`sdckit reproduce` lists the published experiments and runs one."""

from pathlib import Path

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
