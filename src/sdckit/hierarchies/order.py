"""A hierarchy of neighbours in an order: `{ order = ["none", "low", "medium", "high"], groups = [2] }`."""

from collections.abc import Iterable, Mapping
from typing import Any

from sdckit.document_form import SCALAR
from sdckit.errors import SchemaError, private
from sdckit.hierarchy import Hierarchy, category_text

KEYWORD = "order"
PROPERTIES = {
    "order": {
        "description": "The values in their order; an empty list sorts them, numbers by size.",
        "type": "array",
        "items": SCALAR,
    },
    "groups": {
        "description": "How many neighbours are joined at each level, groups of groups from the second level on.",
        "type": "array",
        "items": {"type": "integer", "minimum": 2},
        "minItems": 1,
    },
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy over these values: a group is written as its first and last value, `none – low`."""
    present = [category_text(value) for value in values]
    order = [category_text(value) for value in declaration["order"]] or sorted(set(present), key=_size)
    missing = [value for value in present if value not in set(order)]
    if missing:
        raise SchemaError(f"a hierarchy by order lacks the value {private(missing[0])}; add it to order")
    rows, width = [[value] for value in order], 1
    for joined in declaration.get("groups", [2]):
        width *= joined
        if width >= len(order):
            break
        for start in range(0, len(order), width):
            first, last = order[start], order[min(start + width, len(order)) - 1]
            for row in rows[start : start + width]:
                row.append(first if first == last else f"{first} – {last}")
    tree = Hierarchy.by_levels([[*row, "*"] for row in rows])
    return Hierarchy(tree.parent, dict(declaration), tree.levels)


def _size(text: str) -> tuple[int, float, str]:
    """Numbers by size before texts by letters."""
    try:
        return 0, float(text), text
    except ValueError:
        return 1, 0.0, text
