"""A hierarchy by prefix, for codes such as postcodes: `{ prefix = [1, 2, 3] }` hides that many last characters."""

from collections.abc import Iterable, Mapping
from typing import Any

from sdckit.hierarchy import Hierarchy

KEYWORD = "prefix"
PROPERTIES = {
    "prefix": {
        "description": "The number of last characters hidden at each level; an empty list hides one more at each.",
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
    }
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy over these values."""
    return Hierarchy.by_prefix(values, declaration["prefix"] or None)
