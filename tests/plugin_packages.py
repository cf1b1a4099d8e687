"""A format or a kind of hierarchy added as one new file: in the folder of the package, or in a package of its own."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def one_more_file(package: str, name: str, source: str, folder: Path) -> Iterator[None]:
    """As if the file lay in the folder of the package."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    module = importlib.import_module(package)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "__path__", [*module.__path__, str(folder)])
        with _fresh(module, f"{package}.{name}"):
            yield
        if hasattr(module, name):
            patch.delattr(module, name)


@contextmanager
def another_package(package: str, group: str, name: str, source: str, folder: Path) -> Iterator[None]:
    """As if a package with the file and an entry point for it were installed."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    installed = folder / f"{name}-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text(f"[{group}]\n{name} = {name}\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        with _fresh(importlib.import_module(package), name):
            yield


@contextmanager
def _fresh(module: object, added: str) -> Iterator[None]:
    discovered = module._discovered
    importlib.invalidate_caches()
    discovered.cache_clear()
    try:
        yield
    finally:
        discovered.cache_clear()
        sys.modules.pop(added, None)
