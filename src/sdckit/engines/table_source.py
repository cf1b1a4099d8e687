"""The table of a database as a source that is read batch by batch."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sdckit.schema import Schema


@dataclass(frozen=True)
class TableSource:
    """A table with an order of its rows; `opened` opens the one that a file is or names."""

    path: Path
    schema: Schema
    opened: Callable[[Path], AbstractContextManager[Any]]
    form: Any = None

    @property
    def declared(self) -> Schema:
        """The declarations of the caller: the format adds none."""
        return self.schema

    def columns(self) -> tuple[str, ...]:
        with self.opened(self.path) as table:
            return tuple(table.columns)

    def batches(self, records: int) -> Iterator[pl.DataFrame]:
        with self.opened(self.path) as table:
            yield from table.batches(records)

    def part(self, start: int, records: int) -> pl.DataFrame:
        with self.opened(self.path) as table:
            rows: pl.DataFrame = table.rows(start, records)
            return rows
