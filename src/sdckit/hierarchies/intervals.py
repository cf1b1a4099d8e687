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
    return Hierarchy.by_intervals(map(_number, values), declaration["intervals"], declaration.get("start", 0.0))


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise SchemaError(
            f"a hierarchy of intervals needs numbers, but {private(value)} is not one; use levels or file"
        ) from None
