"""A hierarchy by prefix, for codes such as postcodes: `{ prefix = [1, 2, 3] }` hides that many last characters.

`together = { "000" = ["036", "821"] }` puts the codes that begin so into one group on every level, as the rule of Safe
Harbor asks for areas with few people.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sdckit.hierarchy import ROOT, Hierarchy

KEYWORD = "prefix"
PROPERTIES = {
    "prefix": {
        "description": "The number of last characters hidden at each level; an empty list hides one more at each.",
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
    },
    "together": {
        "description": "Groups of codes by how they begin, each published as one from the first level on.",
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
    },
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy over these values."""
    tree = Hierarchy.by_prefix(values, declaration["prefix"] or None)
    if not declaration.get("together"):
        return tree
    joined = Hierarchy.by_levels([_levels(tree.ancestors(leaf), declaration["together"]) for leaf in tree.leaves])
    return replace(joined, built_from=dict(declaration))


def _levels(path: tuple[str, ...], together: Mapping[str, list[str]]) -> list[str]:
    """The nodes of a code from the finest to the root, those of a group the group itself."""
    leaf, *nodes, _ = path
    group = next((name for name, starts in together.items() if leaf.startswith(tuple(starts))), None)
    return [leaf, *(nodes if group is None else [group] * max(len(nodes), 1)), ROOT]
