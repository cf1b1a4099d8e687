"""What a verb prints or writes for others has no identifier of a person, nor which row is whose, nor the secret."""

import json
import re
from pathlib import Path

import pytest
from torture._every_command import ENGINES, commands_of
from torture._sound_files import KINDS, SEED, Sound, make

from sdckit.draws import Secret
from tests.every_command.finished import Finished, commands, run

MARK = "Zq9v"  # at the end of every name and town
PERSON = re.compile(rf"P\d+{MARK}".encode())


def marked(folder: Path, kind: str, *, with_dossier: bool = False) -> Sound:
    return make(Sound(folder / "files", kind, mark=MARK, with_dossier=with_dossier))


def private_things(sound: Sound) -> list[bytes]:
    """The secret of the draws, the digests of the original, and the folder."""
    key = json.loads((sound.folder / "private.key").read_text(encoding="utf-8"))
    digests = [key["original"][name] for name in ("ordered", "unordered")]
    return [str(each).encode() for each in (Secret.of(SEED).value.hex(), SEED, *digests)]


def leaks(done: Finished, things: list[bytes]) -> list[str]:
    """What is in a file that others can read, or was printed, and should not be."""
    shown = {path.name: content for path, content in done.new.items() if path not in done.private}
    shown["the terminal"] = (done.out + done.err).encode()
    return [
        f"{done.command.title}: {name} has {found[:3]}"
        for name, content in shown.items()
        if (found := [*PERSON.findall(content), *(each for each in things if each in content)])
    ]


def test_one_command_of_every_verb(tmp_path: Path) -> None:
    sound = marked(tmp_path, "table")
    things = private_things(sound)
    done = [run(each, sound.folder) for each in commands(sound, first=True) if each.title != "report"]
    assert not [leak for each in done for leak in leaks(each, things)]
    original = (sound.folder / "original.csv").read_bytes()
    assert len(PERSON.findall(original)) == len(original.splitlines()) - 1


def test_a_description_in_a_file_names_nobody_and_is_the_same_by_every_engine(tmp_path: Path) -> None:
    sound = marked(tmp_path, "table")
    by_engine = [each for each in commands_of("describe", sound) if each.title.endswith(ENGINES)]
    printed = [run(each, sound.folder, "--json").out for each in by_engine]
    assert len(printed) == len(ENGINES) and json.loads(printed[0]) == json.loads(printed[1])
    assert not PERSON.search(printed[0].encode())


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_every_command(tmp_path: Path, kind: str, form: tuple[str, ...]) -> None:
    sound = marked(tmp_path, kind, with_dossier=True)
    things = private_things(sound)
    assert not [leak for each in commands(sound) for leak in leaks(run(each, sound.folder, *form), things)]
