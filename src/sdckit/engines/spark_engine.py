"""Spark: the same plan on several machines; the working folder must be one that all of them reach.

A kernel runs as a task for each part and writes its part whole or not at all, so a task that is run again, because its
worker was lost, does no harm.
"""

import re
import shutil
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from sdckit.engines.engine import Relation
from sdckit.engines.spark_session import end_session, session
from sdckit.errors import DiskFullError, SdcError
from sdckit.progress import Cancelled, NoProgress, Progress

T = TypeVar("T")
BATCH = 100_000  # rows of a result at a time
LOOKED_AT_EVERY = 0.2  # seconds, for parts that are done and for a request to stop
SQL_TYPES = {pa.int32(): "int", pa.int64(): "bigint", pa.float64(): "double"}
OWN_ERROR = re.compile(r"^sdckit\.\S+: (.+)$", re.MULTILINE)
MACHINE_ERROR = re.compile(
    r"^(?:\w*OSError|\w*MemoryError|\w+Error): (.*(?:\[Errno \d+\]|[Oo]ut of memory|No space).*)$", re.M
)


LACKS_PACKAGE = re.compile(r"^ModuleNotFoundError: No module named '([\w.]+)'", re.MULTILINE)


class SparkEngine:
    """A Spark session: the one that runs already or that `spark-submit` configured, else one on this machine."""

    name = "spark"
    distributed = True

    def __init__(self, folder: Path, memory: int) -> None:
        self._folder = folder.resolve() / "results"
        self._numbers = count()
        self._session, self._own = session(folder, memory)

    def run(self, kernel: Callable[[int], T], parts: Sequence[int], progress: Progress = NoProgress()) -> list[T]:
        if progress.cancelled:
            raise Cancelled("the work was cancelled")
        context = self._session.sparkContext
        group = f"sdckit-{id(self)}-{next(self._numbers)}"

        def collected() -> list[T]:
            context.setJobGroup(group, "sdckit", interruptOnCancel=True)
            found: list[T] = context.parallelize(list(parts), max(len(parts), 1)).map(kernel).collect()
            return found

        with _plain_errors(), ThreadPoolExecutor(1) as thread:
            future = thread.submit(collected)
            try:
                _follow(future, len(parts), lambda: _finished(context, group), progress)
                return future.result()
            except BaseException:
                if not future.done():
                    context.cancelJobGroup(group)
                raise

    def query(self, sql: str, tables: Mapping[str, Relation]) -> Iterator[Any]:
        folder = self._folder / f"query-{next(self._numbers):06d}"
        try:
            with _plain_errors():
                for name, table in tables.items():
                    self._frame(table).createOrReplaceTempView(name)
                self._session.sql(sql).write.parquet(_address(folder))
            for path in sorted(folder.glob("part-*.parquet")):  # in the order of a sorted result
                yield from pq.ParquetFile(path).iter_batches(BATCH)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _frame(self, table: Relation) -> Any:
        def batches(numbers: Iterator[Any]) -> Iterator[Any]:
            for batch in numbers:
                for part in batch.column(0).to_pylist():
                    yield table.batch(part)

        schema = ", ".join(f"{name} {SQL_TYPES[kind]}" for name, kind in table.types.items())
        parts = len(table.cut)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # Spark's own about pandas, which is not used here
            return self._session.range(0, parts, 1, parts).mapInArrow(batches, schema)

    def close(self) -> None:
        if self._own:
            end_session(self._session)


def _follow(future: "Future[Any]", parts: int, finished: Callable[[], int], progress: Progress) -> None:
    """Report each part that is done until all are; stop where that is asked for."""
    reported = 0
    while not wait([future], LOOKED_AT_EVERY).done:
        if progress.cancelled:
            raise Cancelled("the work was cancelled")
        done = min(finished(), parts)
        for part in range(reported, done):
            progress.advance(f"part {part + 1}")
        reported = max(reported, done)
    for part in range(reported, parts):
        progress.advance(f"part {part + 1}")


def _finished(context: Any, group: str) -> int:
    """How many tasks of a group of jobs are done."""
    tracker = context.statusTracker()
    jobs = (tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group))
    stages = (tracker.getStageInfo(stage) for job in jobs if job is not None for stage in job.stageIds)
    return sum(stage.numCompletedTasks for stage in stages if stage is not None)


def _address(folder: Path) -> str:
    """The folder for Spark, which takes every letter of it as it is: a space stays one."""
    path = folder.as_posix()
    return f"file://{path}" if path.startswith("/") else f"file:///{path}"


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Turn an error of a worker, or the loss of Spark, into one line; anything else is passed on."""
    from py4j.protocol import Py4JError, Py4JNetworkError

    try:
        yield
    except (Py4JNetworkError, ConnectionError):
        raise SdcError("the connection to Spark was lost; give the same command again") from None
    except Py4JError as problem:
        raise _plain(problem) from None
    except Exception as problem:
        if type(problem).__module__.startswith("pyspark."):
            raise _plain(problem) from None
        raise


def _plain(problem: Exception) -> Exception:
    text = str(problem)
    lacking = LACKS_PACKAGE.findall(text)
    if lacking:
        return SdcError(
            f"a worker of Spark lacks the package {lacking[-1]!r}; every worker needs sdckit and what it needs, in the "
            "Python that PYSPARK_PYTHON names"
        )
    for known in (OWN_ERROR, MACHINE_ERROR):
        found = known.findall(text)
        if found:
            message = f"a worker of Spark stopped: {found[-1].strip()}"
            return (DiskFullError if "No space" in message else SdcError)(message)
    return problem


def start(folder: Path, memory: int) -> SparkEngine:
    """Spark with the memory of a run."""
    return SparkEngine(folder, memory)
