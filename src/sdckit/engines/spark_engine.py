"""Spark: the same plan on several machines; the working folder must be one that all of them reach.

A kernel runs as a task for each part and writes its part whole or not at all, so a task that is run again, because its
worker was lost, does no harm.
"""

import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from sdckit.engines.engine import Relation
from sdckit.errors import SdcError
from sdckit.progress import Cancelled, NoProgress, Progress

T = TypeVar("T")
MASTER = "local[2,4]"  # two workers on this machine, four trials of a task
BATCH = 100_000  # rows of a result at a time
SQL_TYPES = {pa.int32(): "int", pa.int64(): "bigint", pa.float64(): "double"}


class SparkEngine:
    """A Spark session: the one that runs already or that `spark-submit` configured, else one on this machine."""

    name = "spark"
    distributed = True

    def __init__(self, folder: Path, memory: int) -> None:
        try:
            from pyspark import SparkConf
            from pyspark.sql import SparkSession
        except ImportError:
            raise SdcError("the engine spark needs the package pyspark; install sdckit[spark]") from None
        self._folder = folder.resolve() / "results"
        self._numbers = count()
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        running = SparkSession.getActiveSession()
        self._own = running is None
        if running is None:
            builder = SparkSession.builder.appName("sdckit").config("spark.ui.enabled", "false")
            builder = builder.config("spark.log.level", "ERROR")
            if not SparkConf().contains("spark.master"):
                builder = builder.master(os.environ.get("SDCKIT_SPARK_MASTER", MASTER))
                builder = builder.config("spark.sql.shuffle.partitions", "8")
                builder = builder.config("spark.ui.showConsoleProgress", "false")
                builder = builder.config("spark.driver.memory", f"{max(memory // 2**21, 512)}m")
                builder = builder.config("spark.executorEnv.PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
            try:
                running = builder.getOrCreate()
            except Exception as problem:  # the library raises its own, and plain ones where Java is missing
                raise SdcError(
                    f"Spark did not start ({str(problem).splitlines()[0]}); it needs Java 17: install a JDK and "
                    "set JAVA_HOME"
                ) from None
            running.sparkContext.setLogLevel("ERROR")
        self._session: Any = running

    def run(self, kernel: Callable[[int], T], parts: Sequence[int], progress: Progress = NoProgress()) -> list[T]:
        if progress.cancelled:
            raise Cancelled("the work was cancelled")
        for part in parts:
            progress.advance(f"part {part + 1}")
        context = self._session.sparkContext
        results: list[T] = context.parallelize(list(parts), max(len(parts), 1)).map(kernel).collect()
        return results

    def query(self, sql: str, tables: Mapping[str, Relation]) -> Iterator[Any]:
        for name, table in tables.items():
            self._frame(table).createOrReplaceTempView(name)
        folder = self._folder / f"query-{next(self._numbers):06d}"
        self._session.sql(sql).write.parquet(folder.as_uri())
        try:
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
            self._session.stop()


def start(folder: Path, memory: int) -> SparkEngine:
    """Spark with the memory of a run."""
    return SparkEngine(folder, memory)
