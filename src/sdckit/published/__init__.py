"""The experiments of the literature: one module for each published table or set of figures, ours beside theirs.

A module has a docstring whose first line is its title, and `reproduce(seed=…)`, which gives a `Reproduction`. Its name
on the command line, `sdckit reproduce NAME`, is the module's with hyphens.
"""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from sdckit.errors import UnknownNameError

SHARED = {"comparison", "reproduction"}  # modules that are not experiments


def names() -> tuple[str, ...]:
    """What can be reproduced."""
    found = (info.name for info in iter_modules(__path__))
    return tuple(sorted(name.replace("_", "-") for name in found if name not in SHARED))


def experiment(name: str) -> ModuleType:
    """The module of that name."""
    if name not in names():
        raise UnknownNameError("published experiment", name, names())
    return import_module(f"{__name__}.{name.replace('-', '_')}")


def title(name: str) -> str:
    """What it is, in a line."""
    return (experiment(name).__doc__ or "").partition("\n")[0].rstrip(".")
