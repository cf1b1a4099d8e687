"""A function in a file of the user's: found when named, run when called, identified by its content."""

import pickle
import sys
from pathlib import Path

import pytest

from sdckit.errors import AnalysisError, FileError, ParameterError, SdcError, UnknownNameError
from sdckit.user_function import FunctionInFile, content, outcome

MODEL = """\
from dataclasses import dataclass
import beside

print("loaded")
CALLS = []


@dataclass
class Result:
    value: float


def twice(number):
    import lazily_beside

    CALLS.append(number)
    return Result(beside.double(number)).value


def fails(number):
    if number:
        raise ValueError("no\\nnumber")


def leaves(number):
    raise SystemExit(3)


constant = 4
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "beside.py").write_text("def double(number):\n    return 2 * number\n")
    (tmp_path / "lazily_beside.py").write_text("")
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    return path


def test_it_is_called_with_its_neighbours_at_hand(model, capsys):
    before = list(sys.path)
    function = FunctionInFile.read(f"{model}:twice")
    assert capsys.readouterr() == ("", "")  # named, not run
    assert [function(3), function(4)] == [6, 8]
    assert capsys.readouterr() == ("", "loaded\n")  # run once, and stdout is left to the result
    assert sys.path == before


def test_it_survives_the_way_to_a_worker_even_where_the_file_changes(model):
    function = FunctionInFile.read(f"{model}:twice")
    sent = pickle.dumps(function)
    model.write_text("def twice(number):\n    return 0\n")
    assert pickle.loads(sent)(3) == 6
    assert FunctionInFile.read(f"{model}:twice")(3) == 0


def test_its_path_is_relative_to_a_folder_and_its_text_unchanged(model):
    function = FunctionInFile.read("model.py:twice", model.parent)
    assert function(1) == 2
    assert str(function) == "model.py:twice"


def test_its_repr_changes_with_the_content(model):
    one = FunctionInFile.read("model.py:twice", model.parent)
    model.write_text(MODEL + "\n")
    other = FunctionInFile.read("model.py:twice", model.parent)
    assert repr(one) != repr(other) and one != other
    assert content(one) == repr(one)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("model.py", ParameterError, "'model.py' names no function; .* such as model.py:fit"),
        ("model.py:", ParameterError, "names no function"),
        (":twice", ParameterError, "names no function"),
        ("modle.py:twice", FileError, "modle.py cannot be read: No such file"),
        (".:twice", FileError, "is a folder"),
        ("model.py:twcie", UnknownNameError, "no function in model.py called 'twcie'; did you mean 'twice'?"),
        ("model.py:CALLS.append", ParameterError, "names no function"),
        ("broken.py:twice", ParameterError, "broken.py, line 2 is not Python"),
        ("binary.py:twice", ParameterError, "binary.py.* is not Python"),
    ],
)
def test_what_cannot_be_found_is_refused_before_anything_runs(model, text, error, message):
    (model.parent / "broken.py").write_text("def twice(number):\n    return (\n")
    (model.parent / "binary.py").write_bytes(b"\x00\xff")
    with pytest.raises(error, match=message):
        FunctionInFile.read(text, model.parent)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fails", "^model.py:fails fails in model.py, line 22, with ValueError: \\[shown on a terminal only\\]$"),
        ("leaves", "^model.py:leaves fails in model.py, line 26, with SystemExit: \\[shown on a terminal only\\]$"),
        ("constant", "constant is of type int, not a function"),
    ],
)
def test_a_failure_is_one_line_with_its_line(model, name, message):
    function = FunctionInFile.read(f"model.py:{name}", model.parent)
    with pytest.raises(AnalysisError, match=message):
        outcome(function, 1)


def test_a_file_that_fails_when_loaded_is_named_and_tried_again(model):
    model.write_text("import no_such_module_at_all\n\ndef fit(frame):\n    return 1\n")
    function = FunctionInFile.read("model.py:fit", model.parent)
    for _ in range(2):
        with pytest.raises(SdcError, match=r"fails in model\.py, line 1, with ModuleNotFoundError"):
            outcome(function, None)
