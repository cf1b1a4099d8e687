"""The tests that belong to a module, how long they take without compilation, and whether a mutant fails them."""

import json
import os
import resource
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from torture._ast_mutations import Mutant, imported_modules

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("src", "tests", "tools", "benchmarks", "torture", "pyproject.toml")
LONGEST_FILE = 40  # seconds of CPU: a file of tests that takes longer without compilation is left out
LONGEST_MODULE = 60  # seconds of CPU of the tests of a module: the quickest files first
PATIENCE = 2  # times the usual duration, after which a mutant that runs on counts as killed
WAITING = 10  # seconds of waiting for each second of CPU, where the machine is busy


@dataclass
class Bench:
    """A copy of the tree in which modules are changed and tested; the tree itself is never touched."""

    folder: Path
    durations: dict[str, float | None] = field(default_factory=dict)  # None: fails or takes too long when unchanged

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
        """The files of tests that name or import a module; where there is none, those of the modules that import it."""
        files = sorted(path for path in (self.folder / "tests").rglob("test_*.py") if "torture" not in path.parts)
        dotted = module.removeprefix("src/").removesuffix(".py").replace("/", ".")
        named = [path for path in files if path.stem.removeprefix("test_") == Path(module).stem]
        importing = [path for path in files if dotted in imported_modules(path.read_text(encoding="utf-8"))]
        chosen = list(dict.fromkeys([*named, *importing]))
        if not chosen:
            above = [path for path in sorted((self.folder / "src").rglob("*.py")) if dotted in _imports(path)]
            stems = {path.stem for path in above}
            chosen = [path for path in files if path.stem.removeprefix("test_") in stems]
        return [path.relative_to(self.folder).as_posix() for path in chosen]

    def usable_tests(self, module: str) -> tuple[list[str], float]:
        """Of these, the ones that pass unchanged within the time, quickest first, and their duration together."""
        timed = sorted(
            (duration, path) for path in self.tests_of(module) if (duration := self._duration(path)) is not None
        )
        chosen, total = [], 0.0
        for duration, path in timed:
            if total + duration <= LONGEST_MODULE or not chosen:
                chosen.append(path)
                total += duration
        return chosen, total

    def _duration(self, path: str) -> float | None:
        if path not in self.durations:
            before = _cpu_of_children()
            code = self._pytest([path], LONGEST_FILE)
            self.durations[path] = _cpu_of_children() - before if code == 0 else None
        return self.durations[path]

    def kills(self, mutant: Mutant, tests: list[str], usual: float) -> bool:
        """Whether a test fails with the mutant in the place of its module."""
        path = self.folder / mutant.module
        before = path.read_text(encoding="utf-8")
        try:
            path.write_text(mutant.source, encoding="utf-8")
            return self._pytest(tests, int(PATIENCE * usual) + 10) != 0
        finally:
            path.write_text(before, encoding="utf-8")

    def _pytest(self, paths: list[str], seconds: int) -> int:
        """Run tests for some seconds of CPU at most; 0 where all pass."""
        options = ["-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"]
        environment = os.environ | {
            "NUMBA_DISABLE_JIT": "1",
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

    def remember(self, path: Path) -> None:
        """Keep the durations for the next run."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.durations, indent=1), encoding="utf-8")


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _imports(path: Path) -> set[str]:
    return set(imported_modules(path.read_text(encoding="utf-8")))
