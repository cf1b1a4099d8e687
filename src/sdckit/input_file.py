"""Files that are read: what cannot be read is named as what it is, and what was read is never overwritten.

While `guarded_inputs` is active, as it is during a command, every file that was read is an input, also one that a
document names, such as the hierarchy of a schema. `refuse_input` refuses such a file as an output, whatever its name:
the same file has one device and one inode through symbolic links, hard links and names that differ in case.
"""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from sdckit.errors import FileError

LARGEST_DOCUMENT = 64 * 2**20  # bytes of a TOML file: far more than any schema, and read in seconds
KINDS = (
    (stat.S_ISDIR, "a folder", "name a file in it"),
    (stat.S_ISFIFO, "a pipe", "write its content to a file first"),
    (stat.S_ISSOCK, "a socket", "name a file"),
    (stat.S_ISCHR, "a device", "name a file"),
    (stat.S_ISBLK, "a device", "name a file"),
)
Identity = tuple[int, int]

_inputs: ContextVar[dict[Identity, Path] | None] = ContextVar("inputs", default=None)


@contextmanager
def guarded_inputs() -> Iterator[None]:
    """While the block runs, no file that was read in it can be replaced."""
    token = _inputs.set({})
    try:
        yield
    finally:
        _inputs.reset(token)


def refuse_input(path: str | Path) -> None:
    """Refuse an output that is a file which was read, under any name."""
    inputs, found = _inputs.get(), identity(path)
    if inputs and found in inputs:
        raise FileError(f"{path} is the file {inputs[found]}, which was read; write to another file")


def identity(path: str | Path) -> Identity | None:
    """The device and the inode of an existing file, the same under all its names; None where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def special_kind(path: str | Path) -> tuple[str, str] | None:
    """What an existing path is that is no regular file, and the cure; None for a regular file or none at all."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return None
    return next(((title, cure) for test, title, cure in KINDS if test(mode)), None)


def readable(path: str | Path) -> Path:
    """The path of a regular file that is about to be read; anything else is an error that names it."""
    special = special_kind(path)
    if special is not None:
        raise FileError(f"{path} is {special[0]}; {special[1]}")
    inputs, found = _inputs.get(), identity(path)
    if inputs is not None and found is not None:
        inputs.setdefault(found, Path(path))
    return Path(path)


def read_bytes(path: str | Path, largest: int | None = None) -> bytes:
    """The content of a regular file."""
    try:
        source = readable(path)
        if largest is not None and source.stat().st_size > largest:
            raise FileError(
                f"{path} has more than {largest // 2**20} MB, too much for a document; is it the right file?"
            )
        return source.read_bytes()
    except OSError as problem:
        raise FileError(f"{path} cannot be read: {problem.strerror or problem}") from None
    except ValueError:  # a zero byte in the path
        raise FileError(f"{str(path)!r} is not the name of a file") from None


def read_text(path: str | Path, what: str = "UTF-8 text", largest: int | None = None) -> str:
    """The text of a regular file in UTF-8; `what` names in the error what it should have been."""
    try:
        return read_bytes(path, largest).decode("utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{path} is not {what}") from None


def read_json(path: str | Path, what: str) -> Any:
    """The values in a JSON file; `what` names in the error what it should have been, with the cure."""
    try:
        return json.loads(read_text(path, what))
    except (ValueError, RecursionError):
        raise FileError(f"{path} is not {what}") from None
