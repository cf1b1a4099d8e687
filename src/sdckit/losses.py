"""Information losses by class: `from sdckit.losses import Il1s`."""

from typing import Any

from sdckit.component_classes import class_names, component_class


def __getattr__(name: str) -> Any:
    return component_class("loss", __name__, name)


def __dir__() -> list[str]:
    return [*globals(), *class_names("loss")]
