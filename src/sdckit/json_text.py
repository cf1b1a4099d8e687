"""Values as JSON text that every reader accepts: what is not finite, which JSON cannot express, becomes null."""

import json
import math
from collections.abc import Mapping
from typing import Any


def to_json(value: Any, indent: int | None = None) -> str:
    """The text of plain values; anything else is written as its own text.

    >>> to_json({"limit": float("inf"), "share": 0.5})
    '{"limit": null, "share": 0.5}'
    """
    return json.dumps(finite(value), ensure_ascii=False, indent=indent, allow_nan=False, default=str)


def finite(value: Any) -> Any:
    """The values with None for each number that is not finite, also inside lists and mappings."""
    if isinstance(value, Mapping):
        return {key if isinstance(key, str | int | bool) else str(key): finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    if hasattr(value, "tolist"):  # an array, or a number of numpy
        return finite(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value
