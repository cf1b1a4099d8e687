"""Every example of CONTRIBUTING is all that is needed to add such a part.

The examples are put into the folders of a copy of the package. One process then uses each of them, and the tests read
what it printed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "sdckit"
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"`src/sdckit/(\S+\.py)`\n\n```python\n(.*?)```", TEXT, flags=re.DOTALL))
pytestmark = pytest.mark.slow
KINDS = {"masking": "triangular-noise", "risk": "robust-linkage", "loss": "median-loss"}

SESSION = r"""
import io, json, sys
from contextlib import redirect_stdout, redirect_stderr
from pathlib import Path

import sdckit
from sdckit.catalogue import find
from sdckit.cli import main
from sdckit.testing import checks_for

results = {"commands": {}, "breaches": {}}


def run(name, *arguments):
    output, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        code = main(list(arguments))
    results["commands"][name] = {"code": code, "output": output.getvalue(), "errors": errors.getvalue()}


run("help", "--help")
run("list", "list", "--json")
for name in ("triangular-noise", "robust-linkage", "median-loss"):
    run(f"show {name}", "show", name, "--json")
run("protect", "protect", "in.csv", "out.csv", "--schema", "schema.toml", "--method", "triangular-noise:half_width=2",
    "--attributes", "x,y", "--recipe-out", "recipe.toml", "--key-out", "out.key")
files = ("in.csv", "out.csv", "--schema", "schema.toml", "--recipe", "recipe.toml", "--key", "out.key")
run("assess", "assess", *files, "--json")
run("gate", "gate", "out.csv", "--original", "in.csv", "--policy", "policy.toml", *files[2:], "--json")
run("report", "report", *files[:2], "report.html", *files[2:], "--json-out", "dossier.json")
run("sweep", "sweep", "in.csv", "--schema", "schema.toml", "--methods", "triangular-noise", "--seeds", "1",
    "--risk", "robust-linkage", "--loss", "median-loss", "--workers", "1", "--json")
run("recode", "protect", "in.csv", "months.csv", "--schema", "schema.toml", "--method", "global-recoding:levels=1",
    "--attributes", "day")
run("misspelt level", "protect", "in.csv", "no.csv", "--schema", "misspelt.toml", "--method", "mdav")
run("to jsonl", "protect", "in.csv", "out.jsonl", "--schema", "schema.toml", "--method", "triangular-noise",
    "--attributes", "x", "--recipe-out", "jsonl.toml", "--key-out", "jsonl.key")
run("from jsonl", "assess", "in.csv", "out.jsonl", "--schema", "schema.toml", "--key", "jsonl.key", "--measure", "il1")
run("no jsonl", "describe", "broken.jsonl")
for engine in ("threads", "memory"):
    run(f"by {engine}", "protect", "in.csv", f"{engine}.csv", "--schema", "schema.toml", "--engine", engine,
        "--method", "additive-noise", "--attributes", "x,y", "--seed", "1", "--recipe-out", f"{engine}.toml",
        "--key-out", f"{engine}.key")
run("digest", "digest", "in.csv", "--quiet")
run("digest of the reversed file", "digest", "reversed.csv", "--quiet")

from sdckit.methods import TriangularNoise
from sdckit.risks import RobustLinkage, WorstCase
from sdckit.losses import MedianLoss

results["classes"] = [each.__module__ for each in (TriangularNoise, RobustLinkage, MedianLoss)]
results["attacks"] = [part.name for part in WorstCase().parts()]
schema = sdckit.Schema.from_toml("schema.toml")
results["schema"] = schema.to_toml()
hierarchy = sdckit.read("in.csv", schema).attribute("day").hierarchy
results["ancestors"] = hierarchy.ancestors("2024-05-01")
results["problems"] = [str(each) for each in sdckit.check_document("wrong.toml")]
for kind, name in json.loads(sys.argv[1]).items():
    entry = find(kind, name)
    for check in checks_for(entry):
        try:
            check(entry)
        except Exception as failure:
            results["breaches"][f"{name}: {check.__name__}"] = str(failure)
print(json.dumps(results))
"""

SCHEMA = """
[attributes.x]
kind = "continuous"
role = "key"

[attributes.y]
kind = "continuous"
role = "key"

[attributes.day]
kind = "partially-ordered"
role = "key"
hierarchy = { dates = ["month", "year"] }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the examples in it, and the files that the session reads."""
    copy = tmp_path_factory.mktemp("copy")
    (copy / "sdckit").mkdir()
    extended = {Path(path).parts[0] for path in EXAMPLES}
    for each in PACKAGE.iterdir():
        if each.name in extended:
            shutil.copytree(each, copy / "sdckit" / each.name)
        elif each.name != "__pycache__":
            (copy / "sdckit" / each.name).symlink_to(each)
    for path, source in EXAMPLES.items():
        target = copy / "sdckit" / path
        assert target.parent.is_dir() and not target.exists(), f"{path} exists; print another example"
        target.write_text(source, encoding="utf-8")
    rows = [f"{1.5 * i + 0.25},{(i * 37) % 41 + 0.5},2024-{i % 12 + 1:02}-{i // 12 + 1:02}" for i in range(40)]
    (copy / "in.csv").write_text("\n".join(["x,y,day", *rows]) + "\n", encoding="utf-8")
    (copy / "reversed.csv").write_text("\n".join(["x,y,day", *reversed(rows)]) + "\n", encoding="utf-8")
    (copy / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    (copy / "misspelt.toml").write_text(SCHEMA.replace('"month"', '"mnoth"'), encoding="utf-8")
    (copy / "wrong.toml").write_text(SCHEMA.replace('["month", "year"]', '"month"'), encoding="utf-8")
    rules = '[[rules]]\nmeasure = "robust-linkage"\nmax = 1\n[[rules]]\nmeasure = "median-loss"\nmax = 1\n'
    (copy / "policy.toml").write_text(rules, encoding="utf-8")
    (copy / "broken.jsonl").write_text("{", encoding="utf-8")
    return copy


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, Any]:
    """What one process prints that uses every example."""
    done = subprocess.run(
        [sys.executable, "-c", SESSION, json.dumps(KINDS)],
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"},
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return outcome


def output(results: dict[str, Any], name: str) -> str:
    """What a command printed, which ended with exit code 0."""
    command = results["commands"][name]
    assert command["code"] == 0, command["errors"]
    text: str = command["output"]
    return text


def test_there_is_an_example_of_every_part() -> None:
    folders = {"methods", "risk", "loss", "files", "charts", "cli", "hierarchies", "engines"}
    assert {Path(path).parts[0] for path in EXAMPLES} == folders


@pytest.mark.slow
def test_the_components_are_listed_and_shown(results: dict[str, Any]) -> None:
    listed = {(entry["kind"], entry["name"]) for entry in json.loads(output(results, "list"))}
    assert set(KINDS.items()) <= listed
    masking = json.loads(output(results, "show triangular-noise"))
    assert [parameter["name"] for parameter in masking["parameters"]] == ["half_width"]
    assert "more than the largest error" in masking["excludes"]
    assert json.loads(output(results, "show robust-linkage"))["kind"] == "risk"
    assert json.loads(output(results, "show median-loss"))["kind"] == "loss"


def test_the_components_are_classes_of_the_typed_modules(results: dict[str, Any]) -> None:
    assert results["classes"] == [
        "sdckit.methods.noise.triangular_noise",
        "sdckit.risk.linkage.robust_linkage",
        "sdckit.loss.statistics.median_loss",
    ]


def test_the_components_keep_their_contract(results: dict[str, Any]) -> None:
    assert results["breaches"] == {}


def column(path: Path, name: str) -> list[str]:
    """The values of a column of a CSV file."""
    head, *rows = path.read_text(encoding="utf-8").split()
    return [row.split(",")[head.split(",").index(name)] for row in rows]


def test_the_masking_protects_a_file(results: dict[str, Any], folder: Path) -> None:
    assert "triangular-noise" in output(results, "protect")
    for name in ("x", "y"):
        before, after = (list(map(float, column(folder / path, name))) for path in ("in.csv", "out.csv"))
        assert before != after
        assert all(abs(one - other) <= 2 for one, other in zip(before, after, strict=True))


def test_the_measures_are_taken_by_default(results: dict[str, Any]) -> None:
    assessed = {score["name"]: score for score in json.loads(output(results, "assess"))["scores"]}
    assert 0 < assessed["robust-linkage"]["value"] <= 1
    assert assessed["median-loss"]["value"] > 0
    assert "robust-linkage" in results["attacks"], "a quick attack counts for the worst case"
    assert "worst-case" not in assessed, "the strongest of all attacks is measured by name"


def test_the_measures_are_the_axes_of_a_sweep_and_rules_of_a_policy(results: dict[str, Any]) -> None:
    swept = output(results, "sweep")
    assert "robust-linkage" in swept and "median-loss" in swept
    assert json.loads(output(results, "gate"))["met"]


def test_the_format_is_written_and_read(results: dict[str, Any], folder: Path) -> None:
    output(results, "to jsonl")
    lines = (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 40 and set(json.loads(lines[0])) == {"x", "y", "day"}
    assert "il1" in output(results, "from jsonl")
    refused = results["commands"]["no jsonl"]
    assert refused["code"] == 2 and "not a readable JSON Lines file" in refused["errors"]


def test_the_chart_is_in_the_report(results: dict[str, Any], folder: Path) -> None:
    output(results, "report")
    assert "Records re-identified by each attack" in (folder / "report.html").read_text(encoding="utf-8")
    sections = json.loads((folder / "dossier.json").read_text(encoding="utf-8"))["sections"]
    (risk,) = (section for section in sections if section["name"] == "risk")
    (chart,) = (chart for chart in risk["charts"] if chart["title"] == "Records re-identified by each attack")
    assert "robust-linkage" in [record["attack"] for record in chart["records"]]


def test_the_verb_is_in_the_help_and_runs(results: dict[str, Any]) -> None:
    assert re.search(r"^  digest +Print the digest of a file's content", output(results, "help"), flags=re.MULTILINE)
    assert output(results, "digest") == output(results, "digest of the reversed file")


def test_the_hierarchy_is_declared_in_a_schema(results: dict[str, Any], folder: Path) -> None:
    assert results["ancestors"] == ["2024-05-01", "2024-05", "2024", "*"]
    assert 'dates = ["month", "year"]' in results["schema"]
    assert ["must be a list" in problem for problem in results["problems"]] == [True]
    refused = results["commands"]["misspelt level"]
    assert refused["code"] == 2 and "did you mean 'month'" in refused["errors"]
    output(results, "recode")
    assert set(column(folder / "months.csv", "day")) == {f"2024-{month:02}" for month in range(1, 13)}


def test_the_engine_masks_as_the_one_in_memory_does(results: dict[str, Any], folder: Path) -> None:
    output(results, "by memory")
    output(results, "by threads")
    for name in ("x", "y"):
        by_threads, by_memory = (column(folder / f"{engine}.csv", name) for engine in ("threads", "memory"))
        assert by_threads == by_memory != column(folder / "in.csv", name)
