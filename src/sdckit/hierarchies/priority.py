"""A hierarchy that keeps the most important values longest: `{ priority = ["flu", "asthma"], kept = [2, 1] }`."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from sdckit.document_form import SCALAR
from sdckit.errors import SchemaError
from sdckit.hierarchy import ROOT, Hierarchy, category_text

KEYWORD = "priority"
PROPERTIES = {
    "priority": {
        "description": "The values to keep, the most important first; values that are not listed come last.",
        "type": "array",
        "items": SCALAR,
        "minItems": 1,
    },
    "kept": {
        "description": "How many of the listed values are still released at each level, fewer from level to level.",
        "type": "array",
        "items": {"type": "integer", "minimum": 1},
        "minItems": 1,
    },
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy over these values: one that is no longer kept joins all others that are not.

    A value that is kept longer has fewer levels above it.
    """
    listed = list(dict.fromkeys(category_text(value) for value in declaration["priority"]))
    kept = declaration.get("kept", [len(listed)])
    if kept[0] > len(listed) or any(later >= earlier for earlier, later in pairwise(kept)):
        raise SchemaError(
            f"a hierarchy by priority keeps fewer values from level to level, at most {len(listed)} at first; "
            f"kept = {list(kept)} does not"
        )
    order = [*listed, *sorted({category_text(value) for value in values} - set(listed))]
    parent: dict[str, str] = {}
    levels: dict[str, tuple[str, ...]] = {}
    for rank, value in enumerate(order):
        groups = [f"not of the first {count}" for count in kept if rank >= count]
        parent |= dict(pairwise([value, *groups, ROOT]))
        levels[value] = (value, *[value] * (len(kept) - len(groups)), *groups, ROOT)
    return Hierarchy(parent, dict(declaration), levels)
