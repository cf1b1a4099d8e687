"""A Postgres table as a source that is read batch by batch."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sdckit.files.formats.postgres import opened
from sdckit.schema import Schema


@dataclass(frozen=True)
class PostgresSource:
    """The table that a file names; its rows are in the order of the columns that the file names."""

    path: Path
    schema: Schema
    form: Any = None

    @property
    def declared(self) -> Schema:
        """The declarations of the caller: the format adds none."""
        return self.schema

    def columns(self) -> tuple[str, ...]:
        with opened(self.path) as table:
            return tuple(table.columns)

    def batches(self, records: int) -> Iterator[pl.DataFrame]:
        with opened(self.path) as table:
            yield from table.batches(records)

    def part(self, start: int, records: int) -> pl.DataFrame:
        with opened(self.path) as table:
            return table.rows(start, records)
