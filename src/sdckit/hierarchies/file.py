"""A hierarchy in a CSV file of ARX's format: `{ file = "zip.csv" }`, found beside the schema.

An ARX project contains several: `{ file = "study.deid", entry = "zip" }` reads that of one attribute.
"""

import csv
import io
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import BadZipFile, ZipFile

from sdckit.errors import FileError, near_miss
from sdckit.hierarchy import Hierarchy

KEYWORD = "file"
PROPERTIES = {
    "file": {
        "description": "The path of a CSV file, one row per value, fine to coarse.",
        "type": "string",
        "minLength": 1,
    },
    "delimiter": {
        "description": "What separates the cells; a semicolon by default.",
        "type": "string",
        "minLength": 1,
        "maxLength": 1,
    },
    "entry": {
        "description": "The attribute whose hierarchy is read from an ARX project.",
        "type": "string",
        "minLength": 1,
    },
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy in the file."""
    path, delimiter = declaration["file"], declaration.get("delimiter", ";")
    if "entry" not in declaration:
        return Hierarchy.from_csv(path, delimiter)
    tree = Hierarchy.by_levels(_rows_in_project(path, declaration["entry"], delimiter))
    return Hierarchy(tree.parent, dict(declaration), tree.levels)


def _rows_in_project(path: str, entry: str, delimiter: str) -> list[list[str]]:
    """The rows of one attribute's hierarchy in an ARX project, which is a ZIP archive with a folder `hierarchies`."""
    try:
        with ZipFile(path) as project:
            files = {
                PurePosixPath(name).stem: name
                for name in project.namelist()
                if PurePosixPath(name).parent.name == "hierarchies" and name.endswith(".csv")
            }
            if entry not in files:
                raise FileError(f"the ARX project {path} has no hierarchy of {entry!r}{near_miss(entry, files)}")
            text = project.read(files[entry]).decode("utf-8").removeprefix("\ufeff")
    except (OSError, BadZipFile, ValueError, RuntimeError, zlib.error) as problem:  # also an encrypted or damaged one
        raise FileError(f"the ARX project {path} cannot be read: {problem}") from None
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]


def located(declaration: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """The declaration with the path of the file from a folder."""
    return {**declaration, "file": str(folder / declaration["file"])}
