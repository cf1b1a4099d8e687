"""Postgres: a table of a database, named by a small file; its rows come through Arrow, with the types of the table.

The file has three lines of TOML: `connection`, as libpq writes it, `table`, and `order`, the columns by which the rows
are in a certain order. Nothing is written to the database.
"""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sdckit.errors import FileError
from sdckit.files.formats.duckdb_table import NAME, TEXT, quoted
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "Postgres table"
SUFFIXES = (".postgres",)
FORM = """connection = "postgresql://localhost/census"
table = "people"
order = "id"
"""
PLAIN = (
    *("smallint", "integer", "bigint", "real", "double precision", "boolean", "date", "text", "character varying"),
    *("character", "timestamp without time zone", "timestamp with time zone"),
)
DECIMAL = ("numeric", "money")


def read(path: Path, schema: Schema) -> Microdata:
    """Read the table that a file names, in its order."""
    with opened(path) as table:
        return Microdata.from_frame(table.rows(), schema=schema)


def bytes_needed(path: Path) -> int:
    """The columns as the library holds them, and converted: four times eight bytes for a value."""
    with opened(path) as table:
        return 32 * table.records * len(table.columns)


@dataclass(frozen=True, eq=False)
class Table:
    """A table that is open: its columns by name, each as it is selected, and the number of its rows."""

    cursor: Any
    name: str
    columns: dict[str, str]
    order: str
    records: int

    def rows(self, start: int = 0, records: int | None = None) -> pl.DataFrame:
        """So many rows from a position on, in the order of the table."""
        limit = "" if records is None else f" LIMIT {records} OFFSET {start}"
        self.cursor.execute(f"{self._query()}{limit}")
        return pl.DataFrame(pl.from_arrow(self.cursor.fetch_arrow_table()))

    def batches(self, records: int) -> Iterator[pl.DataFrame]:
        """All rows in the order of the table, so many at a time."""
        self.cursor.execute(self._query())
        waiting: list[pl.DataFrame] = []
        for batch in self.cursor.fetch_record_batch():
            waiting.append(pl.DataFrame(pl.from_arrow(batch)))
            if sum(map(len, waiting)) >= records:
                whole = pl.concat(waiting)
                full = len(whole) // records * records
                yield from whole[:full].iter_slices(records)
                waiting = [whole[full:]]
        rest = pl.concat(waiting) if waiting else pl.DataFrame()
        if len(rest):
            yield rest

    def _query(self) -> str:
        return f"SELECT {', '.join(self.columns.values())} FROM {self.name} ORDER BY {self.order}"


@contextmanager
def opened(path: Path) -> Iterator[Table]:
    """The table that a file names; an error with the cure where it cannot be read."""
    connection, table, order = _description(path)
    try:
        from adbc_driver_manager import Error
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise FileError("a Postgres table needs the package adbc-driver-postgresql; install sdckit[postgres]") from None
    try:
        with dbapi.connect(connection) as opened_connection, opened_connection.cursor() as cursor:
            yield _table(path, cursor, table, order)
    except Error as problem:
        raise FileError(f"{path}: Postgres cannot read {table!r}: {str(problem).splitlines()[0]}") from None


def _description(path: Path) -> tuple[str, str, list[str]]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as problem:
        raise FileError(f"{path} does not name a Postgres table ({problem}); write it as\n{FORM}") from None
    unknown = [name for name in content if name not in ("connection", "table", "order")]
    missing = [name for name in ("connection", "table", "order") if not content.get(name)]
    if unknown or missing:
        fault = f"has an unknown entry {unknown[0]!r}" if unknown else f"lacks {missing[0]!r}"
        raise FileError(f"{path} {fault}; write it as\n{FORM}")
    order = content["order"]
    return str(content["connection"]), str(content["table"]), [order] if isinstance(order, str) else list(order)


def _table(path: Path, cursor: Any, table: str, order: list[str]) -> Table:
    parts = table.split(".")
    where = f"table_name = {quoted(parts[-1], TEXT)} AND table_schema = " + (
        quoted(parts[0], TEXT) if len(parts) > 1 else "current_schema()"
    )
    cursor.execute(
        f"SELECT column_name::text, data_type::text FROM information_schema.columns WHERE {where} "
        "ORDER BY ordinal_position"
    )
    found = {str(name): str(kind) for name, kind in cursor.fetchall()}
    if not found:
        raise FileError(f"{path}: the database has no table {table!r}; name it as schema.table")
    unknown = [name for name in order if name not in found]
    if unknown:
        raise FileError(f"{path}: the table has no column {unknown[0]!r} to order its rows by")
    name = ".".join(quoted(part, NAME) for part in parts)
    by = ", ".join(quoted(each, NAME) for each in order)
    cursor.execute(f"SELECT count(*), count(DISTINCT ({by})) FROM {name}")
    records, distinct = cursor.fetchall()[0]
    if distinct < records:
        raise FileError(
            f"{path}: {records - distinct} rows have the same {', '.join(order)} as another row, so their order is not "
            "certain; order by columns that are unique together"
        )
    return Table(cursor, name, {each: _selected(each, kind) for each, kind in found.items()}, by, int(records))


def _selected(name: str, kind: str) -> str:
    """A column as it is selected: decimal numbers as floating ones, and what is neither number nor text as text."""
    column = quoted(name, NAME)
    if kind in DECIMAL:
        return f"{column}::numeric::double precision AS {column}"
    return column if kind in PLAIN else f"{column}::text AS {column}"
