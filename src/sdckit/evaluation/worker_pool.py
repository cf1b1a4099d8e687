"""Workers: processes that keep the file and the compiled kernels, and take one trial after the other."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import inf, isinf
from queue import Empty, Queue
from threading import Event, Thread
from time import sleep
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from sdckit.errors import ParameterError, SdcError
from sdckit.memory import free_memory
from sdckit.microdata import Microdata

if TYPE_CHECKING:
    from sdckit.evaluation.experiment import Experiment, Outcome, Trial

PROCESS = 400 * 2**20  # bytes of a worker before it has a file: Python, the libraries, compiled kernels, one block
POLARS = "POLARS_MAX_THREADS"  # read by polars when it is imported
COPIES = 24  # of the file that a worker holds at its peak: original, masked, ranks, standardised, candidates …
Task: TypeAlias = "tuple[int, Trial, Outcome | None]"  # its number, what to try, and the outcome of another seed
Work: TypeAlias = "Callable[[Iterable[Task]], Iterator[tuple[int, Outcome]]]"

T = TypeVar("T")

_experiment: "Experiment | None" = None


def workers_that_fit(data: Microdata, asked: int | None = None) -> int:
    """How many workers to start: the number requested, else one per core, but no more than fit into memory."""
    if asked is not None and asked < 1:
        raise ParameterError(f"{asked} is not a number of workers; use 1 or more")
    requested = asked or cores()
    free = free_memory()
    if free is None:
        return requested
    fitting = int(free // memory_of_a_worker(data))
    if fitting < 1:
        raise SdcError(
            f"masking and measuring this file takes about {memory_of_a_worker(data) / 2**30:.1f} GB and "
            f"{free / 2**30:.1f} GB are free; use a sample of the records, or fewer columns"
        )
    return min(requested, fitting)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_of_a_worker(data: Microdata) -> int:
    """The bytes that a worker needs at its peak, estimated; pairwise work is blocked and counts as part of it."""
    return PROCESS + COPIES * 8 * len(data) * len(data.attributes)


def memory_of_masking(data: Microdata) -> int:
    """The bytes that masking a file takes beyond the file itself, at the least: the masked file, ranks and copies."""
    return COPIES // 4 * 8 * len(data) * len(data.attributes)


@contextmanager
def worker_pool(
    experiment: "Experiment", workers: int, seconds_left: Callable[[], float] = lambda: inf
) -> Iterator[Work]:
    """Workers for as long as the block runs; given tasks, they yield number and outcome of each as it is done.

    One worker is this process itself. The file goes to each worker once, when it starts; a task is a recipe and a seed.
    Several workers are left alone where no time is left: what they are at is not waited for, and they end with the
    block.
    """
    if workers == 1:
        yield lambda tasks: ((number, experiment.run(trial, like)) for number, trial, like in tasks)
        return
    from joblib import Parallel, delayed

    with (
        _threads_of_polars(max(cores() // workers, 1)),
        Parallel(
            n_jobs=workers,
            backend="loky",
            batch_size=1,
            pre_dispatch="n_jobs",  # tasks that wait are not taken yet, so that a search can end before them
            return_as="generator_unordered",
            initializer=_settle,
            initargs=(experiment, os.getpid()),
        ) as parallel,
    ):
        abandoned = Event()

        def work(tasks: "Iterable[Task]") -> "Iterator[tuple[int, Outcome]]":
            if not abandoned.is_set():
                outcomes = parallel(delayed(_done)(*task) for task in tasks)
                yield from in_time(outcomes, seconds_left, abandoned.set)

        yield work


def in_time(results: Iterable[T], seconds_left: Callable[[], float], abandon: Callable[[], None]) -> Iterator[T]:
    """The results that arrive while there is time; then the others are abandoned."""
    arrived: Queue[tuple[T | None, BaseException | None]] = Queue()

    def forward() -> None:
        try:
            for result in results:
                arrived.put((result, None))
            arrived.put((None, StopIteration()))
        except BaseException as problem:  # raised again where the results are wanted
            arrived.put((None, problem))

    Thread(target=forward, daemon=True).start()
    while True:
        left = seconds_left()
        try:
            result, problem = arrived.get(timeout=None if isinf(left) else max(left, 0.0))
        except Empty:
            abandon()
            return
        if isinstance(problem, StopIteration):
            return
        if problem is not None:
            raise problem
        yield cast(T, result)


@contextmanager
def _threads_of_polars(threads: int) -> Iterator[None]:
    """Bound the threads of polars in processes started meanwhile, unless the user has; joblib bounds BLAS and numba."""
    if POLARS in os.environ:
        yield
        return
    os.environ[POLARS] = str(threads)
    try:
        yield
    finally:
        del os.environ[POLARS]


def _settle(experiment: "Experiment", parent: int) -> None:
    global _experiment
    _experiment = experiment
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles an interruption, and reports it once
    Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    """End this worker soon after the process it works for, however that ended: it holds the original file."""
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)


def _done(number: int, trial: "Trial", like: "Outcome | None") -> "tuple[int, Outcome]":
    assert _experiment is not None
    return number, _experiment.run(trial, like)
