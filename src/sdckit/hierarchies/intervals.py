"""A hierarchy by intervals, for numbers such as ages: `{ intervals = [5, 10] }`, each width a multiple of the last."""

from collections.abc import Iterable, Mapping
from typing import Any

from sdckit.errors import SchemaError, private
from sdckit.hierarchy import Hierarchy

KEYWORD = "intervals"
PROPERTIES = {
    "intervals": {
        "description": "The width of the intervals at each level, each a multiple of the one before.",
        "type": "array",
        "items": {"type": "number", "exclusiveMinimum": 0},
        "minItems": 1,
    },
    "start": {"description": "Where an interval starts; 0 by default.", "type": "number"},
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy over these values, which must be numbers."""
    present = list(values)
    for value in present:
        number_of(value, "intervals")
    return Hierarchy.by_intervals(present, declaration["intervals"], declaration.get("start", 0.0))


def number_of(value: Any, keyword: str) -> float:
    """A value as a number, or an error that names the kind of hierarchy."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise SchemaError(
            f"a hierarchy by {keyword} needs numbers, but {private(value)} is not one; use groups, levels or file"
        ) from None
