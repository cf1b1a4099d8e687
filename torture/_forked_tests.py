"""Tests of a copy of the tree, run in a process forked from one that has imported what is not of the tree.

Importing it again for every mutant would take longer than most tests. This process must not import the tree itself.
"""

import os
import resource
import selectors
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import numba
import numpy  # noqa: F401
import polars  # noqa: F401
import pytest
import scipy.optimize
import scipy.spatial
import scipy.stats  # noqa: F401

PROFILE = "quick"  # of hypothesis, as in the tests before a commit
WAITING = 20  # seconds of waiting for each second of CPU, where the machine is busy
NO_TESTS = 5  # exit code of pytest
EACH = 6.0  # seconds of CPU after which a test is left, so that those after it are run


@dataclass(frozen=True)
class Ended:
    """How tests ended: the exit code (negative for a signal), the first that failed, and their seconds of CPU.

    `overdue` are those that were left before they ended.
    """

    code: int
    failed: str
    seconds: float
    overdue: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all passed."""
        return self.code == 0

    @property
    def ran(self) -> bool:
        """Whether there was any."""
        return self.code != NO_TESTS

    @property
    def late(self) -> bool:
        """Whether their time was up."""
        return self.code in (-signal.SIGXCPU, -signal.SIGALRM)


class FirstFailure:
    """A plugin of pytest that writes down the first test that fails, and looks for no simpler example of it.

    It also writes down the tests that took too long, and leaves them.
    """

    def __init__(self, folder: Path, each: float) -> None:
        self.failed, self.overdue, self.each = folder / "first_failure", folder / "overdue", each

    def pytest_configure(self) -> None:
        """Take the profile after the tree has defined it."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        try:
            base = hypothesis.settings.get_profile(PROFILE)
        except hypothesis.errors.InvalidArgument:  # the tree has none
            base = hypothesis.settings()
        hypothesis.settings.register_profile("first failure", base, phases=phases)
        hypothesis.settings.load_profile("first failure")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Leave a test whose time is up; what is compiled is left when it returns."""

        def leave(*_: object) -> None:
            with self.overdue.open("a", encoding="utf-8") as file:
                file.write(f"{item.nodeid}\n")
            pytest.skip("its time is up")

        signal.signal(signal.SIGPROF, leave)
        signal.setitimer(signal.ITIMER_PROF, self.each)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Write the name of a test that failed."""
        if report.failed:
            self.failed.write_text(report.nodeid, encoding="utf-8")


def run_tests(folder: Path, arguments: Sequence[str], compiled: bool, seconds: int, each: float = EACH) -> Ended:
    """Run the tests that arguments of pytest name in the folder of a tree, for some seconds of CPU at most."""
    plugin = FirstFailure(folder, each)
    for written in (plugin.failed, plugin.overdue):
        written.unlink(missing_ok=True)
    process = os.fork()
    if process == 0:
        _end(folder, arguments, compiled, seconds, plugin)
    handle = os.pidfd_open(process)
    with selectors.DefaultSelector() as selector:
        selector.register(handle, selectors.EVENT_READ)
        in_time = bool(selector.select(WAITING * seconds))
    os.close(handle)
    if not in_time:
        os.kill(process, signal.SIGALRM)
    _, status, used = os.wait4(process, 0)
    failed, overdue = (
        written.read_text(encoding="utf-8") if written.exists() else "" for written in (plugin.failed, plugin.overdue)
    )
    code = os.waitstatus_to_exitcode(status)
    return Ended(code, failed, used.ru_utime + used.ru_stime, tuple(overdue.splitlines()))


def _end(folder: Path, arguments: Sequence[str], compiled: bool, seconds: int, plugin: FirstFailure) -> None:
    """Run the tests in this process and end it."""
    code = 70
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        os.chdir(folder)
        sys.path[:0] = [str(folder / "src"), str(folder)]
        off = "0" if compiled else "1"
        os.environ |= {"NUMBA_DISABLE_JIT": off, "PYTHONPATH": str(folder / "src"), "OMP_NUM_THREADS": "1"}
        numba.config.DISABLE_JIT = not compiled
        options = ["-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"]
        options += ["--tb=no", f"--basetemp={folder / 'temporary'}", "--hypothesis-seed=0"]
        code = int(pytest.main([*options, *arguments], plugins=[plugin]))
    finally:
        os._exit(code)
