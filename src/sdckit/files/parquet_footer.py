"""The footer of a Parquet file, checked before a library reads it: a forged one makes readers abort the process.

The footer is a structure in Thrift's compact protocol: https://github.com/apache/parquet-format. Only what is needed to
judge it is kept: how deep its columns are nested, how many rows there are, and which bytes each column occupies.
"""

import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sdckit.errors import FileError

MAGIC, ENCRYPTED = b"PAR1", b"PARE"
DEEPEST = 64  # nested structures of the footer, and nested columns: files of people and firms have none
BOOLEANS, BYTE, INTEGERS, DOUBLE, BINARY, LISTS, MAP, STRUCT = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 11, 12
SCHEMA, ROWS, ROW_GROUPS = 2, 3, 4  # of the file
CHILDREN = 5  # of an element of the schema
COLUMNS, GROUP_ROWS = 1, 3  # of a row group
COLUMN_DATA = 3  # of a column in a row group
VALUES, UNCOMPRESSED, COMPRESSED, DATA_START, DICTIONARY_START = 5, 6, 7, 9, 11  # of its data


@dataclass(frozen=True)
class Footer:
    """How large a file is once it is read: the bytes of its columns when decompressed, and the number of its values."""

    bytes: int
    values: int


def checked_footer(path: Path) -> Footer:
    """The size of a file by its footer; an error where the footer cannot be that of a sound file."""
    size, footer = _footer(path)
    try:
        file = _Compact(footer).structure(0)
        _check_schema(file[SCHEMA])
        groups = file.get(ROW_GROUPS) or []
        if file[ROWS] < 0 or sum(group[GROUP_ROWS] for group in groups) != file[ROWS]:
            raise ValueError("its row groups do not add up to its number of rows")
        total = values = 0
        for data in _column_data(groups):
            start, length = min(data[DATA_START], data.get(DICTIONARY_START) or data[DATA_START]), data[COMPRESSED]
            if start < 0 or length < 0 or data[UNCOMPRESSED] < 0 or start + length > size:
                raise ValueError("a column lies outside the file")
            total += data[UNCOMPRESSED]
            values += data[VALUES]
        return Footer(total, values)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as problem:
        reason = str(problem) if isinstance(problem, ValueError) else "a part of its footer is missing"
        raise FileError(f"{path} is not a readable Parquet file: {reason}; it is damaged or was cut short") from None


def _footer(path: Path) -> tuple[int, bytes]:
    """The size of the file and the bytes of its footer."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        if size < 12 or file.read(4) not in (MAGIC, ENCRYPTED):
            raise FileError(f"{path} is not a Parquet file, whatever its extension says; rename it, or give another")
        file.seek(size - 8)
        length, magic = struct.unpack("<I4s", file.read(8))
        if magic == ENCRYPTED:
            raise FileError(f"{path} is an encrypted Parquet file; decrypt it first")
        if magic != MAGIC or not 0 < length <= size - 12:
            raise FileError(f"{path} is not a readable Parquet file: it has no footer; it is damaged or was cut short")
        file.seek(size - 8 - length)
        return size, file.read(length)


def _column_data(groups: list[Any]) -> Iterator[Mapping[int, Any]]:
    for group in groups:
        for column in group[COLUMNS]:
            yield column[COLUMN_DATA]


def _check_schema(elements: list[Mapping[int, Any]]) -> None:
    """The schema is a tree in depth-first order; each element gives its number of children."""
    open_children = [1]
    for element in elements:
        while open_children and not open_children[-1]:
            open_children.pop()
        if not open_children or len(open_children) > DEEPEST:
            raise ValueError("its columns are nested too deeply" if open_children else "its schema is not a tree")
        open_children[-1] -= 1
        children = element.get(CHILDREN, 0)
        if not 0 <= children <= len(elements):
            raise ValueError("its schema is not a tree")
        open_children.append(children)
    if any(open_children):
        raise ValueError("its schema is not a tree")


class _Compact:
    """A reader of Thrift's compact protocol that goes neither deep nor beyond the end."""

    def __init__(self, content: bytes) -> None:
        self.content, self.position = content, 0

    def structure(self, depth: int) -> dict[int, Any]:
        """The fields of a structure by their numbers."""
        if depth > DEEPEST:
            raise ValueError("its footer is nested too deeply")
        fields: dict[int, Any] = {}
        number = 0
        while header := self._byte():
            number = number + (header >> 4) if header >> 4 else _signed(self._varint())
            kind = header & 15
            fields[number] = kind == 1 if kind in BOOLEANS else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in INTEGERS:
            return _signed(self._varint())
        if kind == BINARY:
            return self._bytes(self._varint())
        if kind in LISTS:
            return self._list(depth)
        if kind == STRUCT:
            return self.structure(depth + 1)
        if kind == DOUBLE:
            return self._bytes(8)
        if kind == BYTE or kind in BOOLEANS:
            return self._byte()
        if kind == MAP:
            return self._map(depth)
        raise ValueError("its footer has a value of an unknown type")

    def _list(self, depth: int) -> list[Any]:
        header = self._byte()
        length = header >> 4 if header >> 4 < 15 else self._varint()
        self._check_length(length)
        if depth >= DEEPEST:
            raise ValueError("its footer is nested too deeply")
        return [self._value(header & 15, depth + 1) for _ in range(length)]

    def _map(self, depth: int) -> None:
        length = self._varint()
        self._check_length(length)
        kinds = self._byte() if length else 0
        if depth >= DEEPEST:
            raise ValueError("its footer is nested too deeply")
        for _ in range(length):
            self._value(kinds >> 4, depth + 1)
            self._value(kinds & 15, depth + 1)

    def _check_length(self, length: int) -> None:
        if length > len(self.content) - self.position:
            raise ValueError("its footer ends too early")

    def _bytes(self, length: int) -> bytes:
        self._check_length(length)
        self.position += length
        return self.content[self.position - length : self.position]

    def _byte(self) -> int:
        self._check_length(1)
        self.position += 1
        return self.content[self.position - 1]

    def _varint(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
            if shift > 63:
                raise ValueError("its footer has a number that is too long")


def _signed(number: int) -> int:
    return number >> 1 ^ -(number & 1)
