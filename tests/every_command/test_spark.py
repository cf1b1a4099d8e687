"""The commands that take an engine, by Spark: no fault, no leak, and damaged inputs are refused in one line."""

import itertools
import os
import shutil
from pathlib import Path

import pytest
from torture._every_command import Command, commands_of, parameters
from torture._sound_files import Sound

from sdckit.cli.verb import every_verb
from tests.every_command.finished import run
from tests.every_command.test_damaged import DAMAGES, faults
from tests.every_command.test_published import leaks, marked, private_things

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'sdckit[spark]'")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java 17: install a JDK and set JAVA_HOME", allow_module_level=True)
WITH_ENGINE = [verb for verb in every_verb() if any(each.name == "engine" for each in parameters(verb))]


def by_spark(verb: str, sound: Sound) -> Command:
    """The command of a verb, with Spark where its last one has DuckDB."""
    (found,) = (each for each in commands_of(verb, sound) if each.title.endswith("duckdb"))
    words = tuple("spark" if word == "duckdb" else word for word in found.words)
    return Command(found.title.replace("duckdb", "spark"), words, found.read, found.written)


@pytest.mark.slow
def test_every_verb_with_an_engine(tmp_path: Path) -> None:
    sound = marked(tmp_path, "table")
    things, ways = private_things(sound), itertools.cycle(DAMAGES.values())
    found = []
    for command in (by_spark(verb, sound) for verb in WITH_ENGINE):
        done = run(command, sound.folder)
        found += [f"{command.title}: {fault}" for fault in done.faults()] + leaks(done, things)
        if done.code not in (0, 1):
            found.append(f"{command.title} is refused: {done.err}")
        for parameter in command.read:
            found += faults(sound, command, parameter, next(ways))
    assert not found
