"""No output is an input: every verb, every option that is written, every path that is read, under every name."""

import os
import re
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sdckit.cli.command import command as command_of
from sdckit.cli.outputs import Output, outputs_of
from sdckit.cli.verb import every_verb

from .conftest import Run

CONTENT = "age,income\n31,2100\n44,3900\n52,4800\n"
SPARE = {Path: "spare", float: "0.5", int: "1", str: "survey"}
WRITES = ("write", "draw", "folder")  # a word of these in the help of every option that is written


def path_parameters(verb: str) -> dict[str, Any]:
    """The parameters of a verb that are paths, as its parser has them."""
    command = command_of(verb, every_verb()[verb].function)
    hints = typing.get_type_hints(every_verb()[verb].function, include_extras=False)
    return {each.name: each for each in command.params if Path in _types(hints.get(each.name))}


def _types(hint: Any) -> set[Any]:
    inner = {each for part in typing.get_args(hint) for each in _types(part)}
    return inner | {hint}


def cases() -> Iterator[tuple[str, str, str]]:
    for verb, declared in every_verb().items():
        outputs = outputs_of(declared.function)
        for output in outputs:
            for other in path_parameters(verb):
                folder = other in outputs and outputs[other].files(Path("a.json"))[0] != Path(
                    "a.json"
                )  # the other way round then
                if other != output and not folder:
                    yield verb, output, other


def typed(verb: str, given: dict[str, Path], spare: Path) -> list[str]:
    """A command line with these paths; whatever else is required has some value, and replacing is allowed."""
    command = command_of(verb, every_verb()[verb].function)
    hints = typing.get_type_hints(every_verb()[verb].function)
    options, arguments = [], []
    for each in command.params:
        values = [str(given[each.name])] if each.name in given else []
        if not values and each.required:
            kind = next(kind for kind in SPARE if kind in _types(hints[each.name]))
            values = [str(spare) if kind is Path else SPARE[kind]]
        if each.name == "files" and values:
            values = [str(given.get("input", spare)), str(spare), *values] if each.name in given else values
        if each.param_type_name == "argument":
            arguments += values
        else:
            options += [part for value in values for part in (each.opts[0], value)]
    force = ["--force"] if any(each.name == "force" for each in command.params) else []
    return [verb, *arguments, *options, *force]


def same(path: Path) -> Path:
    return path


def dotted(path: Path) -> Path:
    return path.parent / "." / ".." / path.parent.name / path.name


def hard_link(path: Path) -> Path:
    return _made(path.with_name("hard.csv"), lambda name: os.link(path, name))


def symbolic_link(path: Path) -> Path:
    return _made(path.with_name("symbolic.csv"), lambda name: name.symlink_to(path.name))


def linked_folder(path: Path) -> Path:
    return _made(path.parent / "folder", lambda name: name.symlink_to(path.parent)) / path.name


def _made(path: Path, make: Callable[[Path], None]) -> Path:
    make(path)
    return path


NAMES = (same, dotted, hard_link, symbolic_link, linked_folder)
CASES = [(*case, NAMES[number % len(NAMES)]) for number, case in enumerate(cases())]
OTHERS = [(*case, name) for case in cases() for name in NAMES if (*case, name) not in CASES]


@pytest.mark.parametrize(("verb", "output", "other", "name"), CASES)
def test_no_path_that_is_written_is_another_path_of_the_command(
    run: Run, tmp_path: Path, verb: str, output: str, other: str, name: Callable[[Path], Path]
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    given = folder / "given.json"
    written = outputs_of(every_verb()[verb].function)[output].files(given)[0]  # of a folder, a file in it
    written.parent.mkdir(exist_ok=True)
    spare = tmp_path / "spare.csv"
    for path in (written, spare):
        path.write_text(CONTENT, encoding="utf-8")
    clash = name(written)
    paths = {output: clash, other: given} if written == given else {output: given, other: clash}
    done = run(*typed(verb, paths, spare))
    assert done.code == 2, done
    assert "an input is never overwritten" in done.err or "two of the files to write are the same" in done.err
    assert written.read_text(encoding="utf-8") == spare.read_text(encoding="utf-8") == CONTENT


@pytest.mark.slow
@pytest.mark.parametrize(("verb", "output", "other", "name"), OTHERS)
def test_nor_under_any_other_name(
    run: Run, tmp_path: Path, verb: str, output: str, other: str, name: Callable[[Path], Path]
) -> None:
    test_no_path_that_is_written_is_another_path_of_the_command(run, tmp_path, verb, output, other, name)


@pytest.mark.parametrize("name", ["part.parquet", "new.parquet"])
@pytest.mark.parametrize(
    ("verb", "output", "other"),
    [
        case
        for case in cases()
        if case[2] not in outputs_of(every_verb()[case[0]].function)
        and outputs_of(every_verb()[case[0]].function)[case[1]].files(Path("a.json"))[0] == Path("a.json")
    ],
)
def test_no_file_is_written_into_a_folder_of_parts_that_is_read(
    run: Run, tmp_path: Path, verb: str, output: str, other: str, name: str
) -> None:
    parts, spare = tmp_path / "parts", tmp_path / "spare.csv"
    parts.mkdir()
    for path in (parts / "part.parquet", spare):
        path.write_text(CONTENT, encoding="utf-8")
    done = run(*typed(verb, {output: parts / name, other: parts}, spare))
    assert done.code == 2, done
    assert "an input is never overwritten" in done.err or "would become a part of the input" in done.err
    assert [path.name for path in parts.iterdir()] == ["part.parquet"]
    assert (parts / "part.parquet").read_text(encoding="utf-8") == CONTENT


def test_the_last_file_of_a_report_is_written_and_the_others_are_read(run: Run, people: Path, tmp_path: Path) -> None:
    before = people.read_bytes()
    for files in (
        (people, tmp_path / "safe.csv", people),
        (tmp_path / "raw.csv", people, people),
        (people, people, people),
    ):
        done = run("report", *files, "--force")
        assert done.code == 2 and "never overwritten" in done.err
    assert people.read_bytes() == before


@pytest.mark.parametrize("verb", every_verb())
def test_every_path_whose_help_says_that_it_is_written_is_marked(verb: str) -> None:
    outputs = outputs_of(every_verb()[verb].function)
    for name, parameter in path_parameters(verb).items():
        words = re.findall(r"\w+", (parameter.help or "").casefold())
        assert (name in outputs) == any(word in words for word in WRITES), f"{verb}: {name}"
        assert name not in outputs or isinstance(outputs[name], Output)


@pytest.mark.parametrize(
    ("verb", "option"), [("describe", "--schema-out"), ("protect", "--recipe-out"), ("protect", "--key-out")]
)
def test_a_file_that_a_document_names_is_an_input_too(run: Run, tmp_path: Path, verb: str, option: str) -> None:
    data, schema, levels = tmp_path / "zips.csv", tmp_path / "schema.toml", tmp_path / "zip.csv"
    data.write_text("zip,age\n" + "".join(f"{10 + n % 3},{20 + n}\n" for n in range(12)), encoding="utf-8")
    levels.write_text("10;1*\n11;1*\n12;1*\n", encoding="utf-8")
    declared = 'kind = "partially-ordered"\nrole = "key"\nhierarchy = { file = "zip.csv" }\n'
    schema.write_text(f'[attributes.zip]\n{declared}[attributes.age]\nrole = "key"\n', encoding="utf-8")
    rest = (tmp_path / "out.csv", "--method", "mdav:group_size=3") if verb == "protect" else ()
    done = run(verb, data, *rest, "--schema", schema, option, levels, "--force")
    assert done.code == 2 and "which was read; write to another file" in done.err
    assert levels.read_text(encoding="utf-8") == "10;1*\n11;1*\n12;1*\n"


@pytest.mark.parametrize("special", ["/dev/null", "/dev/full", "pipe"])
def test_a_device_or_a_pipe_is_not_replaced(run: Run, people: Path, tmp_path: Path, special: str) -> None:
    path = Path(special)
    if special == "pipe":
        path = tmp_path / "pipe.csv"
        os.mkfifo(path)
    before = path.stat().st_ino
    for command in (("sample", "survey", path), ("describe", people, "--schema-out", path)):
        done = run(*command, "--force")
        assert done.code == 2 and ("is a device" in done.err or "is a pipe" in done.err)
    assert path.stat().st_ino == before


WRITTEN = [(verb, output) for verb, declared in every_verb().items() for output in outputs_of(declared.function)]


@pytest.mark.parametrize(("verb", "output"), WRITTEN)
def test_nothing_that_exists_is_replaced_unless_asked_for(run: Run, tmp_path: Path, verb: str, output: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    given, spare = folder / "given.json", tmp_path / "spare.csv"
    files = outputs_of(every_verb()[verb].function)[output].files(given)
    for path in (*files, spare):
        path.parent.mkdir(exist_ok=True)
        path.write_text(CONTENT, encoding="utf-8")
    words = typed(verb, {output: given}, spare)
    done = run(*[word for word in words if word != "--force"])
    assert done.code == (0 if verb == "reproduce" else 2), done  # which lists the experiments where none is named
    assert all(path.read_text(encoding="utf-8") == CONTENT for path in (*files, spare))


def test_a_sweep_replaces_its_own_map_only(run: Run, tmp_path: Path) -> None:
    data, out = tmp_path / "data.csv", tmp_path / "out"
    rows = "".join(f"{n * 7 % 23}.5,{n * 31 % 101}.25\n" for n in range(40))
    data.write_text(f"age,pay\n{rows}", encoding="utf-8")
    out.mkdir()
    words = ("sweep", data, "--methods", "rounding", "--seeds", 1, "--workers", 1, "--out", out)
    for name in ("map.csv", "map.json"):
        (out / name).write_text("mine", encoding="utf-8")
        assert "is not the folder of a sweep" in run(*words).err
        assert (out / name).read_text(encoding="utf-8") == "mine"
        (out / name).unlink()
    assert run(*words).code == run(*words).code == 0
