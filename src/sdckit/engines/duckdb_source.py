"""The table of a DuckDB file as a source that is read batch by batch."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sdckit.files.formats.duckdb_table import opened
from sdckit.schema import Schema


@dataclass(frozen=True)
class DuckDBSource:
    """The table of a DuckDB file; its rows are in the order in which they were inserted."""

    path: Path
    schema: Schema
    form: Any = None

    @property
    def declared(self) -> Schema:
        """The declarations of the caller: the format adds none."""
        return self.schema

    def columns(self) -> tuple[str, ...]:
        with opened(self.path) as (connection, table):
            return tuple(connection.sql(f"SELECT * FROM {table} LIMIT 0").columns)

    def batches(self, records: int) -> Iterator[pl.DataFrame]:
        with opened(self.path) as (connection, table):
            for batch in connection.sql(f"SELECT * FROM {table}").to_arrow_reader(records):
                if len(batch):
                    yield pl.DataFrame(pl.from_arrow(batch))

    def part(self, start: int, records: int) -> pl.DataFrame:
        with opened(self.path) as (connection, table):
            return pl.DataFrame(connection.sql(f"SELECT * FROM {table} LIMIT {records} OFFSET {start}").pl())
