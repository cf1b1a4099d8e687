"""Publishable parameters: which parameters of a method or measure may be published."""

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from sdckit.microdata import Microdata
from sdckit.parameters import Component, parameters_of


def withheld_parameters(component: Component, masked: Microdata) -> tuple[str, ...]:
    """The parameters that are not published: those with anything but numbers and names of released attributes.

    A text may be a value of the original, or a path. A default value is published.
    """
    return tuple(
        each.name
        for each in parameters_of(type(component))
        if (value := getattr(component, each.name)) != each.default and not _publishable(value, masked)
    )


def _publishable(value: Any, masked: Microdata) -> bool:
    if value is None or isinstance(value, bool | int | float | Enum):
        return True
    if isinstance(value, str):
        return value in masked
    if isinstance(value, tuple | list):
        return all(_publishable(each, masked) for each in value)
    if is_dataclass(value):
        return all(_publishable(getattr(value, each.name), masked) for each in fields(value))
    return False
