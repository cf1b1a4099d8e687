"""Disclosure risks and attacks by class: `from sdckit.risks import DistanceLinkage`."""

from typing import Any

from sdckit.component_classes import class_names, component_class


def __getattr__(name: str) -> Any:
    return component_class("risk", __name__, name)


def __dir__() -> list[str]:
    return [*globals(), *class_names("risk")]
