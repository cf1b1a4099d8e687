"""A hierarchy level by level: `{ levels = [["Ely", "east"], ["Rye", "south"]] }`, one row per value, fine to coarse."""

from collections.abc import Iterable, Mapping
from typing import Any

from sdckit.document_form import SCALAR
from sdckit.hierarchy import Hierarchy

KEYWORD = "levels"
PROPERTIES = {
    "levels": {
        "description": "One row per value: the value, then ever coarser ones.",
        "type": "array",
        "items": {"type": "array", "items": SCALAR, "minItems": 1},
        "minItems": 1,
    }
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy of these rows."""
    return Hierarchy.by_levels(declaration["levels"])
