"""A hierarchy by redaction: `{ redaction = [2, 4], side = "left" }` hides so many characters of that side.

Unlike `prefix` it can hide the beginning of a text, fill short texts on either side, and use any two characters.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from sdckit.errors import SchemaError
from sdckit.hierarchy import ROOT, Hierarchy, category_text

KEYWORD = "redaction"
SIDES = {"type": "string", "enum": ["left", "right"]}
CHARACTER = {"type": "string", "minLength": 1, "maxLength": 1}
PROPERTIES = {
    "redaction": {
        "description": "The number of characters hidden at each level; an empty list hides one more at each.",
        "type": "array",
        "items": {"type": "integer", "minimum": 1},
    },
    "side": {"description": "The side that is hidden first; right by default."} | SIDES,
    "fill": {"description": "The side on which short texts are filled; right by default."} | SIDES,
    "mask": {"description": "The character that replaces a hidden one; * by default."} | CHARACTER,
    "filler": {"description": "The character that fills short texts; a space by default."} | CHARACTER,
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy over these values."""
    for option in ("side", "fill"):
        if declaration.get(option, "left") not in SIDES["enum"]:
            raise SchemaError(f"a hierarchy by redaction has {option} = {declaration[option]!r}; use left or right")
    leaves = sorted({category_text(value) for value in values})
    width = max(map(len, leaves), default=1)
    mask, filler = declaration.get("mask", "*"), declaration.get("filler", " ")
    parent: dict[str, str] = {}
    for leaf in leaves:
        full = leaf.rjust(width, filler) if declaration.get("fill") == "left" else leaf.ljust(width, filler)
        levels = [leaf]
        for cut in sorted(declaration["redaction"]) or range(1, width):
            if cut < width:
                left = declaration.get("side") == "left"
                levels.append(mask * cut + full[cut:] if left else full[: width - cut] + mask * cut)
        parent |= dict(pairwise(dict.fromkeys([*levels, ROOT])))
    return Hierarchy(parent, dict(declaration))
