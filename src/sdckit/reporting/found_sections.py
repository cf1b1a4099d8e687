"""The sections that there are, found by looking into their folder."""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from sdckit.reporting import sections


@dataclass(frozen=True)
class Section:
    """A part of the page, as found in the folder: `content` gives what its template shows, or None for nothing."""

    name: str
    title: str
    order: int
    content: Callable[..., Mapping[str, Any] | None]


@lru_cache(maxsize=1)
def every_section() -> tuple[Section, ...]:
    """The sections there are, in their order."""
    found = []
    for info in pkgutil.iter_modules(sections.__path__):
        module = import_module(f"{sections.__name__}.{info.name}")
        found.append(Section(info.name, module.TITLE, module.ORDER, module.content))
    return tuple(sorted(found, key=lambda section: (section.order, section.name)))
