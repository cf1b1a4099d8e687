"""Postgres: a table of a database, named by a small file; its rows come through Arrow, with the types of the table.

The file has three lines of TOML: `connection`, as libpq writes it, `table`, and either `order`, the columns by which
the rows are in a certain order, or `numbers`, a column with the number of each row: it is added to a table that is
written, and is no column of the file when the table is read.
"""

import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import polars as pl

from sdckit.errors import FileError
from sdckit.files.formats.duckdb_table import NAME, TEXT, quoted
from sdckit.files.temporary import temporary_beside
from sdckit.frames.to_frame import to_frame
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "Postgres table"
SUFFIXES = (".postgres",)
FORM = """connection = "postgresql://localhost/census"
table = "people"
order = "id"
"""
NUMBERED = FORM.replace('order = "id"', 'numbers = "row"')
LONGEST_NAME = 63  # bytes; Postgres cuts a longer one
PLAIN = (
    *("smallint", "integer", "bigint", "real", "double precision", "boolean", "date", "text", "character varying"),
    *("character", "timestamp without time zone", "timestamp with time zone"),
)
DECIMAL = ("numeric", "money")


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


@dataclass(frozen=True)
class Description:
    """What a file says of a table: the connection, the name in parts, the columns that order it, and its numbers."""

    path: Path
    connection: str
    parts: tuple[str, ...]
    order: tuple[str, ...]
    numbers: str | None

    @property
    def name(self) -> str:
        """The name of the table, quoted."""
        return ".".join(quoted(part, NAME) for part in self.parts)

    @property
    def staged(self) -> "Description":
        """The table of a name of its own that is written before it replaces this one."""
        own = blake2b("\0".join((str(self.path.resolve()), *self.parts)).encode(), digest_size=8).hexdigest()
        return replace(self, parts=(*self.parts[:-1], f"sdckit_{own}"))

    def to_toml(self) -> str:
        """The file that names the table."""
        import tomli_w

        return tomli_w.dumps({"connection": self.connection, "table": ".".join(self.parts), "numbers": self.numbers})


@contextmanager
def opened(path: Path) -> Iterator[Table]:
    """The table that a file names; an error with the cure where it cannot be read."""
    found = described(path)
    with connected(found, "read") as (_, cursor):
        yield _table(found, cursor)


@contextmanager
def connected(table: Description, verb: str) -> Iterator[tuple[Any, Any]]:
    """A connection and its cursor; what was not committed when the block ends is undone."""
    try:
        from adbc_driver_manager import Error
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise FileError("a Postgres table needs the package adbc-driver-postgresql; install sdckit[postgres]") from None
    try:
        with dbapi.connect(table.connection) as connection, connection.cursor() as cursor:
            yield connection, cursor
    except Error as problem:
        name = ".".join(table.parts)
        raise FileError(f"{table.path}: Postgres cannot {verb} {name!r}: {str(problem).splitlines()[0]}") from None


@contextmanager
def destination(path: Path, *, force: bool = False) -> Iterator[Path]:
    """A file that names a new table; the table takes the name that `path` gives if no error occurs."""
    table = refuse_existing(path, force=force)
    staged = table.staged
    with temporary_beside(path.resolve()) as temporary:
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
    table = described(path)
    if table.numbers is None:
        raise FileError(
            f"{path} names a table to read; one that is written needs a column for the number of each row:\n{NUMBERED}"
        )
    with connected(table, "write") as (_, cursor):
        cursor.execute(f"SELECT to_regclass({quoted(table.name, TEXT)}) IS NOT NULL")
        if cursor.fetchall()[0][0] and not force:
            raise FileError(
                f"{path}: the table {'.'.join(table.parts)!r} exists already; name another, or use force (--force) to "
                "replace it"
            )
    return table


def write_rows(path: Path, frames: Iterable[pl.DataFrame]) -> None:
    """Write rows in their order, with the number of each, as the table that a file names; all of them or none."""
    import pyarrow as pa

    table = described(path)
    assert table.numbers is not None
    source = iter(frames)
    first = _ingestable(next(source), table, 0)

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
    long = next((name for name in frame.columns if len(name.encode()) > LONGEST_NAME), None)
    if long is not None:
        raise FileError(f"{table.path}: Postgres would cut the name {long!r}; rename the column")
    if numbers in frame.columns:
        raise FileError(f"{table.path}: the file has a column {numbers!r} of its own; name other numbers")
    casts = [
        pl.col(name).cast(pl.String if isinstance(dtype, pl.Categorical | pl.Enum | pl.Null) else pl.Int64)
        for name, dtype in frame.schema.items()
        if isinstance(dtype, pl.Categorical | pl.Enum | pl.Null) or dtype.is_unsigned_integer()
    ]
    return frame.with_columns(*casts, pl.int_range(before + 1, before + len(frame) + 1).alias(numbers))


def described(path: Path) -> Description:
    """What a file says of a table; an error with the form where it says no such thing."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as problem:
        raise FileError(f"{path} does not name a Postgres table ({problem}); write it as\n{FORM}") from None
    order = "numbers" if content.get("numbers") and "order" not in content else "order"
    wanted = ("connection", "table", order)
    unknown = [name for name in content if name not in wanted]
    missing = [name for name in wanted if not content.get(name)]
    if unknown or missing:
        fault = f"has an unknown entry {unknown[0]!r}" if unknown else f"lacks {missing[0]!r}"
        raise FileError(f"{path} {fault}; write it as\n{FORM}")
    by = content[order]
    columns = (by,) if isinstance(by, str) else tuple(by)
    numbers = str(by) if order == "numbers" else None
    return Description(path, str(content["connection"]), tuple(str(content["table"]).split(".")), columns, numbers)


def _table(table: Description, cursor: Any) -> Table:
    path, parts, order = table.path, table.parts, table.order
    where = f"table_name = {quoted(parts[-1], TEXT)} AND table_schema = " + (
        quoted(parts[0], TEXT) if len(parts) > 1 else "current_schema()"
    )
    cursor.execute(
        f"SELECT column_name::text, data_type::text FROM information_schema.columns WHERE {where} "
        "ORDER BY ordinal_position"
    )
    found = {str(name): str(kind) for name, kind in cursor.fetchall()}
    if not found:
        raise FileError(f"{path}: the database has no table {'.'.join(parts)!r}; name it as schema.table")
    unknown = [name for name in order if name not in found]
    if unknown:
        raise FileError(f"{path}: the table has no column {unknown[0]!r} to order its rows by")
    by = ", ".join(quoted(each, NAME) for each in order)
    cursor.execute(f"SELECT count(*), count(DISTINCT ({by})) FROM {table.name}")
    records, distinct = cursor.fetchall()[0]
    if distinct < records:
        raise FileError(
            f"{path}: {records - distinct} rows have the same {', '.join(order)} as another row, so their order is not "
            "certain; order by columns that are unique together"
        )
    columns = {each: _selected(each, kind) for each, kind in found.items() if each != table.numbers}
    return Table(cursor, table.name, columns, by, int(records))


def _selected(name: str, kind: str) -> str:
    """A column as it is selected: decimal numbers as floating ones, and what is neither number nor text as text."""
    column = quoted(name, NAME)
    if kind in DECIMAL:
        return f"{column}::numeric::double precision AS {column}"
    return column if kind in PLAIN else f"{column}::text AS {column}"
