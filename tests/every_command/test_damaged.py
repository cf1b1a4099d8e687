"""Inputs that are damaged or of another kind: every input of every verb is refused in one line, and nothing is lost."""

import itertools

import pytest
from torture._every_command import Command
from torture._sound_files import KINDS, Sound, make

from tests.every_command.finished import commands, run

DAMAGES = {
    "empty": b"",
    "binary": bytes(range(256)) * 3,
    "nested": b"[" * 50_000,
    "another document": b'attributes = 3\nsteps = "x"\nrules = [1]\ncolumns = []\ngrid = [[]]\n',
    "another JSON": b'{"format": [], "keyVars": {"a": 1e999}, "rows": "x", "steps": null}',
    "markup": b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><graphml><graph/></graphml>",
}


@pytest.fixture(scope="module")
def sound(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Sound:
    return make(Sound(tmp_path_factory.mktemp("sound") / "files", request.param))


def faults(sound: Sound, command: Command, parameter: str, content: bytes) -> list[str]:
    """What a command does wrong whose one input has this content."""
    path = command.read[parameter]
    kept = path.read_bytes()
    path.write_bytes(content)
    try:
        done = run(command, sound.folder)
    finally:
        path.write_bytes(kept)
    found = [f"{command.title}, {parameter}: {fault}" for fault in done.faults()]
    if done.code == 0 and not parameter.startswith("allow_code"):  # code that nothing names is not run
        found.append(f"{command.title}, {parameter}: is accepted")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("sound", ["table"], indirect=True)
def test_no_input_of_any_verb_may_be_something_else(sound: Sound) -> None:
    """A command of each verb, whose inputs are damaged in turn in one of the ways."""
    ways = itertools.cycle(DAMAGES.values())
    tried = [(command, parameter) for command in commands(sound, first=True) for parameter in command.read]
    assert not [fault for each in tried for fault in faults(sound, *each, next(ways))]


@pytest.mark.slow
@pytest.mark.parametrize("sound", KINDS, indirect=True)
@pytest.mark.parametrize("damage", DAMAGES)
def test_nor_any_input_of_any_command_in_any_way(sound: Sound, damage: str) -> None:
    found = []
    for command in commands(sound):
        for parameter in command.read:
            if command.read[parameter].exists():
                found += faults(sound, command, parameter, DAMAGES[damage])
    assert not found
