"""The table of a Postgres database that a small file names: what the file says, and the connection to its server."""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sdckit.errors import FileError
from sdckit.files.formats.duckdb_table import NAME, TEXT, quoted

FORM = """connection = "postgresql://localhost/census"
table = "people"
order = "id"
"""
NAME_PART = re.compile(r'"((?:[^"]|"")+)"(?=\.|$)|([^".][^.]*)')  # in quotes, as SQL writes a name, or without a dot

_replaced: dict[Path, "Description"] = {}  # the table that each temporary file of this process will replace


@dataclass(frozen=True)
class Description:
    """What a file says of a table: the connection, the name in parts, the columns that order it, and its numbers.

    `target` is the table that this one replaces when it is complete; messages are about that one.
    """

    path: Path
    connection: str
    parts: tuple[str, ...]
    order: tuple[str, ...]
    numbers: str | None
    target: "Description | None" = None

    @property
    def name(self) -> str:
        """The name of the table as SQL writes it."""
        return ".".join(quoted(part, NAME) for part in self.parts)

    @property
    def regclass(self) -> str:
        """The number of the table in its database as SQL asks for it; null where there is none."""
        return f"to_regclass({quoted(self.name, TEXT)})::oid"

    @property
    def title(self) -> str:
        """The name of the table for a person."""
        return ".".join(quoted(part, NAME) if "." in part else part for part in self.parts)

    @property
    def shown(self) -> "Description":
        """The table that messages are about: the one that the user has named."""
        return self.target or self

    @property
    def staged(self) -> "Description":
        """The table of a name of its own that is written before it replaces this one."""
        own = blake2b("\0".join((str(self.path.resolve()), *self.parts)).encode(), digest_size=8).hexdigest()
        return replace(self, parts=(*self.parts[:-1], f"sdckit_{own}"), target=self)

    def to_toml(self) -> str:
        """The file that names the table."""
        import tomli_w

        return tomli_w.dumps({"connection": self.connection, "table": self.name, "numbers": self.numbers})


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
    parts = name_parts(str(content["table"]))
    if not parts:
        raise FileError(
            f"{path}: {content['table']!r} is not the name of a table; write schema.table, and a name with a dot in "
            "quotes: table = 'public.\"a.b\"'"
        )
    return Description(path, str(content["connection"]), parts, columns, numbers, _replaced.get(path))


def name_parts(text: str) -> tuple[str, ...]:
    """The schema, where one is named, and the table; nothing where the text names no table.

    >>> name_parts("public.people"), name_parts('public."a.b"'), name_parts("a.b.c")
    (('public', 'people'), ('public', 'a.b'), ())
    """
    parts: list[str] = []
    position = 0
    while found := NAME_PART.match(text, position):
        parts.append(found[2] if found[1] is None else found[1].replace('""', '"'))
        position = found.end() + 1
    complete = position == len(text) + 1
    return tuple(parts) if complete and len(parts) <= 2 else ()


@contextmanager
def shown_as(temporary: Path, target: Description) -> Iterator[None]:
    """While the block runs, messages on the table of a temporary file are about the table that it replaces."""
    _replaced[temporary] = target
    try:
        yield
    finally:
        del _replaced[temporary]


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
        shown, reason = table.shown, str(problem).splitlines()[0]
        raise FileError(f"{shown.path}: Postgres cannot {verb} {shown.title!r}: {reason}") from None
