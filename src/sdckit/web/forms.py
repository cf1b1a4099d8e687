"""Forms: the fields of a masking or a measure, from the parameters that it declares."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from inspect import isclass
from typing import Any, get_origin

from sdckit.catalogue import Entry, entries
from sdckit.component_table import build_from_table
from sdckit.evaluation.measurement import domains_of
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import Parameter

PREFIX = "p:"  # before the name of a parameter in a form, so that none collides with another field


@dataclass(frozen=True)
class Field:
    """One parameter as a form shows it."""

    name: str
    label: str
    help: str
    range: str
    control: str
    value: str
    low: float | None = None
    high: float | None = None
    step: str = "any"
    options: tuple[str, ...] = ()
    placeholder: str = ""


def fields_of(entry: Entry, values: Mapping[str, Any] | None = None) -> tuple[Field, ...]:
    """The fields of a component, with its defaults or these values."""
    return tuple(_field(each, (values or {}).get(each.name, each.default)) for each in entry.parameters)


def values_from(entry: Entry, form: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that a form sets, as text; an empty field leaves the default."""
    values: dict[str, Any] = {}
    for each in entry.parameters:
        text = str(form.get(PREFIX + each.name, "")).strip()
        if each.type is bool:
            values[each.name] = "true" if text else "false"
        elif text and text != text_of(each.default):
            values[each.name] = text
    return values


def built_from(entry: Entry, form: Mapping[str, Any]) -> Any:
    """The component that a form describes; a mistake is an error that names the parameter and what is accepted."""
    return build_from_table(entry, values_from(entry, form))


def text_of(value: Any) -> str:
    """A value as a field shows it, in the form in which it can be typed."""
    if value is None or value == ():
        return ""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return "+".join(text_of(each) for each in value)
    return "true" if value is True else "false" if value is False else str(value)


def maskings_for(data: Microdata) -> dict[str, list[Entry]]:
    """The maskings for this kind of file, by family: those of graphs first where it is one."""
    families: dict[str, list[Entry]] = {}
    for domain in domains_of(data):
        for entry in entries("masking", domain):
            families.setdefault(entry.family.replace("_", " "), []).append(entry)
    return families


def choices_of(entry: Entry, data: Microdata) -> list[tuple[str, bool]]:
    """The attributes that a masking can mask, and whether it does so by default: the keys."""
    kinds = getattr(entry.component, "kinds", Kind.ANY)
    if entry.domain is not Microdata:
        return []
    return [
        (each.name, each.role is Role.KEY)
        for each in data.attributes
        if each.kind & kinds and each.role is not Role.IDENTIFIER
    ]


def _field(declared: Parameter, value: Any) -> Field:
    field = Field(
        PREFIX + declared.name, declared.name.replace("_", " "), declared.help, declared.range, "text", text_of(value)
    )
    if declared.type is bool:
        return replace(field, control="checkbox")
    if isclass(declared.type) and issubclass(declared.type, Enum):
        return replace(field, control="select", options=tuple(str(each.value) for each in declared.type))
    if declared.type in (int, float) and declared.high != math.inf and value != math.inf:
        step = "1" if declared.type is int else "any"
        return replace(field, control="number", low=declared.low, high=declared.high, step=step)
    several = get_origin(declared.type) is tuple
    return replace(field, placeholder=declared.written or ("several with +" if several else ""))
