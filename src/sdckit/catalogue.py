"""The catalogue: every masking, risk and loss there is, found by looking into the folders.

A module in `methods/`, `risk/` or `loss/` that holds a decorated class is in the catalogue; nothing is listed by hand.
Other packages add theirs through the entry-point group `sdckit.components`, each entry naming a module.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from inspect import cleandoc, isclass
from types import ModuleType
from typing import Any

from sdckit.errors import UnknownNameError
from sdckit.parameters import Component, Parameter, build_with, parameters_of

FOLDERS = {"masking": "sdckit.methods", "risk": "sdckit.risk", "loss": "sdckit.loss"}


@dataclass(frozen=True)
class Entry:
    """One component as the command line, the docs, the sweep and the tests see it."""

    kind: str
    name: str
    component: type[Component]

    @property
    def reference(self) -> str:
        """The key of its source in the bibliography, or a full citation."""
        return self.component.reference

    @property
    def family(self) -> str:
        """The folder it stands in."""
        return self.component.__module__.rpartition(".")[0].rpartition(".")[2] or self.component.__module__

    @property
    def description(self) -> str:
        """Its docstring."""
        return cleandoc(self.component.__doc__ or "")

    @property
    def summary(self) -> str:
        """The first line of its docstring: the definition."""
        return self.description.partition("\n")[0]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters it declares."""
        return parameters_of(self.component)

    def build(self, **values: Any) -> Any:
        """Make one; values may be text, as from a command line."""
        return build_with(self.component, values)


def entries(kind: str | None = None) -> tuple[Entry, ...]:
    """All entries, or those of one kind (`masking`, `risk`, `loss`), by kind, family and name."""
    if kind is not None and kind not in FOLDERS:
        raise UnknownNameError("kind of component", kind, FOLDERS)
    return tuple(entry for entry in _all() if kind in (None, entry.kind))


def find(kind: str | None, name: str) -> Entry:
    """The entry of that name; an unknown one is an error that says the near miss."""
    found = [entry for entry in entries(kind) if entry.name == name]
    if not found:
        raise UnknownNameError(kind or "method or measure", name, [entry.name for entry in entries(kind)])
    return found[0]


def build(kind: str, name: str, **values: Any) -> Any:
    """Make a component by name, such as `build("masking", "mdav", group_size=3)`."""
    return find(kind, name).build(**values)


@lru_cache(maxsize=1)
def _all() -> tuple[Entry, ...]:
    found = {entry.component: entry for module in _modules() for entry in _in(module)}
    kinds = list(FOLDERS)
    return tuple(sorted(found.values(), key=lambda entry: (kinds.index(entry.kind), entry.family, entry.name)))


def _modules() -> Iterator[ModuleType]:
    for folder in FOLDERS.values():
        package = importlib.import_module(folder)
        for info in pkgutil.walk_packages(package.__path__, prefix=f"{folder}."):
            yield importlib.import_module(info.name)
    for point in entry_points(group="sdckit.components"):
        yield importlib.import_module(point.value)


def _in(module: ModuleType) -> Iterator[Entry]:
    from sdckit.masking import Masking
    from sdckit.measure import Measure

    for component in vars(module).values():
        if not isclass(component) or component.__module__ != module.__name__ or "name" not in vars(component):
            continue
        if issubclass(component, Masking):
            yield Entry("masking", component.name, component)
        elif issubclass(component, Measure):
            yield Entry(component.kind, component.name, component)
