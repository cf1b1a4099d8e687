"""The tests that belong to a module, how long they take, and whether a mutant fails them.

A module that has kernels of its own is tested without compilation, as each of its mutants would be compiled anew. The
tests of any other module use compiled kernels, which are kept in the copy of the tree.
"""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from torture._ast_mutations import Mutant, imported_modules

ROOT = Path(__file__).resolve().parents[1]
NJIT = "sdckit.kernels.compiled.njit"
COPIED = ("src", "tests", "tools", "benchmarks", "torture", "pyproject.toml")
COMPILING = 900  # seconds of CPU for the first run of a file, which compiles the kernels that it needs
LONGEST_FILE = 120  # seconds of CPU for all tests of a file
LONGEST_TEST = 4.0  # seconds: a test that takes longer is left out
LONGEST_MODULE = 60  # seconds of the tests of a module: the quickest files first
PATIENCE = 2  # times the usual duration, after which a mutant that runs on counts as killed
WAITING = 10  # seconds of waiting for each second of CPU, where the machine is busy


@dataclass(frozen=True)
class Usual:
    """How a file of tests runs when nothing is changed: its seconds, and the tests that fail or take too long."""

    seconds: float
    left_out: tuple[str, ...] = ()


@dataclass
class Bench:
    """A copy of the tree in which modules are changed and tested; the tree itself is never touched."""

    folder: Path
    usual: dict[tuple[str, bool], Usual | None] = field(default_factory=dict)  # None: nothing of the file can be used

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

    def usable_tests(self, module: str, *, wider: bool = False) -> tuple[list[str], float]:
        """Of these, the ones that pass unchanged in time, as arguments of pytest, and their seconds together."""
        compiled = not self.has_kernels(module)
        files = self.wider_tests_of(module) if wider else self.tests_of(module)
        timed = [(usual, path) for path in files if (usual := self._usual(path, compiled)) is not None]
        chosen: list[str] = []
        total = 0.0
        for usual, path in sorted(timed, key=lambda each: each[0].seconds):
            if total + usual.seconds <= LONGEST_MODULE or not chosen:
                chosen += [path, *(f"--deselect={test}" for test in usual.left_out)]
                total += usual.seconds
        return chosen, total

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

    def _usual(self, path: str, compiled: bool) -> Usual | None:
        if (path, compiled) not in self.usual:
            if compiled:
                self._pytest([path], COMPILING, compiled)
            results = self.folder / "results.xml"
            results.unlink(missing_ok=True)
            self._pytest([path, f"--junitxml={results}"], LONGEST_FILE, compiled)
            cases = list(ElementTree.parse(results).iter("testcase")) if results.is_file() else []
            left_out = tuple(f"{path}::{each.get('name')}" for each in cases if not _usable(each))
            seconds = sum(float(each.get("time", 0)) for each in cases if _usable(each))
            self.usual[path, compiled] = Usual(seconds, left_out) if len(left_out) < len(cases) else None
        return self.usual[path, compiled]

    def kills(self, mutant: Mutant, tests: list[str], usual: float) -> bool:
        """Whether a test fails with the mutant in the place of its module."""
        path = self.folder / mutant.module
        before, compiled = path.stat(), not self.has_kernels(mutant.module)
        source = path.read_text(encoding="utf-8")
        try:
            path.write_text(mutant.source, encoding="utf-8")
            return self._pytest(["-x", *tests], int(PATIENCE * usual) + 20, compiled) != 0
        finally:
            path.write_text(source, encoding="utf-8")
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # by which numba knows what it has compiled

    def _pytest(self, paths: list[str], seconds: int, compiled: bool) -> int:
        """Run tests for some seconds of CPU at most; 0 where all pass."""
        options = ["-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"]
        environment = os.environ | {
            "NUMBA_DISABLE_JIT": "0" if compiled else "1",
            "PYTHONPATH": str(self.folder / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_NUM_THREADS": "1",
        }
        command = [sys.executable, "-m", "pytest", *options, "--hypothesis-seed=0", *paths]
        try:
            return subprocess.run(
                command,
                cwd=self.folder,
                env=environment,
                timeout=WAITING * seconds,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return -1


def _usable(case: ElementTree.Element) -> bool:
    """Whether a test passed in time."""
    broken = case.find("failure") is not None or case.find("error") is not None
    return not broken and float(case.get("time", 0)) <= LONGEST_TEST


def _dotted(module: str) -> str:
    """The name by which a module is imported."""
    return module.removeprefix("src/").removesuffix(".py").replace("/", ".")


@cache  # a bench asks for the same files with every mutant
def _imports(path: Path) -> set[str]:
    return set(imported_modules(path.read_text(encoding="utf-8")))
