"""A Postgres table that is to be written: what would make this fail is found before any work, with the cure."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from sdckit.errors import FileError
from sdckit.files.formats.duckdb_table import NAME, TEXT, quoted
from sdckit.files.postgres_identity import refuse_tables_read
from sdckit.files.postgres_table import FORM, Description, connected, described

NUMBERED = FORM.replace('order = "id"', 'numbers = "row"')
LONGEST_NAME = 63  # bytes; Postgres cuts a longer one
KINDS = {
    "v": "a view",
    "m": "a materialised view",
    "f": "a foreign table",
    "p": "a partitioned table",
    "i": "an index",
    "I": "an index",
    "S": "a sequence",
    "c": "a type",
}
# what Postgres would refuse to be without: views and the like, and keys of other tables, but not what goes with a table
DEPENDENTS = """SELECT pg_describe_object(classid, objid, objsubid) FROM pg_depend
WHERE refclassid = 'pg_class'::regclass AND refobjid = {number} AND deptype = 'n'
AND NOT EXISTS (SELECT FROM pg_constraint AS own WHERE own.oid = objid AND own.conrelid = refobjid)
AND NOT EXISTS (SELECT FROM pg_rewrite AS own WHERE own.oid = objid AND own.ev_class = refobjid) LIMIT 1"""


def writable_table(path: Path, *, force: bool = False) -> Description:
    """The table that a file names, with its schema, as one to be written; an error with the cure where it cannot be."""
    table = described(path)
    if table.numbers is None:
        raise FileError(
            f"{path} names a table to read; one that is written needs a column for the number of each row:\n{NUMBERED}"
        )
    long = next((each for each in (*table.parts, table.numbers) if len(each.encode()) > LONGEST_NAME), None)
    if long is not None:
        raise FileError(f"{path}: Postgres would cut the name {long!r}; choose one of at most {LONGEST_NAME} bytes")
    with connected(table, "write") as (_, cursor):
        schema = _writable_schema(table, cursor)
        resolved = replace(table, parts=(schema, table.parts[-1]))
        _refuse_irreplaceable(resolved, cursor, force=force)
    refuse_tables_read(path)
    return resolved


def refuse_columns(path: Path, names: Iterable[str]) -> None:
    """Refuse columns that the table which a file names cannot have beside the numbers of its rows."""
    table = described(path)
    shown = table.shown.path
    for name in names:
        if len(name.encode()) > LONGEST_NAME:
            raise FileError(f"{shown}: Postgres would cut the name {name!r}; rename the column")
        if name == table.numbers:
            raise FileError(
                f"{shown}: numbers = {name!r} names the column for the number of each row, but the file has a column "
                f"{name!r} of its own; choose another name for the numbers"
            )


def _writable_schema(table: Description, cursor: Any) -> str:
    """The schema of a table that is to be written; an error where there is none, or where it cannot be written to."""
    path = table.path
    asked = quoted(table.parts[0], TEXT) if len(table.parts) > 1 else "current_schema()"
    cursor.execute(
        "SELECT nspname::text, has_schema_privilege(oid, 'CREATE') AND has_schema_privilege(oid, 'USAGE'), "
        "current_user::text, current_setting('transaction_read_only') = 'on' "
        f"FROM pg_namespace WHERE nspname = {asked}"
    )
    found = cursor.fetchall()
    if not found and len(table.parts) > 1:
        schema = table.parts[0]
        raise FileError(
            f"{path}: the database has no schema {schema!r} for the table {table.title!r}; create the schema "
            f"{schema!r} first, or name another in {path}"
        )
    if not found:
        raise FileError(f"{path}: no schema is named for the table {table.title!r}; write it as schema.table")
    schema, allowed, user, read_only = found[0]
    if read_only:
        raise FileError(
            f"{path}: the connection is read-only, so {table.title!r} cannot be written; name another server"
        )
    if not allowed:
        grant = f"GRANT USAGE, CREATE ON SCHEMA {quoted(schema, NAME)} TO {quoted(user, NAME)}"
        raise FileError(
            f"{path}: the user {user!r} has no right to create the table {table.title!r} in the schema {schema!r}; ask "
            f"for it ({grant}), or name another schema or user in {path}"
        )
    return str(schema)


def _refuse_irreplaceable(table: Description, cursor: Any, *, force: bool) -> None:
    """Refuse a table that exists, unless it is to be replaced and can be."""
    schema, name = (quoted(part, TEXT) for part in table.parts)
    cursor.execute(
        "SELECT oid::bigint, relkind::text, pg_has_role(relowner, 'USAGE'), "
        "EXISTS (SELECT FROM pg_inherits WHERE pg_class.oid IN (inhrelid, inhparent)) "
        f"FROM pg_class WHERE relname = {name} "
        f"AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = {schema})"
    )
    found = cursor.fetchall()
    if not found:
        return
    number, kind, owned, inherits = found[0]
    where = f"{table.path}: {table.title!r}"
    if kind in KINDS:
        raise FileError(f"{where} is {KINDS[kind]}, which is never replaced; name another table in {table.path}")
    if not force:
        raise FileError(
            f"{table.path}: the table {table.title!r} exists already; name another, or use force (--force) to replace "
            "it"
        )
    if inherits:
        raise FileError(
            f"{where} shares rows with other tables as a partition or by inheritance, and is never replaced; name "
            f"another table in {table.path}"
        )
    if not owned:
        raise FileError(f"{where} belongs to another user and cannot be replaced; name another table in {table.path}")
    cursor.execute(DEPENDENTS.format(number=number))
    dependents = cursor.fetchall()
    if dependents:
        dependent = str(dependents[0][0]).removeprefix("rule _RETURN on ")  # what a view is to Postgres
        raise FileError(
            f"{where} cannot be replaced, because {dependent} depends on it; drop that first, or name another table in "
            f"{table.path}"
        )
