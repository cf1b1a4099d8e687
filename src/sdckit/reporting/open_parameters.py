"""Open parameters: which settings of a method or measure may be told to everybody."""

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from sdckit.microdata import Microdata
from sdckit.parameters import Component, parameters_of


def hidden_parameters(component: Component, masked: Microdata) -> tuple[str, ...]:
    """The parameters that are not told: those with anything but numbers and names of released attributes.

    A text may be a value of the original, or a path. A parameter left as it is by default is told.
    """
    return tuple(
        each.name
        for each in parameters_of(type(component))
        if (value := getattr(component, each.name)) != each.default and not _open(value, masked)
    )


def _open(value: Any, masked: Microdata) -> bool:
    if value is None or isinstance(value, bool | int | float | Enum):
        return True
    if isinstance(value, str):
        return value in masked
    if isinstance(value, tuple | list):
        return all(_open(each, masked) for each in value)
    if is_dataclass(value):
        return all(_open(getattr(value, each.name), masked) for each in fields(value))
    return False
