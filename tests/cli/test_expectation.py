"""Before long work the command line says what it takes; small files are measured without a word."""

from pathlib import Path

import pytest
from tests.cli.conftest import Run

from sdckit.evaluation import estimate

POLICY = '[[rules]]\nmeasure = "distance-linkage"\nmax = 1\n'


@pytest.fixture
def release(run: Run, people: Path, schema: Path, tmp_path: Path) -> tuple[object, ...]:
    masked, recipe, key = tmp_path / "masked.csv", tmp_path / "recipe.toml", tmp_path / "key"
    files = ("--recipe-out", recipe, "--key-out", key)
    assert run("protect", people, masked, "--schema", schema, "--method", "mdav", *files).code == 0
    return masked, "--schema", schema, "--recipe", recipe, "--key", key


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["assess", "attack", "gate", "report"])
def test_every_verb_that_measures_says_what_a_large_file_takes(
    run: Run, release: tuple[object, ...], people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    masked, *options = release
    policy, out = tmp_path / "policy.toml", tmp_path / "report.html"
    policy.write_text(POLICY, encoding="utf-8")
    files = {
        "gate": (masked, "--original", people, "--policy", policy),
        "report": (people, masked, out, "--force"),
    }.get(verb, (people, masked))
    assert "this takes about" not in run(verb, *files, *options).err
    monkeypatch.setattr(estimate, "LARGE", 50)
    done = run(verb, *files, *options)
    assert done.code == 0
    assert "60 records: this takes about" in done.err and " GB" in done.err
    assert "this takes" not in run(verb, *files, *options, "--quiet").err


def test_a_file_that_does_not_fit_is_refused_before_it_is_measured(
    run: Run, release: tuple[object, ...], people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimate, "LARGE", 50)
    monkeypatch.setattr(estimate, "free_memory", lambda: 2**20)
    done = run("assess", people, *release)
    assert done.code == 2
    assert "are free; take a sample of the records" in done.err
