"""A document runs no code: not through any table, verb or link, unless the user names the file."""

import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest

import sdckit.recipe
from sdckit.catalogue import entries
from sdckit.cli.verb import every_verb
from sdckit.errors import ParameterError, SdcError
from sdckit.evaluation.policy import Policy
from sdckit.methods.noise.additive_noise import AdditiveNoise
from sdckit.parameters import Parameter
from sdckit.recipe import Recipe
from sdckit.run import Run as RunDocument
from sdckit.user_function import FunctionInFile

from .conftest import Run

CODE = "from pathlib import Path\nPath(__file__).with_name('ran').touch()\n\ndef fit(frame):\n    return 1\n"
READS_CODE = ("policy", "recipe", "also_recipe")  # the options of documents whose components can have functions


FUNCTIONS = [  # every parameter of the catalogue that can be a function in a file, with its component
    (entry.kind, entry.name, each.name)
    for entry in entries()
    for each in entry.parameters
    if FunctionInFile in (each.type, *get_args(each.type))
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "link.py").symlink_to("model.py")
    (tmp_path / "inner").mkdir()
    (tmp_path / "other.py").write_text(CODE, encoding="utf-8")
    return tmp_path


def document(tmp_path: Path, table: str, name: str, parameter: str, text: str) -> Path:
    path = tmp_path / "document.toml"
    limit = "max = 1\n" if table == "rules" else ""
    path.write_text(f'[[{table}]]\nmeasure = "{name}"\n{parameter} = "{text}"\n{limit}', encoding="utf-8")
    return path


@pytest.mark.parametrize("text", ["model.py:fit", "link.py:fit", "./inner/../model.py:fit", "{folder}/model.py:fit"])
@pytest.mark.parametrize("table", ["rules", "measures"])
@pytest.mark.parametrize(("kind", "name", "parameter"), FUNCTIONS)
def test_no_table_names_a_function_of_a_file_that_is_not_allowed(
    folder: Path, kind: str, name: str, parameter: str, table: str, text: str
) -> None:
    assert kind != "masking", "a recipe can name code now: add its table here"
    path = document(folder, table, name, parameter, text.format(folder=folder))
    reads = [RunDocument.from_toml, *([Policy.from_toml] if table == "rules" else [])]
    for read in reads:
        for allowed in ((), [folder / "other.py"]):
            with pytest.raises(ParameterError, match="would run the code in"):
                read(path, allow_code=allowed)
        for allowed in (folder / "model.py", str(folder / "link.py"), folder / "inner" / ".." / "model.py"):
            read(path, allow_code=[allowed])
    assert not (folder / "ran").exists()  # what is allowed is read, and run only when it is called


def test_a_recipe_is_no_way_around(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declared = Parameter("function", FunctionInFile | None, None, "a function", None, None, (), "", "")
    built: list[Any] = []
    entry = SimpleNamespace(parameters=(declared,), build=lambda **values: built.append(values) or AdditiveNoise())
    monkeypatch.setattr(sdckit.recipe, "find", lambda kind, name: entry)
    steps = {"steps": [{"method": "own", "function": "model.py:fit"}]}
    with pytest.raises(ParameterError, match="would run the code"):
        Recipe.from_dict(steps, folder=folder)
    assert not built
    Recipe.from_dict(steps, folder=folder, allow_code=[folder / "model.py"])
    assert isinstance(built[0]["function"], FunctionInFile)


@pytest.mark.parametrize(("kind", "name", "parameter"), FUNCTIONS)
def test_no_component_takes_the_name_of_a_function_as_a_parameter(
    folder: Path, kind: str, name: str, parameter: str
) -> None:
    entry = next(each for each in entries(kind) if each.name == name)
    for text in (f"{folder}/model.py:fit", "model.py:fit", "os:system"):
        with pytest.raises(SdcError, match="is not"):
            entry.build(**{parameter: text})


@pytest.mark.parametrize("verb", every_verb())
def test_every_verb_that_reads_such_a_document_can_allow_code(verb: str) -> None:
    names = inspect.signature(every_verb()[verb].function).parameters
    assert ("allow_code" in names) == any(name in names for name in READS_CODE)


@pytest.mark.parametrize(
    "verb", [verb for verb, each in every_verb().items() if "policy" in inspect.signature(each.function).parameters]
)
def test_no_verb_runs_the_code_of_a_policy(run: Run, people: Path, folder: Path, verb: str) -> None:
    policy = document(folder, "rules", "user-analysis-loss", "analysis", "model.py:fit")
    recipe = folder / "recipe.toml"
    recipe.write_text('[[steps]]\nmethod = "mdav"\n', encoding="utf-8")
    files = (people, people, folder / "out.html") if verb == "report" else (people, "--original", people)
    out = ("--out", folder / "release") if verb == "publish" else ()
    typed = (verb, *files, *out, "--policy", policy, "--recipe", recipe)
    for more in ((), ("--allow-code", folder / "other.py")):
        done = run(*typed, *more)
        assert done.code == 2 and "--allow-code model.py" in done.err
    assert "is not a file; check its name" in run(*typed, "--allow-code", folder / "no.py").err
    assert not (folder / "ran").exists()


def test_checking_a_document_runs_nothing(run: Run, folder: Path) -> None:
    policy = document(folder, "rules", "user-analysis-loss", "analysis", "model.py:fit")
    assert run("check", policy).code == 0
    assert not (folder / "ran").exists()


def test_a_module_beside_an_allowed_file_does_not_stand_in_for_an_installed_one(folder: Path) -> None:
    (folder / "numpy.py").write_text("raise SystemExit('run')\n", encoding="utf-8")
    (folder / "colorsys.py").write_text("raise SystemExit('run')\n", encoding="utf-8")  # seldom imported already
    (folder / "model.py").write_text(
        "def fit(frame):\n    import numpy, colorsys\n    return numpy.pi\n", encoding="utf-8"
    )
    assert FunctionInFile.read("model.py:fit", folder)(None) > 3


def test_python_dash_m_imports_nothing_of_the_folder(tmp_path: Path) -> None:
    import subprocess
    import sys

    (tmp_path / "click.py").write_text("raise SystemExit('run')\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "sdckit", "--version"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("sdckit ")
