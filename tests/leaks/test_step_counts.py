"""The counts after each step: in the private key, in `assess` and the internal report, and in nothing public."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sdckit.cli import main
from sdckit.files.key_file import read_key, write_key
from tests.leaks.files import marked_frame
from tests.leaks.scan import content_of

MARK = 987_654_321  # a count that nothing else has
SCHEMA = """
[attributes.name]
role = "identifier"
[attributes.income]
role = "key"
[attributes.hours]
role = "key"
[attributes.grade]
role = "confidential"
"""


def sdckit(*words: object) -> None:
    assert main([str(word) for word in words]) == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A file masked by a chain, whose key has marked counts after the first step."""
    marked_frame().select("name", "income", "hours", "grade").write_csv(tmp_path / "in.csv")
    (tmp_path / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    outputs = (
        "--key-out",
        tmp_path / "key",
        "--recipe-out",
        tmp_path / "recipe.toml",
        "--run-out",
        tmp_path / "run.toml",
    )
    chain = ("--method", "rounding:base=10,attributes=hours", "--method", "mdav:group_size=3")
    sdckit("protect", tmp_path / "in.csv", tmp_path / "out.csv", "--schema", tmp_path / "schema.toml", *chain, *outputs)
    key = read_key(tmp_path / "key")
    assert key.counts is not None
    before, first, last = key.counts.stages
    marked = replace(first, violations=dict.fromkeys(first.violations, MARK), expected_reidentifications=float(MARK))
    by_attribute = tuple(replace(each, changed=MARK, suppressed=MARK) for each in key.counts.attributes)
    steps = (replace(key.counts.steps[0], attributes=by_attribute), *key.counts.steps[1:])
    counts = replace(key.counts, stages=(before, marked, last), steps=steps)
    write_key(replace(key, counts=counts), tmp_path / "key", force=True)
    return tmp_path


def shows_the_mark(text: str) -> bool:
    return any(form in text for form in (str(MARK), f"{MARK:,}", "1 rounding"))


def inputs(folder: Path) -> tuple[object, ...]:
    return ("--schema", folder / "schema.toml", "--recipe", folder / "recipe.toml", "--key", folder / "key")


def test_the_terminal_and_json_of_assess_show_each_step(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("assess", folder / "in.csv", folder / "out.csv", *inputs(folder), "--measure", "il1")
    sdckit(*words)
    shown = capsys.readouterr().out
    assert f"{MARK:,}" in shown and "1 rounding" in shown and "2 mdav" in shown
    sdckit(*words, "--json")
    counts = json.loads(capsys.readouterr().out)["counts"]
    assert [each["stage"] for each in counts["stages"]] == ["before masking", "1 rounding", "2 mdav"]
    assert [each["stage"] for each in counts["steps"]] == ["1 rounding", "2 mdav"]


@pytest.mark.slow
def test_the_internal_report_has_them_and_nothing_public_does(folder: Path) -> None:
    reports = (folder / "internal.html", "--public-out", folder / "public.html")
    sdckit("report", folder / "in.csv", folder / "out.csv", *reports, *inputs(folder), "-q")
    assert f"{MARK:,}" in content_of(folder / "internal.html")
    (folder / "policy.toml").write_text('[[rules]]\nmeasure = "il1"\nmax = 1000\n', encoding="utf-8")
    policy = ("--original", folder / "in.csv", "--policy", folder / "policy.toml")
    outputs = ("--out", folder / "release", "--key-out", folder / "final-key", "-q")
    sdckit("publish", folder / "out.csv", *policy, *inputs(folder), *outputs)
    public = [folder / "public.html", folder / "recipe.toml", folder / "out.csv", *(folder / "release").iterdir()]
    assert not [path.name for path in public if shows_the_mark(content_of(path))]
    assert shows_the_mark(content_of(folder / "final-key")), "the key of the published file keeps them"


def test_what_protect_writes_beside_the_key_has_no_counts(folder: Path) -> None:
    for name in ("recipe.toml", "out.csv", "run.toml"):
        text = content_of(folder / name)
        assert "violations" not in text and "expected_reidentifications" not in text and "suppressed" not in text
