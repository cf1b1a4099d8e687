"""The command line as a whole: help, speed of start, exit codes, errors as one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sdckit
from sdckit.cli import INTERRUPTED, USER_ERROR, main
from sdckit.cli.app import VERBS

from .conftest import Run

HEAVY = ("numpy", "scipy", "numba", "polars", "pandas", "sklearn", "narwhals", "altair", "jinja2", "rich")


def shell(*arguments: str, **options: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "sdckit", *arguments], capture_output=True, text=True, encoding="utf-8", **options
    )


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom sdckit.cli import main\nmain(['--help'])\n"
        f"print('loaded:', [name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout.endswith("loaded: []\n")


@pytest.mark.parametrize("verb", [(), *((verb,) for verb in VERBS)])
def test_every_verb_explains_itself(run: Run, verb: tuple[str, ...]) -> None:
    done = run(*verb, "--help")
    assert done.code == 0
    assert "Usage:" in done.out
    assert "…" not in done.out.partition("Options:")[0], "the first line of a verb fits the list of verbs"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_json_and_quiet(run: Run, verb: str) -> None:
    told = run(verb, "--help").out
    assert "--json" in told and "--quiet" in told


def test_without_a_verb_the_help_is_shown(run: Run) -> None:
    assert run().out == run("--help").out


def test_the_version_is_told(run: Run) -> None:
    assert run("--version").out == f"sdckit {sdckit.__version__}\n"


def test_python_dash_m_works() -> None:
    assert shell("--version").stdout == f"sdckit {sdckit.__version__}\n"


def test_an_unknown_verb_is_told_with_the_near_miss(run: Run) -> None:
    done = run("asess")
    assert (done.code, done.out) == (USER_ERROR, "")
    assert done.err == "error: there is no verb 'asess'; did you mean 'assess'?\n"


@pytest.mark.parametrize("arguments", [("list", "--jsno"), ("protect",), ("protect", "a", "b", "--seed", "many")])
def test_a_wrong_call_is_one_line_that_points_to_the_help(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.code == USER_ERROR
    assert done.err.startswith("error: ") and done.err.count("\n") == 1
    assert f"see `sdckit {arguments[0]} --help`" in done.err


def test_with_json_an_error_is_json_too(run: Run) -> None:
    done = run("show", "mdva", "--json")
    assert done.code == USER_ERROR
    assert done.json == {"error": "there is no method or measure 'mdva'; did you mean 'mdav'?"}


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"set -o pipefail; {sys.executable} -m sdckit list --json | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, encoding="utf-8")
    assert done.stderr == ""


def test_an_interrupt_is_one_line(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sdckit.catalogue.entries", interrupt)
    done = run("list")
    assert done.code == INTERRUPTED
    assert done.err.startswith("error: interrupted") and done.err.count("\n") == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_file_without_permission_is_one_line(run: Run, people: Path, tmp_path: Path) -> None:
    people.chmod(0)
    done = run("describe", people)
    assert done.code == USER_ERROR
    assert done.err.startswith("error: ") and done.err.count("\n") == 1


def test_a_fault_of_our_own_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("sdckit.catalogue.entries", broken)
    with pytest.raises(ZeroDivisionError):
        main(["list"])
