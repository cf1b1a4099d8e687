"""The lines of a delimited text that does not fit into memory: how many records there are, and that each is whole.

The reader of an engine fills short lines up and takes a blank line for a record; in memory neither is a record.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import FileError

BLOCK = 16 * 2**20  # bytes examined at a time
NEWLINE, RETURN = ord("\n"), ord("\r")


@dataclass(frozen=True)
class Lines:
    """The number of records, and whether there are carriage returns within quotes."""

    records: int
    returns_in_quotes: bool


def lines_of(path: Path, delimiter: str, width: int, quote: str, block_bytes: int = BLOCK) -> Lines:
    """The lines of a file with so many columns; an error names the line that has more fields, fewer or none."""
    reader = _Reader(path, delimiter, width, quote)
    last = b""
    with open(path, "rb") as file:
        while block := file.read(block_bytes):
            if block.endswith(b"\r"):
                block += file.read(1)
            reader.add(block)
            last = block[-1:]
    if reader.quoted:
        raise FileError(f"{path}: line {reader.line:,}: unexpected end of data; check its quotes")
    if last != b"\n":
        reader.add(b"\n")
    blank = max(reader.blank - 1, 0) if width == 1 else 0  # a blank line is a missing value where there is one column
    return Lines(reader.records + blank, reader.returns_in_quotes)


class _Reader:
    """Counts delimiters and line ends outside quotes, block by block."""

    def __init__(self, path: Path, delimiter: str, width: int, quote: str) -> None:
        self.path, self.delimiter, self.width, self.quote = path, delimiter, width, quote
        self.quoted = False  # whether the next block begins within quotes
        self.delimiters = 0  # so far in the line that the next block begins in
        self.letters = 0  # so far in that line
        self.line = 1  # the number of that line in the file
        self.header = False  # whether it was seen
        self.records = 0
        self.blank = self.first_blank = 0  # lines since the last record, and the number of the first
        self.returns_in_quotes = False

    def add(self, block: bytes) -> None:
        """See a further block; it does not end between a carriage return and its line feed."""
        letters = np.frombuffer(block, dtype=np.uint8)
        outside = self._outside(letters)
        self._check_returns(block, letters, outside)
        positions = np.flatnonzero(((letters == NEWLINE) | (letters == ord(self.delimiter))) & outside)
        ends = np.flatnonzero(letters[positions] == NEWLINE)
        breaks = positions[ends]
        if len(breaks):
            delimiters = np.diff(ends, prepend=-1) - 1
            delimiters[0] += self.delimiters
            lengths = np.diff(breaks, prepend=-1) - 1
            lengths -= (lengths > 0) & (letters[breaks - 1] == RETURN)
            lengths[0] += self.letters
            self._add_lines(block, breaks, delimiters, lengths == 0)
            self.delimiters = self.letters = 0
        self.delimiters += len(positions) - (int(ends[-1]) + 1 if len(ends) else 0)
        self.letters += len(letters) - (int(breaks[-1]) + 1 if len(ends) else 0)
        self.line += block.count(b"\n")

    def _outside(self, letters: NDArray[np.uint8]) -> "NDArray[np.bool_] | np.bool_":
        """Which letters are outside quotes."""
        marks = letters == ord(self.quote)
        if not self.quoted and not marks.any():
            return np.True_
        outside = np.asarray((np.cumsum(marks, dtype=np.uint8) + self.quoted) % 2 == 0)  # only the parity matters
        self.quoted = not outside[-1]
        return outside

    def _check_returns(self, block: bytes, letters: NDArray[np.uint8], outside: "NDArray[np.bool_] | np.bool_") -> None:
        if b"\r" not in block:
            return
        returns = letters == RETURN
        self.returns_in_quotes |= bool((returns & ~outside).any())
        alone = np.flatnonzero(returns & outside & (np.append(letters[1:], 0) != NEWLINE))
        if len(alone):
            raise FileError(
                f"{self.path}: line {self._number(block, alone[0]):,} has a carriage return without a line feed; save "
                "the file with the line ends of Windows or Unix, or use --engine memory"
            )

    def _number(self, block: bytes, position: int) -> int:
        return self.line + block[: int(position)].count(b"\n")

    def _add_lines(
        self, block: bytes, breaks: NDArray[np.intp], delimiters: NDArray[np.intp], blank: NDArray[np.bool_]
    ) -> None:
        """See lines with their ends and delimiters; blank ones at the start and at the end are none."""
        full = np.flatnonzero(~blank)
        if not len(full):
            if self.header:
                self.first_blank = self.first_blank if self.blank else self._number(block, breaks[0])
                self.blank += len(blank)
            return
        wrong = full[delimiters[full] != self.width - 1]
        if len(wrong):
            raise FileError(
                f"{self.path}: line {self._number(block, breaks[wrong[0]]):,} has {delimiters[wrong[0]] + 1:,} fields "
                f"where the header has {self.width:,}; quote text that contains {self.delimiter!r}, or correct the line"
            )
        gaps = np.flatnonzero(blank)
        gaps = gaps if self.header else gaps[gaps > full[0]]
        between, after = gaps[gaps < full[-1]], gaps[gaps > full[-1]]
        if self.width > 1 and (self.blank or len(between)):
            line = self.first_blank if self.blank else self._number(block, breaks[between[0]])
            raise FileError(
                f"{self.path}: line {line:,} is blank, between records; remove blank lines, or use --engine memory"
            )
        self.records += self.blank + len(between) + len(full) - (0 if self.header else 1)
        self.header, self.blank = True, len(after)
        if self.blank:
            self.first_blank = self._number(block, breaks[after[0]])
