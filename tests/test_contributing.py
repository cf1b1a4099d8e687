"""The example in CONTRIBUTING really is all that it takes to add a method."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def copy_with_the_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A twin of the package with one file more: the one that CONTRIBUTING prints. All but `methods` is linked."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(r"`src/(sdckit/methods/\S+\.py)`\n\n```python\n(.*?)```", text, flags=re.DOTALL)
    assert found is not None
    copy = tmp_path_factory.mktemp("copy")
    (copy / "sdckit").mkdir()
    for each in (ROOT / "src" / "sdckit").iterdir():
        if each.name == "methods":
            shutil.copytree(each, copy / "sdckit" / "methods", ignore=shutil.ignore_patterns("__pycache__"))
        elif each.name != "__pycache__":
            (copy / "sdckit" / each.name).symlink_to(each)
    target = copy / found[1]
    assert not target.exists(), "the example is a method that exists by now; print another"
    target.write_text(found[2], encoding="utf-8")
    return copy


def sdckit(copy: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "sdckit", *arguments],
        env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=copy,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_new_method_is_listed(copy_with_the_example: Path) -> None:
    listed = json.loads(sdckit(copy_with_the_example, "list", "masking", "--json"))
    assert "triangular-noise" in [entry["name"] for entry in listed]


def test_the_new_method_is_shown_with_its_parameter_and_what_it_excludes(copy_with_the_example: Path) -> None:
    shown = json.loads(sdckit(copy_with_the_example, "show", "triangular-noise", "--json"))
    assert [parameter["name"] for parameter in shown["parameters"]] == ["half_width"]
    assert "further than the largest disturbance" in shown["excludes"]


def test_the_new_method_protects_a_file(copy_with_the_example: Path) -> None:
    before = [10.5, 20.25, 31.75, 44.5]
    (copy_with_the_example / "in.csv").write_text("x\n" + "\n".join(map(str, before)) + "\n", encoding="utf-8")
    method = ("--method", "triangular-noise:half_width=2", "--seed", "1")
    sdckit(copy_with_the_example, "protect", "in.csv", "out.csv", *method, "--quiet")
    after = [float(line) for line in (copy_with_the_example / "out.csv").read_text(encoding="utf-8").split()[1:]]
    assert after != before
    assert all(abs(one - other) <= 2 for one, other in zip(before, after, strict=True))


def test_the_new_method_keeps_the_contract(copy_with_the_example: Path) -> None:
    check = "import sdckit.testing; sdckit.testing.check(sdckit.find('masking', 'triangular-noise'))"
    done = subprocess.run(
        [sys.executable, "-c", check],
        env={**os.environ, "PYTHONPATH": str(copy_with_the_example)},
        cwd=copy_with_the_example,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
