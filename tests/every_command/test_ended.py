"""Ended by SIGTERM at any operation on a file: inputs are as they were, and nothing is half-written or left behind."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from torture._every_command import SERVER, Command, commands_of
from torture._sound_files import Sound, make

from sdckit.cli.outputs import outputs_of
from sdckit.cli.verb import every_verb
from sdckit.engines.working_folder import folder_beside
from tests.every_command.finished import LONG, READ_AGAIN, contents

ROOT = Path(__file__).resolve().parents[2]
WRITES = [verb for verb, each in every_verb().items() if outputs_of(each.function) and verb not in (*LONG, SERVER)]


def ended(command: Command, folder: Path, operation: int, counted: Path) -> int:
    """Run a command that is ended at an operation on a file, or not at all for 0; its exit code."""
    words = [sys.executable, "-m", "torture._killed", str(operation), str(int(signal.SIGTERM)), *command.words]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TORTURE_COUNT": str(counted)}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True).returncode


def faults(command: Command, folder: Path, operation: int, counted: Path) -> list[str]:
    """What is wrong after the command was ended there."""
    resumed = [folder_beside(path) for path in command.written.values()]  # a run by an engine goes on from its parts
    before = contents(folder)
    code = ended(command, folder, operation, counted)
    after = contents(folder)
    found = [] if code in (128 + signal.SIGTERM, 0, 1) else [f"exit code {code}"]
    found += [f"{each.name} is open to others" for each in resumed if each.exists() and each.stat().st_mode & 0o077]
    for each in resumed:
        shutil.rmtree(each, ignore_errors=True)
    before, after = ({path: files[path] for path in files if not _is_in(path, resumed)} for files in (before, after))
    found += [f"{path.name} changed" for path in before if after.get(path) != before[path]]
    for path in after.keys() - before.keys():
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            found.append(f"{path.name} is left")
        READ_AGAIN.get(path.suffix, str)(after[path].decode("utf-8", errors="replace"))
        path.unlink()
    return [f"{command.title}, operation {operation}: {each}" for each in found]


def _is_in(path: Path, folders: list[Path]) -> bool:
    return any(path.is_relative_to(each) for each in folders)


@pytest.mark.slow
@pytest.mark.parametrize("verb", WRITES)
def test_a_verb_that_is_ended_leaves_nothing(tmp_path: Path, verb: str) -> None:
    sound, counted = make(Sound(tmp_path / "files")), tmp_path / "counted"
    writing = [each for each in commands_of(verb, sound) if each.written]
    found = []
    for command in [writing[0], *(each for each in writing if each.title.endswith("duckdb"))]:
        before = contents(sound.folder)
        assert ended(command, sound.folder, 0, counted) in (0, 1), command.title
        for path in command.written.values():
            shutil.rmtree(path, ignore_errors=True)
        for path in contents(sound.folder).keys() - before.keys():  # a file beside the one named, such as its text
            path.unlink()
        total = int(counted.read_text(encoding="ascii"))
        for operation in (total // 2, total):
            found += faults(command, sound.folder, operation, counted)
    assert not found
