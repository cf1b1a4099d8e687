"""The tests that belong to a module, and whether a mutant fails them.

A module that has kernels of its own is tested without compilation, as each of its mutants would be compiled anew. The
tests of any other module use compiled kernels, which are kept in the copy of the tree.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING

from torture._ast_mutations import Mutant, imported_modules

if TYPE_CHECKING:
    from torture._forked_tests import Ended

ROOT = Path(__file__).resolve().parents[1]
NJIT = "sdckit.kernels.compiled.njit"
COPIED = ("src", "tests", "tools", "benchmarks", "torture", "pyproject.toml")
COMPILING = 900  # seconds of CPU for tests that compile the kernels they need
LONGEST = 25  # seconds of CPU for tests that run together; what they have not found by then counts as not found
PATIENCE = 2  # times the usual duration, after which a mutant that runs on counts as killed


@dataclass
class Bench:
    """A copy of the tree in which modules are changed and tested; the tree itself is never touched."""

    folder: Path
    usual: dict[tuple[tuple[str, ...], bool], "Ended"] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)  # tests that fail without a mutant

    @classmethod
    def copied(cls, folder: Path) -> "Bench":
        """A bench in a new folder."""
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.nb[ic]"))
            else:
                shutil.copy2(source, folder / name)
        return cls(folder)

    def tests_of(self, module: str) -> list[str]:
        """The files of tests that belong to a module.

        They have its name, or are in its folder and import it; else any that import it; else those of the modules that
        import it; else all of its folder.
        """
        files = self._test_files()
        named = [path for path in files if path.stem.removeprefix("test_") == Path(module).stem]
        importing = [path for path in files if _dotted(module) in _imports(path)]
        beside = self.folder / "tests" / Path(module).parent.relative_to("src/sdckit")
        chosen = list(dict.fromkeys([*named, *(path for path in importing if path.parent == beside)])) or importing
        chosen = chosen or self._tests_of_importers({_dotted(module)})
        return self._names(chosen or [path for path in files if path.parent == beside])

    def wider_tests_of(self, module: str) -> list[str]:
        """The other files that may notice a change: those that import the module, and those of what uses it."""
        importing = [path for path in self._test_files() if _dotted(module) in _imports(path)]
        above = {_dotted(self._name(path)) for path in self._importers({_dotted(module)})}
        farther = [*importing, *self._tests_of_importers({_dotted(module)}), *self._tests_of_importers(above)]
        own = self.tests_of(module)
        return [name for name in dict.fromkeys(self._names(farther)) if name not in own]

    def _test_files(self) -> list[Path]:
        return sorted(path for path in (self.folder / "tests").rglob("test_*.py") if path.parent.name != "torture")

    def _importers(self, modules: set[str]) -> list[Path]:
        """The modules that import one of these."""
        return [path for path in sorted((self.folder / "src").rglob("*.py")) if modules & _imports(path)]

    def _tests_of_importers(self, modules: set[str]) -> list[Path]:
        """The files of tests with the names of modules that import one of these."""
        stems = {path.stem for path in self._importers(modules)}
        return [path for path in self._test_files() if path.stem.removeprefix("test_") in stems]

    def _name(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    def _names(self, paths: Iterable[Path]) -> list[str]:
        return [self._name(path) for path in paths]

    def has_kernels(self, module: str) -> bool:
        """Whether a module has compiled code of its own."""
        return NJIT in _imports(self.folder / module)

    def kills(self, mutant: Mutant, files: list[str]) -> bool:
        """Whether a test of these files fails, or runs on and on, with the mutant in place of its module.

        A test that fails without the mutant too is left out. One that was not reached in time finds nothing.
        """
        compiled = not self.has_kernels(mutant.module)
        while files:
            if compiled:
                self._unchanged(tuple(files), compiled)  # so that no mutant seems slow for what is compiled first
            with self._changed(mutant):
                ended = self._run(files, compiled)
            if ended.passed or not ended.ran:
                return any(self._is_quick(name, compiled) for name in ended.overdue)
            if ended.late:
                unchanged = self._unchanged(tuple(files), compiled)
                return unchanged.passed and PATIENCE * unchanged.seconds < LONGEST
            if self._unchanged((ended.failed,) if ended.failed else tuple(files), compiled).passed:
                return True
            if not ended.failed:
                return False
            self.left_out.add(ended.failed)
        return False

    def _is_quick(self, test: str, compiled: bool) -> bool:
        """Whether a test ends long before its time is up without a mutant."""
        from torture._forked_tests import EACH

        unchanged = self._unchanged((test,), compiled)
        return unchanged.passed and not unchanged.overdue and PATIENCE * unchanged.seconds < EACH

    @contextmanager
    def _changed(self, mutant: Mutant) -> Iterator[None]:
        """The mutant in place of its module."""
        path = self.folder / mutant.module
        before, source = path.stat(), path.read_text(encoding="utf-8")
        bytecode = Path(cache_from_source(str(path)))
        try:
            bytecode.unlink(missing_ok=True)
            path.write_text(mutant.source, encoding="utf-8")
            yield
        finally:
            bytecode.unlink(missing_ok=True)
            path.write_text(source, encoding="utf-8")
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # by which numba knows what it has compiled

    def _unchanged(self, tests: tuple[str, ...], compiled: bool) -> "Ended":
        """How tests end without a mutant; the second time if kernels are compiled the first time."""
        if (tests, compiled) not in self.usual:
            if compiled:
                self._run(tests, compiled, COMPILING)
            self.usual[tests, compiled] = self._run(tests, compiled)
        return self.usual[tests, compiled]

    def _run(self, tests: Sequence[str], compiled: bool, seconds: int = LONGEST) -> "Ended":
        from torture._forked_tests import EACH, run_tests  # imports what every test needs

        each = EACH if seconds == LONGEST else float(seconds)  # a test may have to compile first
        arguments = [*tests, *(f"--deselect={name}" for name in self.left_out)]
        return run_tests(self.folder, arguments, compiled, seconds, each)


def _dotted(module: str) -> str:
    """The name by which a module is imported."""
    return module.removeprefix("src/").removesuffix(".py").replace("/", ".")


@cache  # a bench asks for the same files with every mutant
def _imports(path: Path) -> set[str]:
    return set(imported_modules(path.read_text(encoding="utf-8")))
