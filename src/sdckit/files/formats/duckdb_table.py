"""DuckDB: a database file with one table; it has types of its own, so none is guessed."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sdckit.errors import FileError
from sdckit.frames.to_frame import to_frame
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "DuckDB table"
SUFFIXES = (".duckdb",)
TABLE = "records"  # the name of the table that is written
WILDCARD = re.compile(r"([*?\[])")  # stands for other characters in a path that SQL names
TEXT, NAME = "'", '"'  # the marks that SQL puts around a text and around a name


def read(path: Path, schema: Schema) -> Microdata:
    """Read the table of a DuckDB file, in the order in which its rows were inserted."""
    with opened(path) as table:
        return Microdata.from_frame(table.rows(), schema=schema)


def bytes_needed(path: Path) -> int:
    """The columns as the library holds them, and converted: four times eight bytes for a value."""
    with opened(path) as table:
        return 32 * table.records * len(table.columns)


@dataclass(frozen=True, eq=False)
class Table:
    """A table that is open; its rows are in the order in which they were inserted."""

    connection: Any
    name: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.connection.sql(f"SELECT * FROM {self.name} LIMIT 0").columns)

    @property
    def records(self) -> int:
        """The number of rows."""
        return int(self.connection.sql(f"SELECT count(*) FROM {self.name}").fetchall()[0][0])

    def rows(self, start: int = 0, records: int | None = None) -> pl.DataFrame:
        """So many rows from a position on."""
        limit = "" if records is None else f" LIMIT {records} OFFSET {start}"
        return pl.DataFrame(self.connection.sql(f"SELECT * FROM {self.name}{limit}").pl())

    def batches(self, records: int) -> Iterator[pl.DataFrame]:
        """All rows, so many at a time."""
        for batch in self.connection.sql(f"SELECT * FROM {self.name}").to_arrow_reader(records):
            if len(batch):
                yield pl.DataFrame(pl.from_arrow(batch))


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write a DuckDB file with one table."""
    with database(path) as connection:
        connection.register("frame", to_frame(data, "polars").to_arrow())
        connection.execute(f"CREATE TABLE {TABLE} AS SELECT * FROM frame")


def write_rows_of(parts: Sequence[Path], path: Path) -> None:
    """Write a DuckDB file with one table that has the rows of Parquet files, in their order."""
    with database(path) as connection:
        listed = ", ".join(quoted(WILDCARD.sub(r"[\1]", str(each)), TEXT) for each in parts)
        connection.execute(f"CREATE TABLE {TABLE} AS SELECT * FROM read_parquet([{listed}])")


def same_name(name: str) -> str:
    """A name as DuckDB compares it: letters without accents in lower case."""
    return name.encode().lower().decode()


@contextmanager
def opened(path: Path) -> Iterator[Table]:
    """The one table of a file, to be read; an error with the cure for another file."""
    library = _library()
    try:
        with library.connect(str(path), read_only=True, config={"memory_limit": "512MB"}) as connection:
            found = connection.sql("SELECT table_schema, table_name FROM information_schema.tables").fetchall()
            if len(found) != 1:
                names = ", ".join(name for _, name in found) or "none"
                raise FileError(
                    f"{path} must have one table, and it has {len(found)} ({names}); copy the one that is meant into a "
                    "file of its own, or to Parquet (COPY … TO 'file.parquet')"
                )
            yield Table(connection, ".".join(quoted(part, NAME) for part in found[0]))
    except library.Error as problem:
        raise FileError(f"{path} is not a readable DuckDB file: {str(problem).splitlines()[0]}") from None


@contextmanager
def database(path: Path) -> Iterator[Any]:
    """A connection to a new file, in place of any that is there."""
    path.unlink(missing_ok=True)
    library = _library()
    try:
        with library.connect(str(path), config={"memory_limit": "1GB"}) as connection:
            yield connection
    except library.Error as problem:
        reason = str(problem).splitlines()[0]
        raise FileError(f"DuckDB cannot write {path}: {reason}; write to a folder with a plain name") from None


def _library() -> Any:
    try:
        import duckdb
    except ImportError:
        raise FileError("a DuckDB file needs the package duckdb; install sdckit[duckdb]") from None
    return duckdb


def quoted(text: str, mark: str) -> str:
    """A text or a name as SQL writes it.

    >>> quoted("o'clock", TEXT)
    "'o''clock'"
    """
    return mark + text.replace(mark, 2 * mark) + mark
