"""The command line as a whole: help, speed of start, exit codes, errors as one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sdckit
from sdckit import cli
from sdckit.cli import INTERRUPTED, OWN_FAULT, USER_ERROR
from sdckit.cli.verb import every_verb, verb_named

from .conftest import Run

VERBS = every_verb()
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
    output = run(verb, "--help").out
    assert "--json" in output and "--quiet" in output


def test_without_a_verb_the_help_is_shown(run: Run) -> None:
    assert run().out == run("--help").out


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").out == f"sdckit {sdckit.__version__}\n"


def test_python_dash_m_works() -> None:
    assert shell("--version").stdout == f"sdckit {sdckit.__version__}\n"


def test_an_unknown_verb_is_an_error_with_the_near_miss(run: Run) -> None:
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


def piped_into_head(*arguments: object) -> "subprocess.CompletedProcess[str]":
    """Run a verb whose reader takes one line and goes away; its own exit code is printed last."""
    words = " ".join(f"'{each}'" for each in arguments)
    command = f"set -o pipefail; {sys.executable} -m sdckit {words} | head -n 1 > /dev/null; echo ${{PIPESTATUS[0]}}"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_reader_that_goes_away_is_no_error() -> None:
    done = piped_into_head("list", "--json")
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_exit_codes_are_kept_when_the_reader_goes_away(people: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    rule = '[[rules]]\nmeasure = "il1"\nmax = {}\n'
    gate = ("gate", people, "--original", people, "--policy", policy, "--rows-in-order", "--json")
    policy.write_text(rule.format(-1) * 300, encoding="utf-8")
    assert piped_into_head(*gate).stdout == "1\n"
    policy.write_text(rule.format(1) * 300, encoding="utf-8")
    assert piped_into_head(*gate).stdout == "0\n"
    policy.write_text("[[rules]]\n", encoding="utf-8")
    assert piped_into_head(*gate).stdout == "2\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_exit_codes_are_kept_without_a_standard_output() -> None:
    for words, code in (("list", 0), ("lisst", 2)):
        command = f"{sys.executable} -m sdckit {words} >&-"
        assert subprocess.run(["bash", "-c", command], capture_output=True).returncode == code


def test_the_exit_codes_of_the_process(run: Run, people: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    gate = ("gate", str(people), "--original", str(people), "--policy", str(policy), "--rows-in-order")
    for text, code in (('measure = "il1"\nmax = 1\n', 0), ("max = 1\n", 2), ('measure = "il1"\nmax = -1\n', 1)):
        policy.write_text(f"[[rules]]\n{text}", encoding="utf-8")
        assert run(*gate).code == code
    assert shell(*gate).returncode == code == 1


def test_a_fault_of_our_own_ends_with_3_and_says_how_to_report_it() -> None:
    broken = (
        "import sdckit.catalogue, sys\n"
        "def listing(*_): raise ZeroDivisionError('a private value')\n"
        "sdckit.catalogue.listing = listing\n"
        "from sdckit.cli import main\nsys.exit(main())"
    )

    def run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", broken, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**os.environ, **environment},
        )

    done = run("list")
    assert done.returncode == OWN_FAULT and done.stderr.count("\n") == 1
    for part in ("ZeroDivisionError", sdckit.__version__, "'list'", "--traceback", "SDCKIT_TRACEBACK=1"):
        assert part in done.stderr
    assert "a private value" not in done.stderr
    for seen in (run("--traceback", "list"), run("list", "--traceback"), run("list", SDCKIT_TRACEBACK="1")):
        assert seen.returncode == OWN_FAULT and "Traceback (most recent call last)" in seen.stderr


def test_an_interrupt_is_one_line(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sdckit.catalogue.listing", interrupt)
    done = run("list")
    assert done.code == INTERRUPTED
    assert done.err.startswith("error: interrupted") and done.err.count("\n") == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_file_without_permission_is_one_line(run: Run, people: Path, tmp_path: Path) -> None:
    people.chmod(0)
    done = run("describe", people)
    assert done.code == USER_ERROR
    assert done.err.startswith("error: ") and done.err.count("\n") == 1


def test_a_verb_imports_no_other_verb() -> None:
    code = (
        "import sys\nfrom sdckit.cli import main\nmain(['show', 'mdav', '--quiet'])\n"
        "print([name for name in sys.modules if name.startswith('sdckit.cli.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert "sdckit.cli.show" in done.stdout
    assert not any(f"sdckit.cli.{verb}'" in done.stdout for verb in ("sweep", "protect", "assess", "report"))


def test_every_verb_is_a_file_and_no_other_file_is_one() -> None:
    assert {"protect", "assess", "gate", "list"} <= set(VERBS)
    assert not {"inputs", "options", "terminal", "app", "verb"} & set(VERBS)
    assert verb_named("inputs") is None and verb_named("no/such") is None


STRANGER = '''"""`sdckit greet`: a verb that somebody added."""

from sdckit.cli.options import Json, Quiet
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb


def greet(json: Json = False, quiet: Quiet = False) -> None:
    """Greet the reader."""
    Terminal(json, quiet).result({"greeting": "hello"}, "hello")


VERB = Verb(greet, group="Added by others", order=99)
'''


def test_a_verb_is_added_by_one_new_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "greet.py").write_text(STRANGER, encoding="utf-8")
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(tmp_path)])
    assert run("greet", "-q").out == "hello\n"
    assert run("greet", "--json").json == {"greeting": "hello"}
    overview = run("--help").out
    assert "Added by others:" in overview and "Greet the reader." in overview
    assert "did you mean 'greet'" in run("gret").err
    sys.modules.pop("sdckit.cli.greet")
