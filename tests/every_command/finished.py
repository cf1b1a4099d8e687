"""A generated command, run in this process, and what it did to its folder."""

import contextlib
import io
import json
import re
import shutil
import stat
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from torture._every_command import Command, commands_of
from torture._sound_files import Sound

from sdckit.cli import NOT_MET, USER_ERROR, main
from sdckit.cli.verb import every_verb
from sdckit.formatting import CONTROL

LONG = ("demo", "warm-up")  # seconds, and neither reads a file
READ_AGAIN: dict[str, Callable[[str], Any]] = {
    ".toml": tomllib.loads,
    ".json": json.loads,
    **dict.fromkeys((".xml", ".svg", ".graphml"), ElementTree.fromstring),
}
Content = dict[Path, bytes]


@dataclass(frozen=True)
class Finished:
    """How a command ended, what it printed, and the files that were in its folder before and after."""

    command: Command
    code: int
    out: str
    err: str
    before: Content
    after: Content
    private: frozenset[Path]  # of the files after it, those that only their owner can read

    @property
    def new(self) -> dict[Path, bytes]:
        """The files that were written, with what is in them."""
        return {path: content for path, content in self.after.items() if path not in self.before}

    def faults(self) -> Iterator[str]:
        """What no command may do, whatever it is given."""
        refused, printed = self.code == USER_ERROR, self.out + self.err
        if self.code not in (0, NOT_MET, USER_ERROR):
            yield f"ends with exit code {self.code}: {self.err[-300:]}"
        if CONTROL.search(printed):
            yield f"prints control characters: {CONTROL.findall(printed)}"
        errors = len(re.findall(r"^error: .*", self.err, re.MULTILINE))
        if refused and errors != 1 and self.command.words[0] != "check":  # which lists problems
            yield f"has {errors} lines of errors: {self.err[-300:]}"
        if refused and self.new:
            yield f"is refused and leaves {sorted(path.name for path in self.new)}"
        for path in self.before:
            if self.after.get(path) != self.before[path]:
                yield f"changes or removes {path.name}"
        for path, content in self.new.items():
            yield from self._faults_of(path, content)

    def _faults_of(self, path: Path, content: bytes) -> Iterator[str]:
        asked_for = self.command.written.values()
        if not any(path.is_relative_to(each) or path.stem == each.stem for each in asked_for):
            yield f"leaves {path.name}"
        try:
            READ_AGAIN.get(path.suffix, str)(content.decode("utf-8", errors="replace"))
        except (ValueError, ElementTree.ParseError) as problem:
            yield f"writes {path.name}, which cannot be read: {problem}"


def run(command: Command, folder: Path, *more: str) -> Finished:
    """Run a command; what it writes is removed again."""
    before = contents(folder)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*command.words, *more])
    after = contents(folder)
    private = frozenset(path for path in after if not stat.S_IMODE(path.stat().st_mode) & 0o077)
    for path in (*command.written.values(), *(each for each in after if each not in before)):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return Finished(command, code, out.getvalue(), err.getvalue(), before, after, private)


def contents(folder: Path) -> Content:
    """Every file below a folder."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def commands(sound: Sound, *, first: bool = False) -> Iterator[Command]:
    """The commands of all verbs but the longest; only the first of each, where asked for."""
    for verb in every_verb():
        if verb not in LONG:
            found = list(commands_of(verb, sound))
            yield from found[:1] if first else found
