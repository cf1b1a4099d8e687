"""The action, the hooks, the Dockerfile and the conda recipe agree with pyproject.toml and with the command line."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import Environment

import sdckit
from sdckit.cli.verb import verb_named

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GATE = next(step for step in ACTION["runs"]["steps"] if "sdckit gate" in step.get("run", ""))
RECORDER = '#!/bin/bash\nprintf "%s\\n" "$@"\n'


def requirements(lines: list[str]) -> set[str]:
    return {line.replace(" ", "") for line in lines}


def conda_recipe() -> dict[str, Any]:
    text = (ROOT / "packaging" / "conda" / "meta.yaml").read_text(encoding="utf-8")
    rendered: dict[str, Any] = yaml.safe_load(Environment(autoescape=False).from_string(text).render(PYTHON="python"))
    return rendered


def test_the_conda_recipe_names_the_same_packages() -> None:
    recipe, python = conda_recipe(), f"python{PROJECT['requires-python']}"
    assert requirements(recipe["requirements"]["run"]) == requirements(PROJECT["dependencies"]) | {python}
    extra = PROJECT["optional-dependencies"]["all"]
    assert requirements(recipe["requirements"]["run_constrained"]) == requirements(extra)
    assert recipe["package"] == {"name": PROJECT["name"], "version": sdckit.__version__}
    entry_points = [f"{name} = {target}" for name, target in PROJECT["scripts"].items()]
    assert recipe["build"]["entry_points"] == entry_points
    assert recipe["about"]["license"] == PROJECT["license"] and recipe["about"]["summary"] == PROJECT["description"]


def test_the_demo_installs_what_a_report_needs() -> None:
    """`make demo` on a fresh machine installs no more than a user would, and writes reports."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (extra,) = re.findall(r"^\$\(RUNTIME\):.*\n\t\$\(call install,\[(\w+)\]\)", makefile, re.M)
    needed = {line for line in PROJECT["optional-dependencies"]["all"] if line.startswith("vl-convert")}
    assert needed and needed <= set(PROJECT["optional-dependencies"][extra])


def test_the_dockerfile_installs_extras_that_exist_on_a_python_that_is_supported() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    extras = re.findall(r'"\.\[([\w,]+)\]"', text)
    assert extras and set(extras[0].split(",")) <= set(PROJECT["optional-dependencies"])
    supported = {each.rpartition(" ")[2] for each in PROJECT["classifiers"] if "Python :: 3." in each}
    assert set(re.findall(r"^FROM python:(\d+\.\d+)", text, re.M)) <= supported
    assert re.search(r'ENTRYPOINT \["(\w+)"\]', text)[1] in PROJECT["scripts"]
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.M)
    kept = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.M)
    assert {path for line in copied for path in line.split()} == set(kept)
    assert all((ROOT / path).exists() for path in kept)


def test_what_the_dockerfile_runs_is_a_verb_with_these_options() -> None:
    assert "sdckit man --out" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert verb_named("man") is not None


def test_the_hooks_call_verbs() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for hook in hooks:
        program, verb = hook["entry"].split()
        assert program in PROJECT["scripts"] and verb_named(verb) is not None
        assert hook["language"] == "python"


def test_no_input_of_the_action_is_part_of_a_script() -> None:
    """A file name with a semicolon must not run anything."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    declared = set(ACTION["inputs"]) - {"python-version"}
    assert set(re.findall(r"inputs\.([\w-]+)", " ".join(GATE["env"].values()))) == declared


def gate_arguments(tmp_path: Path, program: str, **values: str) -> subprocess.CompletedProcess[str]:
    """Run the action's last step with another program as sdckit."""
    command = tmp_path / "sdckit"
    command.write_text(program, encoding="utf-8")
    command.chmod(0o755)
    unset = dict.fromkeys(GATE["env"], "")
    environment = os.environ | unset | values | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", GATE["run"]]
    return subprocess.run(words, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_action_passes_its_inputs_on(tmp_path: Path) -> None:
    done = gate_arguments(tmp_path, RECORDER, MASKED="a b.csv", ORIGINAL="o.csv", POLICY="p.toml; echo x")
    assert done.stdout.splitlines() == ["gate", "a b.csv", "--original", "o.csv", "--policy", "p.toml; echo x"]
    full = {"MASKED": "m", "ORIGINAL": "o", "POLICY": "p", "SCHEMA": "s", "RECIPE": "r", "KEY": "k", "JUNIT": "j"}
    done = gate_arguments(tmp_path, RECORDER, **full, ROWS_IN_ORDER="true")
    words = "gate m --original o --policy p --schema s --recipe r --key k --rows-in-order --junit j --force"
    assert done.stdout.split() == words.split()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(("limit", "code"), [(1, 0), (0, 1)])
def test_the_step_fails_where_the_policy_is_not_met(tmp_path: Path, limit: int, code: int) -> None:
    (tmp_path / "o.csv").write_text("a,b\n" + "\n".join(f"{i},{i % 3}" for i in range(20)) + "\n", encoding="utf-8")
    shutil.copy(tmp_path / "o.csv", tmp_path / "m.csv")
    rule = f'[[rules]]\nmeasure = "k-anonymity"\ngroup_size = 3\nmax = {limit}\n'
    (tmp_path / "p.toml").write_text(rule, encoding="utf-8")
    program = f'#!/bin/bash\nexec "{sys.executable}" -m sdckit "$@"\n'
    done = gate_arguments(tmp_path, program, MASKED="m.csv", ORIGINAL="o.csv", POLICY="p.toml", ROWS_IN_ORDER="true")
    assert done.returncode == code, done.stderr
