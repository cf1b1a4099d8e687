"""Plug-ins: the modules of a folder, and those that other packages add through an entry-point group."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType


@dataclass(frozen=True)
class Plugins:
    """Modules in the order in which they were discovered, and why others could not be imported, by their names."""

    modules: tuple[ModuleType, ...]
    failures: Mapping[str, str]


def own_modules(folder: str, first: str = "") -> Iterator[ModuleType]:
    """The modules in a folder of the package by name, that named `first` before the others, each imported in turn."""
    names = [info.name for info in pkgutil.iter_modules(importlib.import_module(folder).__path__)]
    for name in sorted(names, key=lambda name: (name != first, name)):
        yield importlib.import_module(f"{folder}.{name}")


def discover(folder: str, group: str) -> Plugins:
    """Import every module in a folder of the package, then every module that an entry point of the group names.

    A module of another package that cannot be imported is reported, not raised: it must not disable the others.
    """
    from importlib.metadata import entry_points

    modules = [*own_modules(folder)]
    failures = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.value):
        try:
            modules.append(importlib.import_module(point.value))
        except Exception as problem:  # the code of others may fail in any way
            failures[point.value] = " ".join(f"{type(problem).__name__}: {problem}".split())
    return Plugins(tuple(modules), failures)
