"""Postgres: a table of a database, named by a small file; its rows come through Arrow, with the types of the table.

The file has three lines of TOML: `connection`, as libpq writes it, `table`, and either `order`, the columns by which
the rows are in a certain order, or `numbers`, a column with the number of each row: it is added to a table that is
written, and is no column of the file when the table is read.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sdckit.errors import FileError
from sdckit.files.formats.duckdb_table import NAME, quoted
from sdckit.files.postgres_identity import note_read
from sdckit.files.postgres_table import Description, connected, described, shown_as
from sdckit.files.postgres_target import KINDS, refuse_columns, writable_table
from sdckit.files.temporary import remove_stale, temporary_beside
from sdckit.frames.to_frame import to_frame
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "Postgres table"
SUFFIXES = (".postgres",)
PLAIN = (
    *("smallint", "integer", "bigint", "real", "double precision", "boolean", "date", "text", "character varying"),
    *("character", "timestamp without time zone", "timestamp with time zone"),
)
DECIMAL = ("numeric", "money")
READABLE = ("r", "p", "v", "m", "f")  # the kinds of Postgres that have rows: tables and views


def read(path: Path, schema: Schema) -> Microdata:
    """Read the table that a file names, in its order."""
    with opened(path) as table:
        return Microdata.from_frame(table.rows(), schema=schema)


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write the table that a file names."""
    write_rows(path, [to_frame(data, "polars")])


def loses(text: str) -> bool:
    """Whether Postgres refuses a text."""
    return "\0" in text


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
    found = described(path)
    if found.target is None:
        note_read(path)
    with connected(found, "read") as (_, cursor):
        yield _table(found, cursor)


@contextmanager
def destination(path: Path, *, force: bool = False) -> Iterator[Path]:
    """A file that names a new table; the table takes the name that `path` gives if no error occurs."""
    table = refuse_existing(path, force=force)
    staged = table.staged
    with temporary_beside(path.resolve()) as temporary, shown_as(temporary, table):
        temporary.write_text(staged.to_toml(), encoding="utf-8")
        with connected(staged, "write") as (connection, cursor):
            cursor.execute(f"DROP TABLE IF EXISTS {staged.name}")  # of a run that was killed
            connection.commit()
        try:
            yield temporary
            with connected(table, "write") as (connection, cursor):
                cursor.execute(f"DROP TABLE IF EXISTS {table.name}" if force else "SELECT 1")
                cursor.execute(f"ALTER TABLE {staged.name} RENAME TO {quoted(table.parts[-1], NAME)}")
                connection.commit()
        except BaseException:
            with connected(staged, "write") as (connection, cursor):
                cursor.execute(f"DROP TABLE IF EXISTS {staged.name}")
                connection.commit()
            raise


def refuse_existing(path: Path, *, force: bool = False) -> Description:
    """The table that a file names as one to be written; an error where it cannot be."""
    remove_stale(path.resolve().parent)
    return writable_table(path, force=force)


def write_rows(path: Path, frames: Iterable[pl.DataFrame]) -> None:
    """Write rows in their order, with the number of each, as the table that a file names; all of them or none."""
    import pyarrow as pa

    table = described(path)
    assert table.numbers is not None
    source = iter(frames)
    start = next(source)
    refuse_columns(path, start.columns)
    first = _ingestable(start, table, 0)

    def batches() -> Iterator[Any]:
        yield from first.to_arrow().to_batches()
        written = len(first)
        for frame in source:
            yield from _ingestable(frame, table, written).to_arrow().to_batches()
            written += len(frame)

    reader = pa.RecordBatchReader.from_batches(first.to_arrow().schema, batches())
    schema = {"db_schema_name": table.parts[0]} if len(table.parts) > 1 else {}
    with connected(table, "write") as (connection, cursor):
        cursor.adbc_ingest(table.parts[-1], reader, mode="create", **schema)
        connection.commit()


def _ingestable(frame: pl.DataFrame, table: Description, before: int) -> pl.DataFrame:
    """Rows as Postgres takes them: categories as text, whole numbers with a sign, and the number of each row."""
    numbers = table.numbers
    assert numbers is not None
    casts = [
        pl.col(name).cast(pl.String if isinstance(dtype, pl.Categorical | pl.Enum | pl.Null) else pl.Int64)
        for name, dtype in frame.schema.items()
        if isinstance(dtype, pl.Categorical | pl.Enum | pl.Null) or dtype.is_unsigned_integer()
    ]
    return frame.with_columns(*casts, pl.int_range(before + 1, before + len(frame) + 1).alias(numbers))


def _table(table: Description, cursor: Any) -> Table:
    shown = table.shown
    found = _columns(table, cursor)
    unknown = [name for name in table.order if name not in found]
    if unknown:
        raise FileError(f"{shown.path}: the table has no column {unknown[0]!r} to order its rows by")
    names = [quoted(each, NAME) for each in table.order]
    by = ", ".join(names)
    cursor.execute(f"SELECT count(*), count(DISTINCT ({by})), count({names[0]}) FROM {table.name}")
    records, distinct, present = cursor.fetchall()[0]
    if len(table.order) == 1 and present < records:
        missing = records - present
        raise FileError(
            f"{shown.path}: the column {table.order[0]!r}, which orders the rows, has {missing} missing "
            f"value{'s' if missing > 1 else ''}; order by a column without missing values"
        )
    if distinct < records:
        same = "1 row has" if records - distinct == 1 else f"{records - distinct} rows have"
        raise FileError(
            f"{shown.path}: {same} the same {', '.join(table.order)} as another row, so the order is not certain; "
            "order by columns that are unique together"
        )
    columns = {each: _selected(each, kind) for each, kind in found.items() if each != table.numbers}
    return Table(cursor, table.name, columns, by, int(records))


def _columns(table: Description, cursor: Any) -> dict[str, str]:
    """The columns that may be read, with the name of the type of each, or of what its domain is based on."""
    path, title = table.shown.path, table.shown.title
    cursor.execute(f"SELECT relkind::text FROM pg_class WHERE oid = {table.regclass}")
    kinds = [kind for (kind,) in cursor.fetchall()]
    if not kinds:
        raise FileError(
            f"{path}: the database has no table {title!r}; name it as schema.table, and put a name with a dot in "
            "quotes: table = 'public.\"a.b\"'"
        )
    if kinds[0] not in READABLE:
        raise FileError(f"{path}: {title!r} is {KINDS.get(kinds[0], 'no table')}, which has no rows; name a table")
    cursor.execute(
        "SELECT attname::text, format_type(CASE typtype WHEN 'd' THEN typbasetype ELSE atttypid END, NULL) "
        "FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid "
        f"WHERE attrelid = {table.regclass} AND attnum > 0 AND NOT attisdropped "
        "AND has_column_privilege(attrelid, attnum, 'SELECT') ORDER BY attnum"
    )
    found = {str(name): str(kind) for name, kind in cursor.fetchall()}
    if not found:
        raise FileError(f"{path}: no column of the table {title!r} may be read by this user; ask for the right to read")
    return found


def _selected(name: str, kind: str) -> str:
    """A column as it is selected: decimal numbers as floating ones, and what is neither number nor text as text."""
    column = quoted(name, NAME)
    if kind in DECIMAL:
        return f"{column}::numeric::double precision AS {column}"
    return column if kind in PLAIN else f"{column}::text AS {column}"
