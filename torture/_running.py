"""Commands that run in a process of their own, forked from this one after it has imported what they need.

Nothing is written while modules are imported, so that every kill meets a command at its work; and a thousand commands
need not import them a thousand times. This process must not have started threads that a command relies on.
"""

import atexit
import contextlib
import importlib
import json
import os
import selectors
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from torture._killed import main

LONGEST = 180.0  # seconds that one command may take
ENDED_WITHIN = 15.0  # seconds without computing, or of computing, until workers have followed their process
MARK = "TORTURE_MARK"
MODULES = "TORTURE_MODULES"  # where a command writes the names of the modules that it imported


@dataclass(frozen=True)
class Running:
    """A command that is running, and the mark by which the processes it starts are recognised."""

    process: int
    mark: str

    def end_after(self, seconds: float, sent: signal.Signals) -> tuple[int, list[str]]:
        """Send a signal after a time; the exit code and the processes that are left."""
        if not _ends(self.process, seconds):
            os.kill(self.process, sent)
        return self.finish()

    def finish(self) -> tuple[int, list[str]]:
        """Wait for the end; the exit code and the processes that are left some seconds later, which are ended."""
        if not _ends(self.process, LONGEST):
            os.kill(self.process, signal.SIGKILL)
            return _exit_code(self.process), ["the command itself: it did not end"]
        code = _exit_code(self.process)
        idle_until, before, computed = time.monotonic() + ENDED_WITHIN, -1.0, 0.0
        while (left := self._left()) and time.monotonic() < idle_until and computed < ENDED_WITHIN * len(left):
            computed = sum(map(_seconds, left))
            if computed > before:  # one that still imports, on a busy machine, sees the end of its process later
                idle_until, before = time.monotonic() + ENDED_WITHIN, computed
            time.sleep(0.1)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return code, [f"{pid}" for pid in left]

    def _left(self) -> list[int]:
        """The processes of its session, and those that inherited its mark, that have not ended."""
        wanted, found = f"{MARK}={self.mark}".encode(), []
        for each in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                state, _, _, session = (each / "stat").read_text().rpartition(")")[2].split()[:4]
                if state != "Z" and (int(session) == self.process or wanted in (each / "environ").read_bytes()):
                    found.append(int(each.name))
        return found


def _seconds(process: int) -> float:
    """The seconds that a process has computed."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start(arguments: Sequence[str], folder: Path, environment: Mapping[str, str], operation: int, sent: int) -> Running:
    """Run `sdckit` with these arguments in a folder; `operation` and `sent` as in `torture._killed`."""
    mark = uuid4().hex
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        os.setsid()
        os.chdir(folder)
        os.environ.update(environment)
        os.environ[MARK] = mark
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        _run_to_the_end(operation, sent, list(arguments))
    return Running(process, mark)


def imported_by(path: Path) -> None:
    """Import the modules that a command named in a file, so that the next ones start with them."""
    for name in json.loads(path.read_text(encoding="utf-8")):
        with contextlib.suppress(Exception):  # some are only importable from within others, which import them
            importlib.import_module(name)


def _run_to_the_end(operation: int, sent: int, arguments: list[str]) -> None:
    """Run the command and end this process as the interpreter would, without returning to its parent's code."""
    code: object = 1
    try:
        main(operation, sent, arguments)
    except SystemExit as ended:
        code = ended.code
    except BaseException:
        code = 70
    if MODULES in os.environ:
        Path(os.environ[MODULES]).write_text(json.dumps(sorted(sys.modules)), encoding="utf-8")
    threading._shutdown()
    atexit._run_exitfuncs()
    os._exit(code if isinstance(code, int) else 0)


def _ends(process: int, seconds: float) -> bool:
    """Whether a process ends within some seconds."""
    handle = os.pidfd_open(process)
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(handle, selectors.EVENT_READ)
            return bool(selector.select(seconds))
    finally:
        os.close(handle)


def _exit_code(process: int) -> int:
    """The exit code of a process that has ended; negative where a signal ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
