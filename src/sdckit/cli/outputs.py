"""Which paths of a verb are written, and the check that none of them is a file that is read.

A parameter that is written is marked as an `Output` where it is declared; every other path of a verb is an input. The
check comes before any work, for all verbs alike. Files that a document names are guarded when they are replaced.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, get_args, get_type_hints

from sdckit.errors import FileError
from sdckit.input_file import identity

PART = ".parquet"  # a folder of such files is one input
TABLE = ".postgres"  # a file that names a table of a database


@dataclass(frozen=True)
class Output:
    """Marks a parameter whose path is written.

    `files`  the files that are written where this path is given
    `last`   of a list of paths, only the last one is written
    """

    files: Callable[[Path], Sequence[Path]] = lambda path: (path,)
    last: bool = False


def outputs_of(verb: Callable[..., None]) -> dict[str, Output]:
    """The parameters of a verb that are written, by name."""
    hints = get_type_hints(verb, include_extras=True)
    marks = {name: [each for each in get_args(hint) if isinstance(each, Output)] for name, hint in hints.items()}
    return {name: found[0] for name, found in marks.items() if found}


def with_checked_paths(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb, which first refuses an output that is one of its inputs or another output."""

    @wraps(verb)
    def checked(**arguments: Any) -> None:
        refuse_shared_paths(outputs_of(verb), arguments)
        verb(**arguments)

    return checked


def refuse_shared_paths(outputs: Mapping[str, Output], arguments: Mapping[str, Any]) -> None:
    """Refuse arguments in which a file is written that is also read, or that is written twice."""
    read: list[Path] = []
    written: list[Path] = []
    for name, value in arguments.items():
        paths = [value] if isinstance(value, Path) else _paths_of(value)
        output = outputs.get(name)
        if output is None:
            read += [file for path in paths for file in files_read(path)]
            continue
        if output.last:
            read += [file for path in paths[:-1] for file in files_read(path)]
        written += [
            file for path in (paths[-1:] if output.last else paths) for file in dict.fromkeys(output.files(path))
        ]
    for number, path in enumerate(written):
        source = next((each for each in read if _same_file(path, each) or _same_table(path, each)), None)
        if source is not None:
            raise FileError(
                f"{path} is the input {source}, and an input is never overwritten; name another file to write"
            )
        folder = next((each for each in read if each.is_dir() and _joins_folder(path, each)), None)
        if folder is not None:
            raise FileError(f"{path} would become a part of the input {folder}; write it outside of that folder")
        if any(_same_name(path, other) for other in written[:number]):
            raise FileError(f"two of the files to write are the same, {path}; give each a name of its own")


def files_read(path: Path) -> list[Path]:
    """A path that is read, and, of a folder of Parquet parts, every part."""
    return [path, *sorted(path.glob(f"*{PART}"))] if path.is_dir() else [path]


def _joins_folder(path: Path, folder: Path) -> bool:
    """Whether a new file would be read as one of the parts of a folder from then on."""
    parent = Path(os.path.realpath(path)).parent
    return path.suffix.lower() == PART and _same_file(parent, folder) and any(folder.glob(f"*{PART}"))


def _paths_of(value: Any) -> list[Path]:
    return [each for each in value if isinstance(each, Path)] if isinstance(value, list | tuple) else []


def _same_file(one: Path, other: Path) -> bool:
    found = identity(one)
    return found is not None and found == identity(other)


def _same_table(one: Path, other: Path) -> bool:
    """Whether two files name one table of a Postgres database."""
    if {one.suffix.lower(), other.suffix.lower()} != {TABLE}:
        return False
    from sdckit.files.postgres_identity import same_table

    return same_table(one, other)


def _same_name(one: Path, other: Path) -> bool:
    """Whether two files that need not exist yet are the same, also where names that differ in case are."""
    if _same_file(one, other):
        return True
    first, second = (Path(os.path.realpath(path)) for path in (one, other))
    if first.name.casefold() != second.name.casefold():
        return False
    return first.parent == second.parent or _same_file(first.parent, second.parent)
