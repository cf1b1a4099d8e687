"""Check a parsed document against its form, which is written in a subset of JSON Schema.

A form says what a table may contain, so that one declaration serves the loader, its error messages and the JSON Schema
that is shipped. The subset: type, properties, required, additionalProperties, items, minItems, minProperties, minimum,
exclusiveMinimum, minLength and maxLength. Other keywords, such as description, are for the reader.
"""

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any

from sdckit.errors import SchemaError, near_miss

Form = Mapping[str, Any]

NAMES = {
    "string": "text",
    "number": "a number",
    "integer": "an integer",
    "boolean": "true or false",
    "array": "a list",
    "object": "a table",
}
SCALAR: Form = {"type": ["string", "number", "boolean"]}


def check(value: Any, form: Form, where: str) -> None:
    """Raise a `SchemaError` that names the entry, unless the value has the form.

    >>> check({"decimals": 2}, {"properties": {"decimals": {"type": "integer"}}}, "attributes.age")
    """
    allowed = form.get("type", list(NAMES))
    allowed = [allowed] if isinstance(allowed, str) else allowed
    is_date = isinstance(value, date | time) and all(name in allowed for name in SCALAR["type"])
    if not is_date and not any(_is(value, name) for name in allowed):
        raise SchemaError(f"{where} must be {' or '.join(NAMES[name] for name in allowed)}, not {value!r}")
    if isinstance(value, Mapping):
        _check_table(value, form, where)
    elif isinstance(value, str):
        if len(value) < form.get("minLength", 0) or len(value) > form.get("maxLength", len(value)):
            raise SchemaError(f"{where} must have {_lengths(form)}, not {len(value)}: {value!r}")
    elif isinstance(value, Sequence):
        if len(value) < form.get("minItems", 0):
            raise SchemaError(f"{where} is empty; give at least {form['minItems']}")
        for number, each in enumerate(value, start=1):
            check(each, form.get("items", {}), f"{where}, item {number}")
    elif _is(value, "number"):
        if value < form.get("minimum", value):
            raise SchemaError(f"{where} must be at least {form['minimum']}, not {value!r}")
        if "exclusiveMinimum" in form and value <= form["exclusiveMinimum"]:
            raise SchemaError(f"{where} must be above {form['exclusiveMinimum']}, not {value!r}")


def _check_table(table: Mapping[str, Any], form: Form, where: str) -> None:
    entries = form.get("properties", {})
    others = form.get("additionalProperties", True)
    for name, value in table.items():
        path = f"{where}, {name}" if ", item " in where else f"{where}.{name}"
        if name in entries:
            check(value, entries[name], path)
        elif others is False:
            raise SchemaError(f"{where} has no entry {name!r}{near_miss(name, entries)}")
        elif isinstance(others, Mapping):
            check(value, others, path)
    for name in form.get("required", ()):
        if name not in table:
            raise SchemaError(f"{where} needs {name}")
    if len(table) < form.get("minProperties", 0):
        raise SchemaError(f"{where} is empty; give at least {form['minProperties']}")


def _is(value: Any, name: str) -> bool:
    """Whether a value is of a JSON type; TOML's dates and times are none, and are accepted where any scalar is."""
    if isinstance(value, bool):
        return name == "boolean"
    types: dict[str, Any] = {
        "string": str,
        "number": int | float,
        "integer": int,
        "array": list | tuple,
        "object": Mapping,
    }
    return name in types and isinstance(value, types[name])


def _lengths(form: Form) -> str:
    low, high = form.get("minLength", 0), form.get("maxLength")
    return f"{low} character{'' if low == 1 else 's'}" if low == high else f"at least {low} characters"
