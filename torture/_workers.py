"""Trials in several processes at once: as many as there are cores, or as TORTURE_WORKERS says."""

import os
import pickle
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from torture._log import Log

WORKERS = int(os.environ.get("TORTURE_WORKERS", os.cpu_count() or 1))


def in_forks(trials: Sequence[int], trial: Callable[[int, Log], None], folder: Path, log: Log) -> None:
    """Make the trials in forked processes, each of which takes every so many-th of them; their logs become one."""
    forked = []
    for worker in range(WORKERS):
        process = os.fork()
        if process == 0:
            os._exit(_made(trials[worker::WORKERS], trial, folder / f"log {worker}"))
        forked.append(process)
    for worker, process in enumerate(forked):
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        if code == 0:
            log.add(pickle.loads((folder / f"log {worker}").read_bytes()))
        else:
            log.failure(f"process {worker} of the trials ended with exit code {code}")


def _made(trials: Sequence[int], trial: Callable[[int, Log], None], path: Path) -> int:
    """Make trials in this process, write their log, and return the exit code."""
    found = Log()
    try:
        for number in trials:
            trial(number, found)
        path.write_bytes(pickle.dumps(found))
    except BaseException:  # nothing may return to the code of the process that was forked
        traceback.print_exc()
        return 1
    return 0
