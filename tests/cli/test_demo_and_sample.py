"""`sdckit demo` and `sdckit sample` give a newcomer something to look at."""

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import sdckit
from sdckit.cli import attack, main
from sdckit.cli.terminal import Terminal

from .conftest import Outcome, Run

LEFT = {"survey.csv", "schema.toml", "recipe.toml", "protected.csv", "report.html", "report-public.html"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the demo is run, once for all tests."""
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def attacks() -> list[object]:
    """The releases that the demo attacks."""
    return []


@pytest.fixture(scope="module")
def demo(folder: Path, attacks: list[object]) -> Outcome:
    """What the demo prints that leaves its files in `demo`."""
    out, err = io.StringIO(), io.StringIO()
    attacked = attack.attacked

    def noted(terminal: Terminal, release: sdckit.Release, *rest: Any, **options: Any) -> Any:
        attacks.append(release)
        return attacked(terminal, release, *rest, **options)

    with pytest.MonkeyPatch.context() as patch, chdir(folder), redirect_stdout(out), redirect_stderr(err):
        patch.setattr(attack, "attacked", noted)
        code = main(["demo", "--out", "demo"])
    return Outcome(code, out.getvalue(), err.getvalue())


@pytest.mark.slow
def test_both_editions_of_the_report_are_made_from_one_attack(demo: Outcome, attacks: list[object]) -> None:
    assert demo.code == 0 and len(attacks) == 1


@pytest.mark.slow
def test_the_demo_leaves_what_it_says_and_says_where(demo: Outcome, folder: Path) -> None:
    assert demo.code == 0, demo.err
    assert {path.name for path in (folder / "demo").iterdir()} == LEFT
    assert all(f"demo/{name}" in demo.out for name in LEFT)
    assert "name" not in sdckit.read(folder / "demo" / "protected.csv")


@pytest.mark.slow
def test_the_commands_that_the_demo_prints_work(run: Run, demo: Outcome, folder: Path, tmp_path: Path) -> None:
    assert demo.code == 0, demo.err
    survey, schema, recipe = (folder / "demo" / name for name in ("survey.csv", "schema.toml", "recipe.toml"))
    assert run("describe", survey).code == 0
    masked = tmp_path / "masked.csv"
    assert run("protect", survey, masked, "--schema", schema, "--recipe", recipe).code == 0
    assert run("assess", survey, masked, "--schema", schema, "--recipe", recipe, "--rows-in-order").code == 0


def test_a_second_demo_asks_for_force(run: Run, tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text("precious", encoding="utf-8")
    done = run("demo", "--out", tmp_path)
    assert done.code == 2 and "--force" in done.err
    assert [path.read_text("utf-8") for path in tmp_path.iterdir()] == ["precious"]


@pytest.mark.parametrize("name", ["billing", "business", "survey"])
def test_a_sample_is_written_whole(run: Run, tmp_path: Path, name: str) -> None:
    out = tmp_path / "sample.csv"
    assert run("sample", name, out, "--records", 50, "--json").json == {"path": str(out), "records": 50}
    assert len(sdckit.read(out)) == 50


def test_a_sample_has_its_identifiers_so_that_one_can_see_them_go(run: Run, tmp_path: Path) -> None:
    run("sample", "survey", tmp_path / "survey.csv", "--records", 50)
    assert "name" in sdckit.read(tmp_path / "survey.csv")


@pytest.mark.parametrize(
    ("arguments", "cure"),
    [(("bilings", "x.csv"), "did you mean 'billing'?"), (("survey", "x.csv", "--records", "0"), "at least 1")],
)
def test_a_sample_that_is_not(run: Run, arguments: tuple[str, ...], cure: str) -> None:
    done = run("sample", *arguments)
    assert done.code == 2 and cure in done.err
