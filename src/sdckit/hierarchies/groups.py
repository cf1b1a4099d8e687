"""A hierarchy by groups made by hand: `{ groups = [{ alone = ["single", "widowed"] }] }`, one table for each level."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from sdckit.document_form import SCALAR
from sdckit.errors import SchemaError, near_miss, private_text
from sdckit.hierarchy import ROOT, Hierarchy, category_text

KEYWORD = "groups"
TABLE = {"type": "object", "additionalProperties": {"type": "array", "items": SCALAR, "minItems": 1}}
PROPERTIES = {
    "groups": {
        "description": "A table from the name of each group to its values, or several, the later ones of groups.",
        "type": ["object", "array"],
        "additionalProperties": TABLE["additionalProperties"],
        "items": TABLE,
    },
    "others": {"description": "The name of the group of all values that are in none.", "type": "string"},
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy over these values: a value that is in no group is its own one, or one of the others."""
    tables = declaration["groups"]
    levels = list(tables) if isinstance(tables, Sequence) else [tables]
    leaves = list(dict.fromkeys(category_text(value) for value in values))
    paths = [[leaf] for leaf in leaves]
    for number, table in enumerate(levels, start=1):
        group_of: dict[str, str] = {}
        for group, members in table.items():
            for member in map(category_text, members):
                if group_of.setdefault(member, group) != group:
                    raise SchemaError(f"level {number} puts {member!r} in two groups; a value goes into one")
        known = {path[-1] for path in paths}
        strange = [member for member in group_of if number > 1 and member not in known]
        if strange:
            hint = private_text(near_miss(strange[0], known))
            raise SchemaError(f"level {number} groups {strange[0]!r}, which no level before has{hint}")
        for path in paths:
            path.append(group_of.get(path[-1], declaration.get("others", path[-1])))
    parent: dict[str, str] = {}
    for path in paths:
        for below, above in pairwise(dict.fromkeys([*path, ROOT])):
            if parent.setdefault(below, above) != above:
                raise SchemaError(
                    f"the group {below!r} has the name of a value that is in another group; rename the group"
                )
    return Hierarchy(parent, dict(declaration), {path[0]: (*path, ROOT) for path in paths})
