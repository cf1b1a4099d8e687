"""Whether two files name one Postgres table, under whatever name, host and user, so that no input is overwritten."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from sdckit.errors import FileError
from sdckit.files.postgres_table import Description, connected, described
from sdckit.input_file import refuse_input

LOCAL = ("", "localhost", "127.0.0.1", "::1")
DEFAULT_PORT, DEFAULT_SCHEMA = "5432", "public"

_read: dict[Path, None] = {}  # the files whose tables this process has read, in their order


@dataclass(frozen=True)
class Identity:
    """What a server says of a table: when it started, its own number if it tells, and those of database and table."""

    started: str
    system: str | None
    database: int
    table: int | None

    def is_same(self, other: "Identity") -> bool:
        """Whether both are one table; a server and its replica have the same number, and the same tables."""
        server = self.started == other.started or (self.system is not None and self.system == other.system)
        return server and self.table is not None and (self.database, self.table) == (other.database, other.table)


def note_read(path: Path) -> None:
    """Remember that the table of a file is read."""
    _read[path] = None


def refuse_tables_read(path: Path) -> None:
    """Refuse to write the table that a file names where the command has read it."""
    source = next((each for each in _read if _is_input(each) and same_table(path, each)), None)
    if source is not None:
        raise FileError(
            f"{path} names the table of the input {source}, and an input is never overwritten; name another table in "
            f"{path}"
        )


def same_table(one: Path, other: Path) -> bool:
    """Whether two files name the same table, as the servers say, or else as the text of the files says."""
    try:
        tables = described(one), described(other)
    except FileError:  # a file that names no table is refused where it is used
        return False
    first, second = (identity_of(each) for each in tables)
    if first is None or second is None:
        return text_identity(tables[0]) == text_identity(tables[1])
    return first.is_same(second)


def identity_of(table: Description) -> Identity | None:
    """What the server says of a table; None where it cannot be asked."""
    try:
        with connected(table, "read") as (_, cursor):
            cursor.execute(
                f"SELECT extract(epoch FROM pg_postmaster_start_time())::text, oid::bigint, {table.regclass}::bigint "
                "FROM pg_database WHERE datname = current_database()"
            )
            started, database, number = cursor.fetchall()[0]
    except FileError:
        return None
    return Identity(str(started), _system(table), database, number)


def text_identity(table: Description) -> tuple[str, ...]:
    """Server, database, schema and table as the file says it, with the defaults of Postgres.

    >>> one = Description(Path("a"), "postgresql://ann@localhost/census", ("people",), ("id",), None)
    >>> text_identity(one)
    ('local', '5432', 'census', 'public', 'people')
    """
    parts = table.parts if len(table.parts) > 1 else (DEFAULT_SCHEMA, *table.parts)
    try:
        given = _settings(table.connection)
    except ValueError:  # several hosts, or no connection at all
        return (table.connection, *parts)
    host = given.get("host") or given.get("hostaddr") or os.environ.get("PGHOST", "")
    port = given.get("port") or os.environ.get("PGPORT", DEFAULT_PORT)
    user = given.get("user") or os.environ.get("PGUSER", "")
    database = given.get("dbname") or os.environ.get("PGDATABASE", user)
    is_local = host.lower() in LOCAL or host.startswith("/")  # a path is that of a socket
    return ("local" if is_local else host.lower(), port, database, *parts)


def _settings(connection: str) -> dict[str, str]:
    """The settings of a connection, by the names of libpq, from either of its two forms."""
    if "://" not in connection:
        return {name: value for name, _, value in (each.partition("=") for each in shlex.split(connection))}
    uri = urlsplit(connection)
    named = {
        "host": uri.hostname or "",
        "port": str(uri.port or ""),
        "dbname": uri.path.removeprefix("/"),
        "user": uri.username or "",
    }
    return {name: unquote(value) for name, value in named.items()} | dict(parse_qsl(uri.query))


def _system(table: Description) -> str | None:
    """The number of a server; None where this user may not ask for it."""
    try:
        with connected(table, "read") as (_, cursor):
            cursor.execute("SELECT system_identifier::text FROM pg_control_system()")
            return str(cursor.fetchall()[0][0])
    except FileError:
        return None


def _is_input(path: Path) -> bool:
    """Whether the command has read a file."""
    try:
        refuse_input(path)
    except FileError:
        return True
    return False
