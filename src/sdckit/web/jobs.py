"""Jobs: long work in processes of their own, with progress, partial results and cancelling.

A worker is started ahead and has imported what it needs when the job arrives, so that work begins at once. A job takes
the worker with it: cancelling ends the process, and whatever it was computing with it. Results come back through a
pipe; nothing is written on the way.
"""

import asyncio
import os
import signal
import sys
import threading
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any

from sdckit.errors import SdcError

RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"
SUPERSEDED = "superseded"  # ended by the server, and begun anew when somebody looks at its state again
POLL = 0.1  # seconds between two looks at a job whose events are sent
LONGEST_SILENCE = 15  # seconds after which an unchanged job is reported again, so that the connection stays open


@dataclass
class Job:
    """One piece of long work as the browser sees it; `results` counts what it has sent, by name."""

    number: int
    title: str
    kind: str
    node: int
    state: str = RUNNING
    done: int = 0
    total: int | None = None
    label: str = ""
    problem: str = ""
    results: dict[str, int] = field(default_factory=dict)
    version: int = 0
    started: float = field(default_factory=monotonic)

    @property
    def running(self) -> bool:
        """Whether it is still at work."""
        return self.state == RUNNING

    @property
    def share(self) -> float | None:
        """The share that is done; None where the amount of work is not known."""
        return min(self.done / self.total, 1.0) if self.total else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for an event: no result and no value of a record."""
        return {
            "number": self.number,
            "title": self.title,
            "kind": self.kind,
            "node": self.node,
            "state": self.state,
            "share": self.share,
            "label": self.label,
            "problem": self.problem,
            "ready": self.results,
            "version": self.version,
        }


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection


class Jobs:
    """All jobs of a server."""

    def __init__(self) -> None:
        self.jobs: dict[int, Job] = {}
        self._workers: dict[int, _Worker] = {}
        self._spare: _Worker | None = None
        self._lock = threading.RLock()
        self._closed = False

    def warm_up(self) -> None:
        """Start the worker of the next job ahead."""
        with self._lock:
            if self._spare is None and not self._closed:
                self._spare = _started()

    def start(self, kind: str, title: str, node: int, payload: Any, on_result: Callable[[str, Any], None]) -> Job:
        """Begin a job: the task of this kind with this payload; results are passed on as they come."""
        with self._lock:
            job = Job(max(self.jobs, default=0) + 1, title, kind, node)
            worker = self._spare if self._spare is not None and self._spare.process.is_alive() else _started()
            self._spare = None
            self.jobs[job.number] = job
            self._workers[job.number] = worker
        threading.Thread(target=self._follow, args=(job, worker, payload, on_result), daemon=True).start()
        return job

    def running(self, kind: str | None = None, node: int | None = None) -> list[Job]:
        """The jobs at work, of a kind and of a node where these are named."""
        return [
            job for job in self.jobs.values() if job.running and kind in (None, job.kind) and node in (None, job.node)
        ]

    def latest(self, kind: str, node: int) -> Job | None:
        """The last job of a kind for a node."""
        return next((job for job in reversed(self.jobs.values()) if job.kind == kind and job.node == node), None)

    def cancel(self, number: int, state: str = CANCELLED) -> None:
        """End a job and the processes that it started."""
        with self._lock:
            job, worker = self.jobs.get(number), self._workers.pop(number, None)
            if job is None or worker is None or not job.running:
                return
            job.state, job.label = state, state
            job.version += 1
        _end(worker)

    def close(self) -> None:
        """End everything."""
        with self._lock:
            self._closed = True
            workers = [*self._workers.values(), *([self._spare] if self._spare else [])]
            self._workers.clear()
            self._spare = None
        for worker in workers:
            _end(worker)

    async def events(self, number: int) -> AsyncIterator[Job]:
        """The job whenever it changed, until it has ended."""
        job = self.jobs[number]
        seen, sent = -1, monotonic()
        while True:
            if job.version != seen or monotonic() - sent > LONGEST_SILENCE:
                seen, sent = job.version, monotonic()
                yield job
            if not job.running and job.version == seen:
                return
            await asyncio.sleep(POLL)

    def _follow(self, job: Job, worker: _Worker, payload: Any, on_result: Callable[[str, Any], None]) -> None:
        """Receive what a worker sends until it has ended."""
        try:
            worker.pipe.send((job.kind, payload))
            while job.running:
                self._take(job, worker.pipe.recv(), on_result)
        except (EOFError, OSError):
            if job.running:
                code = worker.process.exitcode
                job.problem = "the work ended unexpectedly" + (", perhaps for lack of memory" if code == -9 else "")
                job.state = FAILED
                job.version += 1
        except Exception as problem:
            job.state, job.problem = FAILED, own_fault(problem)
            job.version += 1
        finally:
            with self._lock:
                self._workers.pop(job.number, None)
            _end(worker)
            self.warm_up()

    def _take(self, job: Job, message: tuple[Any, ...], on_result: Callable[[str, Any], None]) -> None:
        match message:
            case ("begin", total):
                job.total, job.done = total, 0
            case ("advance", label):
                job.done, job.label = job.done + bool(job.label), label
            case ("result", name, value):
                on_result(name, value)
                job.results[name] = job.results.get(name, 0) + 1
            case ("failed", problem):
                job.state, job.problem = FAILED, problem
            case ("done",):
                job.state, job.label = DONE, ""
        job.version += 1


class PipeProgress:
    """The progress of a task, sent to the server."""

    cancelled = False

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe

    def begin(self, total: int | None = None) -> None:
        """Work of this many pieces starts."""
        self.pipe.send(("begin", total))

    def advance(self, label: str = "") -> None:
        """The piece of this name starts."""
        self.pipe.send(("advance", label))


def _started() -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,), name="sdckit web job")
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _end(worker: _Worker) -> None:
    """End a worker and its children: it leads a group of its own."""
    process = worker.process
    with suppress(OSError, ValueError):
        if process.pid is not None and process.is_alive():
            if hasattr(os, "killpg") and os.getpgid(process.pid) == process.pid:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
    with suppress(OSError):
        worker.pipe.close()
    process.join(5)


def work(pipe: Connection) -> None:
    """The main function of a worker: import, wait for one job, do it, and send what comes of it."""
    with suppress(AttributeError, OSError):
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from sdckit.web import tasks

    tasks.load()
    try:
        kind, payload = pipe.recv()
    except (EOFError, OSError):
        return
    try:
        for name, value in tasks.TASKS[kind](payload, PipeProgress(pipe)):
            pipe.send(("result", name, value))
        pipe.send(("done",))
    except SdcError as problem:
        pipe.send(("failed", " ".join(str(problem).split())))
    except MemoryError:
        pipe.send(("failed", "the work does not fit into memory; use fewer columns or records"))
    except (BrokenPipeError, ConnectionResetError):
        return
    except Exception as problem:
        pipe.send(("failed", own_fault(problem)))


def own_fault(problem: Exception) -> str:
    """A fault of sdckit itself: where it occurred, without any value of the file."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if "sdckit" in frame.filename]
    at = f" at {os.path.basename(frames[-1].filename)}, line {frames[-1].lineno}" if frames else ""
    if os.environ.get("SDCKIT_TRACEBACK"):
        traceback.print_exception(problem, file=sys.stderr)
    return f"sdckit itself failed ({type(problem).__name__}{at}); this is not your mistake, please report it"
