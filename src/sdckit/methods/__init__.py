"""Maskings, one method per file; the classes are imported from here: `from sdckit.methods import Mdav`."""

from typing import Any

from sdckit.component_classes import class_names, component_class


def __getattr__(name: str) -> Any:
    return component_class("masking", __name__, name)


def __dir__() -> list[str]:
    return [*globals(), *class_names("masking")]
