"""Names and values of any kind: every verb and engine does the same work, and nothing raw is printed or written."""

import unicodedata
from pathlib import Path

import polars as pl
import pytest
from torture._every_command import ENGINES, commands_of
from torture._files import writable_suffixes
from torture._sound_files import KINDS, NAMES, Sound, make

from sdckit import Microdata, read, write
from sdckit.errors import FileError
from tests.every_command.finished import commands, run

ESCAPE = "\x1b[2J\x07\x9b1mX\u202e"
IN_XML = "\x9b1mX\u202e"  # of these, what a graph in XML can have
PAIRS = {
    "case": ("Pay", "pay"),
    "normalisation": ("Größe", unicodedata.normalize("NFD", "Größe")),
    "a blank": ("net  pay", "net pay"),
    "an invisible character": ("pay", "pa\u200by"),
}


@pytest.fixture(scope="module")
def codes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, int]]:
    """How every command on plain names ends, for a kind of file."""
    plain = make(Sound(tmp_path_factory.mktemp("plain") / "files", request.param, with_dossier=True))
    return request.param, {each.title: run(each, plain.folder).code for each in commands(plain)}


def faults(odd: Sound, codes: dict[str, int]) -> list[str]:
    """What the commands on odd names do wrong, or do otherwise than those on plain ones."""
    found = []
    for each in commands(odd):
        done = run(each, odd.folder)
        found += [f"{each.title}: {fault}" for fault in done.faults()]
        if done.code != codes[each.title]:
            found.append(f"{each.title}: exit code {done.code}, not {codes[each.title]}: {done.err[-300:]}")
    return found


def hostile(folder: Path, kind: str, *, with_dossier: bool = True) -> Sound:
    mark = IN_XML if kind == "graph" else ESCAPE
    return make(Sound(folder / "odd", kind, {key: f"{name}{mark}" for key, name in NAMES.items()}, mark, with_dossier))


def alike(folder: Path, kind: str, pair: tuple[str, str], *, with_dossier: bool = True) -> Sound:
    others = ("first", "text") if kind == "graph" else ("first", "second")
    return make(Sound(folder / "odd", kind, NAMES | dict(zip(others, pair, strict=True)), with_dossier=with_dossier))


@pytest.mark.slow
@pytest.mark.parametrize("codes", KINDS, indirect=True)
def test_no_command_prints_what_commands_a_terminal(codes: tuple[str, dict[str, int]], tmp_path: Path) -> None:
    kind, expected = codes
    assert not faults(hostile(tmp_path, kind), expected)


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("codes", KINDS, indirect=True)
def test_no_command_takes_one_column_for_another(codes: tuple[str, dict[str, int]], tmp_path: Path, pair: str) -> None:
    kind, expected = codes
    assert not faults(alike(tmp_path, kind, PAIRS[pair]), expected)


def test_one_command_of_every_verb_prints_nothing_raw(tmp_path: Path) -> None:
    sound = hostile(tmp_path, "table", with_dossier=False)
    done = [run(each, sound.folder) for each in commands(sound, first=True) if each.title != "report"]
    assert not [f"{each.command.title}: {fault}" for each in done for fault in each.faults()]


@pytest.mark.parametrize("pair", [*PAIRS.values(), ("grÖsse", "grösse"), ("pay", " pay"), ("pay", "pay ")])
@pytest.mark.parametrize("extension", [each for each in writable_suffixes() if each != ".postgres"])  # needs a server
def test_every_format_keeps_both_of_two_columns_or_refuses_them(
    tmp_path: Path, extension: str, pair: tuple[str, str]
) -> None:
    frame = pl.DataFrame({pair[0]: [1.5, 2.5, 4.5], pair[1]: [7.5, 6.5, 5.5]})
    path = tmp_path / f"file{extension}"
    try:
        write(Microdata.from_frame(frame), path)
    except FileError as problem:
        message = str(problem)
    if path.exists():
        assert read(path).to_frame("polars").equals(frame)
    else:
        assert "rename" in message or "cannot hold" in message


@pytest.mark.parametrize("pair", [PAIRS["case"], PAIRS["normalisation"]])
def test_engines_mask_the_column_that_is_named(tmp_path: Path, pair: tuple[str, str]) -> None:
    sound = alike(tmp_path, "table", pair, with_dossier=False)
    by_engine = [each for each in commands_of("protect", sound) if each.title.endswith(ENGINES)]
    written = [next(iter(run(each, sound.folder).new.values())) for each in by_engine]
    assert len(written) == len(ENGINES) and written[0] == written[1]
    assert written[0].decode().split("\n", 1)[0] == f"{pair[0]},{pair[1]},town"
