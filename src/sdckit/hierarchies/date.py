"""A hierarchy of dates: `{ date = ["month", "year", "decade"] }`, for dates as 2026-11-16, with or without a time."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from sdckit.errors import SchemaError, near_miss, private
from sdckit.hierarchy import ROOT, Hierarchy

KEYWORD = "date"
UNITS: dict[str, Callable[[date], str]] = {
    "day": lambda day: day.isoformat(),
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}",
    "half-year": lambda day: f"{day.year:04d}-H{(day.month + 5) // 6}",
    "year": lambda day: f"{day.year:04d}",
    "decade": lambda day: f"{day.year // 10 * 10:04d}s",
    "century": lambda day: f"{day.year // 100 * 100:04d}–{day.year // 100 * 100 + 99:04d}",
}
PROPERTIES = {
    "date": {
        "description": "The unit of each level, each longer than the one before.",
        "type": "array",
        "items": {"type": "string", "enum": list(UNITS)},
        "minItems": 1,
    }
}


def build(values: Iterable[Any], declaration: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy over these dates."""
    units = list(declaration["date"])
    unknown = [unit for unit in units if unit not in UNITS]
    if unknown:
        raise SchemaError(f"there is no unit of dates {unknown[0]!r}{near_miss(str(unknown[0]), UNITS)}")
    if units != sorted(set(units), key=list(UNITS).index):
        raise SchemaError(f"the units of dates {units} do not nest; use an order such as {', '.join(UNITS)}")
    rows = [
        [str(value), *(UNITS[unit](_day(value)) for unit in units), ROOT] for value in dict.fromkeys(map(str, values))
    ]
    tree = Hierarchy.by_levels(rows)
    return Hierarchy(tree.parent, dict(declaration))


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        raise SchemaError(
            f"a hierarchy of dates needs dates such as 2026-11-16, but {private(text)} is not one; use levels or file"
        ) from None
