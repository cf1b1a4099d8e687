"""Mutated inputs of every format and document: read, or refused in one line; never a traceback, an abort or a hang.

Inputs are read in child processes, so that the end of a native reader is noticed and attributed to its input. An input
that fails is kept in torture-output/mutated_inputs; those under torture/kept failed once and are read again first.
"""

import json
import os
import pickle
import selectors
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from torture._log import KEPT, Log
from torture._read_mutated import KEPT as ONCE_FAILED_SEED
from torture._read_mutated import LONGEST, kept_inputs, mutated_input, outcome
from torture._subjects import Subject, subjects
from torture._workers import WORKERS

COUNT = 100_000
WAITING = 10  # seconds without an outcome for each second of computing that an input may take: the machine may be busy
BATCH = 5_000  # inputs of one child
FINE = ("begun", "ok", "refused")
SUBJECTS = "subjects.pickle"


def run(count: int, seed: int, log: Log) -> None:
    """Read `count` mutated inputs, the same number of each subject."""
    with TemporaryDirectory(prefix="torture-") as name:
        folder = Path(name) / "inputs"
        every = make_subjects(folder)
        _read_kept(every, folder, log)
        shares = [count // len(every) + (position < count % len(every)) for position in range(len(every))]
        with ThreadPoolExecutor(WORKERS) as pool:  # each waits for a child of its own
            outcomes = pool.map(lambda subject, share: list(_outcomes(subject, folder, seed, share)), every, shares)
            for subject, share, found in zip(every, shares, outcomes, strict=True):
                before = len(log.failures)
                for number, kind, detail in found:
                    log.count(f"{subject.name}: {kind}")
                    if kind not in FINE:
                        path = _keep(subject, mutated_input(subject, folder, seed, number), kind)
                        log.failure(f"{subject.name} {number}: {kind}: {detail} ({path})")
                log.line(f"{subject.name}: {share:,} inputs, {len(log.failures) - before} failures")


def make_subjects(folder: Path) -> list[Subject]:
    """Make the inputs, and keep what they are for the children."""
    every = subjects(folder)
    (folder.parent / SUBJECTS).write_bytes(pickle.dumps(every))
    return every


def load_subjects(folder: Path) -> list[Subject]:
    """What `make_subjects` made."""
    every: list[Subject] = pickle.loads((folder.parent / SUBJECTS).read_bytes())
    return every


def _outcomes(subject: Subject, folder: Path, seed: int, count: int) -> Iterator[tuple[int, str, str]]:
    """The number, kind and detail of each outcome; a child that ends or hangs is replaced from the next input on."""
    first = 0
    while first < count:
        last = min(first + BATCH, count)
        current = first
        command = [sys.executable, "-m", "torture._read_mutated", str(folder), subject.name, str(seed)]
        child = subprocess.Popen(
            [*command, str(first), str(last)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # its signals are its own, and some kernels share the processor by session
        )
        try:
            silent = False
            for line in _lines(child):
                if line is None:
                    silent = True
                    break
                current, kind, detail = json.loads(line)
                if kind != "begun":
                    yield current, kind, detail
        finally:
            child.kill()
            code = child.wait()
            shutil.rmtree(folder.parent / f"work-{child.pid}", ignore_errors=True)
        if silent or code == -signal.SIGPROF:
            yield current, "hang", "it waits for ever" if silent else f"no outcome after {LONGEST:.0f} s of computing"
            first = current + 1
        elif code != 0:
            yield current, "abort", f"exit code {code}"
            first = current + 1
        else:
            first = last


def _lines(child: "subprocess.Popen[bytes]") -> Iterator[bytes | None]:
    """The lines that a child prints; None where it is silent for too long."""
    assert child.stdout is not None
    handle = child.stdout.fileno()
    with selectors.DefaultSelector() as selector:
        selector.register(handle, selectors.EVENT_READ)
        pending = b""
        while True:
            if not selector.select(WAITING * LONGEST):
                yield None
                return
            piece = os.read(handle, 1 << 16)
            if not piece:
                return
            *whole, pending = (pending + piece).split(b"\n")
            yield from whole


def _keep(subject: Subject, content: bytes, kind: str) -> Path:
    folder = KEPT / "mutated_inputs"
    folder.mkdir(parents=True, exist_ok=True)
    number = len(list(folder.glob(f"{subject.file_name} {kind}*")))
    path = folder / f"{subject.file_name} {kind} {number}{subject.path.suffix}"
    path.write_bytes(content)
    return path


def _read_kept(every: list[Subject], folder: Path, log: Log) -> None:
    """Read the inputs as they are, none of which may be refused, and those that failed once."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        for subject, command in ((each, command) for each in every for command in each.commands):
            kind, detail = outcome(command, subject.path)
            if kind != "ok":
                log.failure(f"{subject.name} as it is: {command[0]} {kind} {detail}")
    finally:
        os.chdir(here)
    for subject in every:
        paths = kept_inputs(subject)
        for number, kind, detail in _outcomes(subject, folder, ONCE_FAILED_SEED, len(paths)):
            log.count(f"failed once: {kind}")
            if kind not in FINE:
                log.failure(f"{paths[number].name}: {kind}: {detail}")
