"""The catalogue: every masking, risk and loss, found by looking into the folders `methods/`, `risk/` and `loss/`.

A component's name is the name of its file: `rank-swapping` is the decorated class in `rank_swapping.py`. So one
component is found by importing one file, and the names are known without importing any. Other packages add components
through the entry-point group `sdckit.components`, each entry naming a module.
"""

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from inspect import cleandoc, getdoc, isclass
from pathlib import Path
from types import ModuleType
from typing import Any

from sdckit.errors import UnknownNameError
from sdckit.parameters import Component, Parameter, build_with, parameters_of
from sdckit.sections import Sections

FOLDERS = {"masking": "methods", "risk": "risk", "loss": "loss"}
ENTERED = re.compile(r'^@(?:masking|risk|loss)\(\s*"([^"]+)"', re.MULTILINE)  # the decorator of a component
FIRST_LINE = re.compile(  # kind, name and first line of the docstring of a component
    r'^@(masking|risk|loss)\(\s*"([^"]+)".*?^class [^"]*?:\s+r?"""(.*?)(?:"""|\n)', re.MULTILINE | re.DOTALL
)
PACKAGE = Path(__file__).parent


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
        """The folder of its file."""
        return self.component.__module__.rpartition(".")[0].rpartition(".")[2] or self.component.__module__

    @property
    def domain(self) -> type:
        """The kind of data set that it masks or measures."""
        from sdckit.microdata import Microdata

        return getattr(self.component, "domain", Microdata)

    @property
    def description(self) -> str:
        """Its docstring."""
        return cleandoc(self.component.__doc__ or "")

    @property
    def summary(self) -> str:
        """The first line of its docstring: the definition."""
        return self.description.partition("\n")[0]

    @property
    def sections(self) -> Sections:
        """Its docstring by section: definition, remarks, formula, intruder, use."""
        return Sections.of(self.description)

    @property
    def exclusions(self) -> str:
        """What an intruder who knows a masking can exclude, or why nothing; empty for a measure.

        It is the docstring of `candidates`, or the paragraph `Excludes nothing: …` of a masking without one.
        """
        from sdckit.masking import Masking

        candidates = getattr(self.component, "candidates", Masking.candidates)
        return self.sections.excludes_nothing if candidates is Masking.candidates else getdoc(candidates) or ""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters it declares."""
        return parameters_of(self.component)

    def build(self, **values: Any) -> Any:
        """Make one; values may be text, as from a command line."""
        return build_with(self.component, values)


def entries(kind: str | None = None, domain: type | None = None) -> tuple[Entry, ...]:
    """All entries, or those of one kind (`masking`, `risk`, `loss`), by kind, family and name; imports every file.

    With a domain, such as `Graph`, only those that mask or measure this kind of data set.
    """
    _check_kind(kind)
    return tuple(entry for entry in _all() if kind in (None, entry.kind) and domain in (None, entry.domain))


@dataclass(frozen=True)
class Listed:
    """A component as a list shows it: the folder of its file is its family, its docstring begins with the summary."""

    kind: str
    family: str
    name: str
    summary: str


def listing(kind: str | None = None) -> tuple[Listed, ...]:
    """All components, or those of one kind, by kind, family and name; imports only those of other packages."""
    _check_kind(kind)
    found = [
        Listed(entered, path.parent.name, name, summary)
        for each in FOLDERS
        for paths in _files(each).values()
        for path in paths
        for entered, name, summary in FIRST_LINE.findall(path.read_text(encoding="utf-8"))
    ]
    added = (entry for module in _added() for entry in _in(module))
    found += [Listed(entry.kind, entry.family, entry.name, entry.summary) for entry in added]
    return tuple(sorted((each for each in found if kind in (None, each.kind)), key=_position))


def names(kind: str | None = None) -> tuple[str, ...]:
    """The names of the components in the folders, of all kinds or of one; imports nothing.

    Components of other packages are not among them: their names are known once their modules are imported.
    """
    _check_kind(kind)
    return tuple(name for each in FOLDERS if kind in (None, each) for name in _files(each) if _enters(each, name))


def find(kind: str | None, name: str) -> Entry:
    """The entry of that name, imported from its file alone; an unknown name is an error with the nearest one.

    Example
    -------
    >>> find("masking", "rank-swapping").family
    'swapping'
    """
    _check_kind(kind)
    for each in FOLDERS:
        if kind in (None, each) and (path := _enters(each, name)):
            return next(entry for entry in _in(_module(path)) if entry.name == name)
    added = [entry for module in _added() for entry in _in(module) if kind in (None, entry.kind)]
    for entry in added:
        if entry.name == name:
            return entry
    raise UnknownNameError(kind or "method or measure", name, [*names(kind), *(entry.name for entry in added)])


def build(kind: str, name: str, **values: Any) -> Any:
    """Make a masking, risk or loss by its name.

    Example
    -------
    >>> build("masking", "mdav", group_size=3).group_size
    3
    """
    return find(kind, name).build(**values)


def _check_kind(kind: str | None) -> None:
    if kind is not None and kind not in FOLDERS:
        raise UnknownNameError("kind of component", kind, FOLDERS)


@lru_cache(maxsize=1)
def _all() -> tuple[Entry, ...]:
    own = [_module(path) for kind in FOLDERS for paths in _files(kind).values() for path in paths]
    unique = {entry.component: entry for module in (*own, *_added()) for entry in _in(module)}
    return tuple(sorted(unique.values(), key=_position))


def _position(entry: Entry | Listed) -> tuple[int, str, str]:
    return [*FOLDERS].index(entry.kind), entry.family, entry.name


@lru_cache(maxsize=len(FOLDERS))
def _files(kind: str) -> dict[str, list[Path]]:
    """The files in the folder of a kind, by the name that a component in them has."""
    files: dict[str, list[Path]] = {}
    for path in sorted((PACKAGE / FOLDERS[kind]).rglob("*.py")):
        files.setdefault(path.stem.replace("_", "-"), []).append(path)
    return files


@cache
def _enters(kind: str, name: str) -> Path | None:
    """The file that enters a component of that name; a base class in a file of the same name does not count."""
    for path in _files(kind).get(name, ()):
        if name in ENTERED.findall(path.read_text(encoding="utf-8")):
            return path
    return None


def _module(path: Path) -> ModuleType:
    return importlib.import_module(".".join(("sdckit", *path.relative_to(PACKAGE).with_suffix("").parts)))


def _added() -> Iterator[ModuleType]:
    """The modules that other packages add."""
    from importlib.metadata import entry_points

    for point in entry_points(group="sdckit.components"):
        yield importlib.import_module(point.value)


def _in(module: ModuleType) -> Iterator[Entry]:
    from sdckit.masking import Masking

    for component in vars(module).values():
        if not isclass(component) or component.__module__ != module.__name__ or "name" not in vars(component):
            continue
        kind = "masking" if issubclass(component, Masking) else getattr(component, "kind", "")
        if issubclass(component, Component) and kind in FOLDERS:
            yield Entry(kind, component.name, component)
