"""Every example runs by itself."""

import subprocess
import sys
from pathlib import Path

import pytest

import sdckit
from sdckit.evaluation.policy import Policy

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_the_example_runs(path: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*policy*.toml")), ids=lambda path: path.stem)
def test_the_policy_can_be_read(path: Path) -> None:
    assert Policy.from_toml(path).rules


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*recipe*.toml")), ids=lambda path: path.stem)
def test_the_recipe_can_be_read(path: Path) -> None:
    assert sdckit.Recipe.from_toml(path).steps


def test_every_example_is_in_the_list() -> None:
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert all(path.name in listed for path in EXAMPLES.iterdir() if path.suffix in (".py", ".toml"))
