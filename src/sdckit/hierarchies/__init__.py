"""Kinds of hierarchy: each module of this folder is one way to declare a hierarchy in `schema.toml`.

A kind declares

`KEYWORD`      the key by which a declaration is recognised, such as `prefix` in `hierarchy = { prefix = [1, 2] }`
`PROPERTIES`   the form of this key and of the options beside it, as JSON Schema (see `sdckit.document_form`)
`build`        `build(values, declaration)` returns the `Hierarchy` over the values of an attribute
`located`      `located(declaration, folder)` returns the declaration with paths that start from the folder of the
               schema; left out where a declaration has no path

Another package adds a kind through the entry-point group `sdckit.hierarchies`, each entry naming such a module.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sdckit.document_form import Form, check
from sdckit.errors import SchemaError
from sdckit.hierarchy import Hierarchy
from sdckit.plugins import discover

GROUP = "sdckit.hierarchies"
Declaration = Mapping[str, Any]


@dataclass(frozen=True)
class HierarchyKind:
    """One way to declare a hierarchy."""

    keyword: str
    form: Form
    build: Callable[[Iterable[Any], Declaration], Hierarchy]
    located: Callable[[Declaration, Path], Declaration]


def kinds() -> tuple[HierarchyKind, ...]:
    """Every kind: those of this folder by name, then those of other packages."""
    return _discovered()[0]


def kind_of(declaration: Any, where: str = "hierarchy") -> HierarchyKind:
    """The kind of a declaration, checked: one keyword and its options, of the right types."""
    keywords = [each.keyword for each in kinds()]
    if not isinstance(declaration, Mapping):
        raise SchemaError(f"{where} must be a table with {_either(keywords)}, not {declaration!r}")
    present = set(declaration).intersection(keywords)
    named = [each for each in kinds() if each.keyword in present and present <= set(each.form["properties"])]
    if len(named) != 1:
        failures = "".join(f"; {module} could not be imported ({why})" for module, why in _discovered()[1])
        raise SchemaError(f"{where} must have one of {_either(keywords)}, not {sorted(declaration)}{failures}")
    check(declaration, named[0].form, where)
    return named[0]


def build(declaration: Declaration, values: Iterable[Any]) -> Hierarchy:
    """The hierarchy that a declaration describes over these values.

    >>> build({"prefix": [2]}, ["48201", "48202"]).ancestors("48201")
    ('48201', '482**', '*')
    """
    return kind_of(declaration).build(values, declaration)


def _either(keywords: list[str]) -> str:
    return " or ".join([", ".join(keywords[:-1]), keywords[-1]]) if len(keywords) > 1 else keywords[0]


@lru_cache(maxsize=1)
def _discovered() -> tuple[tuple[HierarchyKind, ...], tuple[tuple[str, str], ...]]:
    plugins = discover(__name__, GROUP)
    found = (
        HierarchyKind(
            module.KEYWORD,
            {
                "type": "object",
                "properties": module.PROPERTIES,
                "required": [module.KEYWORD],
                "additionalProperties": False,
            },
            module.build,
            getattr(module, "located", lambda declaration, folder: declaration),
        )
        for module in plugins.modules
        if hasattr(module, "KEYWORD")
    )
    return tuple(found), tuple(plugins.failures.items())
