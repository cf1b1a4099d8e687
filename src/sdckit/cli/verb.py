"""Verbs are found by looking into this folder: a file with a `VERB` is one, and the name of the file is its name."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

PACKAGE = "sdckit.cli"


@dataclass(frozen=True)
class Verb:
    """The function behind a verb, the heading under which the help lists it, and its position in the list."""

    function: Callable[..., None]
    group: str
    order: int


def verb_named(name: str) -> Verb | None:
    """The verb of that name, without importing the others; None where there is none."""
    module = name.replace("-", "_")
    if not module.isidentifier() or find_spec(f"{PACKAGE}.{module}") is None:
        return None
    found = getattr(import_module(f"{PACKAGE}.{module}"), "VERB", None)
    return found if isinstance(found, Verb) else None


def every_verb() -> dict[str, Verb]:
    """All verbs by name, in the order of the help."""
    folders = import_module(PACKAGE).__path__
    names = [module.name.replace("_", "-") for module in iter_modules(folders)]
    found = {name: verb for name in names if (verb := verb_named(name)) is not None}
    return dict(sorted(found.items(), key=lambda pair: (pair[1].order, pair[0])))
