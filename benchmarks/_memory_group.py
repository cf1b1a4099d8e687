"""A command under a hard limit of memory, and what it took: the system ends it where it takes more.

The limit is that of a control group (cgroup, version 1 or 2), which counts the pages that the command and all that it
starts really use. A limit of addresses (`ulimit -v`) would count the code of libraries, files that are mapped and what
allocators reserve and never touch: three times as much.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import IO

GROUPS = Path("/sys/fs/cgroup")
SMALL_PARENT = Path(__file__).with_name("_small_parent.py")
INTERVAL = 0.1  # seconds between two looks at the memory of all processes
LINGERING = 20.0  # seconds that processes may take to end after the command


@dataclass(frozen=True)
class Usage:
    """The exit code of a command, its seconds, its peak memory in bytes, and whether a limit was enforced."""

    code: int
    cpu: float
    wall: float
    peak: int
    enforced: bool


def run_within(limit: int, command: Sequence[str], output: IO[bytes] | None = None) -> Usage:
    """Run a command that may take so many bytes of memory; what it prints goes to a file, if one is given."""
    start = perf_counter()
    with memory_group(limit) as group:
        reading, writing = os.pipe()
        parent = [sys.executable, "-I", "-S", str(SMALL_PARENT), str(writing), str(group or "")]
        process = subprocess.Popen([*parent, *command], stdout=output, pass_fds=[writing])
        os.close(writing)
        ended, seen = Event(), [0]
        watcher = Thread(target=_watch, args=(group, ended, seen))
        watcher.start()
        with open(reading, encoding="ascii") as report:
            used = json.load(report)
        process.wait()
        ended.set()
        watcher.join()
    return Usage(used["code"], used["cpu"], perf_counter() - start, max(used["peak"], seen[0]), group is not None)


@contextmanager
def memory_group(limit: int) -> Iterator[Path | None]:
    """A control group with a limit of memory; None where this process may not make one."""
    for parent, name in ((GROUPS / "memory", "memory.limit_in_bytes"), (GROUPS, "memory.max")):
        group = parent / f"sdckit-{os.getpid()}"
        try:
            if not (parent / "cgroup.procs").exists():
                continue
            group.mkdir()
            (group / name).write_text(str(limit), encoding="ascii")
        except OSError:
            with suppress(OSError):
                group.rmdir()
            continue
        try:
            yield group
        finally:
            _remove(group)
        return
    yield None


def _remove(group: Path) -> None:
    """Remove a group once what the command has started, such as Java, is gone as well."""
    for _ in range(int(LINGERING / INTERVAL)):
        with suppress(OSError):
            group.rmdir()
            return
        Event().wait(INTERVAL)
    for process in (group / "cgroup.procs").read_text(encoding="ascii").split():
        with suppress(ProcessLookupError):
            os.kill(int(process), signal.SIGKILL)


def _watch(group: Path | None, ended: Event, seen: list[int]) -> None:
    """The most memory, without pages of files, that all processes of a group had together."""
    while group is not None and not ended.wait(INTERVAL):
        with suppress(OSError, ValueError):
            for line in (group / "memory.stat").read_text(encoding="ascii").splitlines():
                name, _, size = line.partition(" ")
                if name in ("total_rss", "anon"):
                    seen[0] = max(seen[0], int(size))
