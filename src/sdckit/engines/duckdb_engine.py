"""DuckDB: a plan on one machine, out of core: what does not fit into the memory allowed is spilled to disk."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from sdckit.engines.engine import Relation
from sdckit.engines.memory_limit import PROCESS
from sdckit.errors import DiskFullError, SdcError
from sdckit.files.formats.duckdb_table import TEXT, quoted
from sdckit.progress import Cancelled, NoProgress, Progress

T = TypeVar("T")
BATCH = 100_000  # rows of a result at a time
PER_THREAD = 125 * 2**20  # bytes that a thread needs to sort
ENGINE_SHARE = 0.5  # of the memory, for sorts and groups; kernels and Python take the rest
SMALLEST = 200 * 2**20  # bytes that DuckDB sorts and groups with at the least


class DuckDBEngine:
    """DuckDB with a limit of its memory and a folder to spill to; kernels run in this process, part by part."""

    name = "duckdb"
    distributed = False

    def __init__(self, folder: Path, memory: int) -> None:
        try:
            import duckdb
        except ImportError:
            raise SdcError("the engine duckdb needs the package duckdb; install sdckit[duckdb]") from None
        self._spill = spill = folder / "spill"
        spill.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._connection = duckdb.connect(":memory:")
        settings = {
            "memory_limit": f"{max(memory, SMALLEST) // 2**20}MiB",
            "temp_directory": str(spill),
            "threads": str(max(1, min(os.cpu_count() or 1, memory // PER_THREAD))),
        }
        for name, value in settings.items():
            self._connection.execute(f"SET {name} = {quoted(value, TEXT)}")

    def run(self, kernel: Callable[[int], T], parts: Sequence[int], progress: Progress = NoProgress()) -> list[T]:
        results = []
        for part in parts:
            if progress.cancelled:
                raise Cancelled("the work was cancelled")
            progress.advance(f"part {part + 1}")
            results.append(kernel(part))
        return results

    def query(self, sql: str, tables: Mapping[str, Relation]) -> Iterator[Any]:
        import duckdb

        cursor = self._connection.cursor()
        failed: list[Exception] = []

        def batches(table: Relation) -> Iterator[Any]:
            try:
                yield from (table.batch(part) for part in range(len(table.cut)))
            except Exception as problem:
                failed.append(problem)
                raise

        try:
            for name, table in tables.items():
                cursor.register(name, pa.RecordBatchReader.from_batches(table.schema, batches(table)))
            # A relation streams its result; a cursor's would be copied as a whole, and may lose the order asked for.
            yield from cursor.sql(sql).to_arrow_reader(BATCH)
        except duckdb.OutOfMemoryException as problem:
            if "max_temp_directory_size" in str(problem):
                raise DiskFullError(f"the disk is full: DuckDB found no space to sort in {self._spill}") from None
            raise SdcError(
                f"DuckDB ran out of the memory allowed ({str(problem).splitlines()[0]}); allow more (--memory)"
            ) from None
        except duckdb.Error:
            if failed:  # a part could not be read, of which DuckDB knows the text at best
                raise failed[0] from None
            raise
        finally:
            with suppress(duckdb.ConnectionException):  # the engine was closed before the result was read to its end
                for name in tables:
                    cursor.unregister(name)
                cursor.close()

    def close(self) -> None:
        self._connection.close()
        del self._connection  # a connection that outlives the interpreter is reported by the library


def start(folder: Path, memory: int) -> DuckDBEngine:
    """DuckDB with its share of the memory of a run."""
    return DuckDBEngine(folder, int(ENGINE_SHARE * (memory - PROCESS)))
