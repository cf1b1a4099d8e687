"""The section catalogue: every section of a report, found by looking into the folder `sections`.

Other packages add theirs through the entry-point group `sdckit.sections`, each entry naming a module. The constants of
such a module are listed in `sdckit.reporting.sections`.
"""

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from sdckit.errors import SdcError
from sdckit.evaluation.dossier import Dossier
from sdckit.reporting import sections

REQUIRED = ("TITLE", "ORDER", "TEMPLATE", "content")


@dataclass(frozen=True)
class Section:
    """A part of the page: `content` gives what the template shows, or None for nothing."""

    name: str
    title: str
    order: float
    template: str
    content: Callable[..., Mapping[str, Any] | None]
    needs: tuple[str, ...] = ()
    public: bool = True

    def applies(self, dossier: Dossier, *, public: bool) -> bool:
        """Whether the dossier has all results that the section needs, and the edition may show it."""
        return (self.public or not public) and all(getattr(dossier, name) for name in self.needs)


@lru_cache(maxsize=1)
def every_section() -> tuple[Section, ...]:
    """The sections there are, in their order."""
    found = [read_section(module) for module in _modules()]
    return tuple(sorted(found, key=lambda section: (section.order, section.name)))


def read_section(module: ModuleType) -> Section:
    """The section that a module declares."""
    name = module.__name__.rpartition(".")[2]
    missing = [each for each in REQUIRED if not hasattr(module, each)]
    if missing:
        raise SdcError(f"the section {name!r} declares no {missing[0]}; a section has {', '.join(REQUIRED)}")
    needs = tuple(getattr(module, "NEEDS", ()))
    results = [each.name for each in fields(Dossier)]
    unknown = [each for each in needs if each not in results]
    if unknown:
        raise SdcError(f"the section {name!r} needs {unknown[0]!r}; a dossier has {', '.join(results)}")
    public = bool(getattr(module, "PUBLIC", True))
    return Section(name, module.TITLE, module.ORDER, module.TEMPLATE, module.content, needs, public)


def _modules() -> Iterator[ModuleType]:
    for info in pkgutil.iter_modules(sections.__path__):
        yield import_module(f"{sections.__name__}.{info.name}")
    for point in entry_points(group="sdckit.sections"):
        yield import_module(point.value)
