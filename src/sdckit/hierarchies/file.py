"""A hierarchy in a CSV file of ARX's format: `{ file = "zip.csv" }`, found beside the schema."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

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
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy in the file."""
    return Hierarchy.from_csv(declaration["file"], declaration.get("delimiter", ";"))


def located(declaration: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """The declaration with the path of the file from a folder."""
    return {**declaration, "file": str(folder / declaration["file"])}
