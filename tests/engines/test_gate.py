"""The gate of a file beyond memory is green for the figure itself, never for a bound below it."""

import json
from io import StringIO
from pathlib import Path

import pytest

from sdckit import build
from sdckit.cli import main
from sdckit.engines.exactness import Exactness
from sdckit.engines.gate import _checked
from sdckit.evaluation.gate import Finding, Verdict
from sdckit.evaluation.policy import Rule


@pytest.mark.parametrize("optional", [True, False])
@pytest.mark.parametrize("exactness", Exactness)
def test_a_lower_bound_within_the_limit_does_not_meet_it(exactness: Exactness, optional: bool) -> None:
    rule = Rule(build("risk", "informed-intruder"), max=0.1, optional=optional)
    within, beyond = (_checked(Finding(rule, value), exactness) for value in (0.05, 0.5))
    assert within.met == (exactness is not Exactness.BOUNDED)
    assert Verdict((within,)).met == within.met and not within.left_out
    assert not beyond.met and beyond.value == 0.5


def test_families_are_found_beyond_memory_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("policy.toml").write_text('[[rules]]\nmeasure = "informed-intruder"\nmax = 0.9\n', encoding="utf-8")
    release = ("--schema", "schema.toml", "--recipe", "recipe.toml", "--key", "key")
    made = ("--schema", "schema.toml", "--recipe-out", "recipe.toml", "--key-out", "key", "-q")
    for words in (
        ("sample", "survey", "survey.csv", "--records", "150", "--seed", "1", "-q"),
        ("describe", "survey.csv", "--schema-out", "schema.toml", "-q"),
        ("protect", "survey.csv", "safe.csv", "--method", "rank-swapping:window=0.3", "--attributes", "age", *made),
    ):
        assert main(list(words)) == 0
    gate = ("gate", "safe.csv", "--original", "survey.csv", "--policy", "policy.toml", *release, "--json")
    verdicts = []
    for engine in ("memory", "duckdb"):
        monkeypatch.setattr("sys.stdout", printed := StringIO())
        assert main([*gate, "--engine", engine]) == 1
        verdicts.append(
            {each["rule"]: (each["value"], each["met"]) for each in json.loads(printed.getvalue())["rules"]}
        )
    assert verdicts[0] == verdicts[1]
    assert [met for _, met in verdicts[0].values()] == [True, False] and list(verdicts[0])[1] == "household-intruder"
