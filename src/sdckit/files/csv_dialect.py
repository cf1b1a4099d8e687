"""The form of a CSV file: its encoding, its delimiter and quotes, and the cells of its lines, all as text."""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl

from sdckit.errors import FileError, SchemaError

DELIMITERS = ("\t", ";", "|", ",")  # the rarer in text, the more likely
COMMON_IN_TEXT = (":", " ")  # only where no other divides the lines, all are divided alike, and some cells are numbers
SINGLE_QUOTED = re.compile(r"(?m)(?:^|[\t;|, :])'[^'\n]*'(?=[\t;|, :]|$)")
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")
SAMPLE = 200  # records examined to detect the delimiter
START = 4_000_000  # characters that certainly contain that many records
BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(path: Path, encoding: str | None = None) -> tuple[str, str]:
    """The text of a file and its encoding: by its byte-order mark, else UTF-8, else Windows-1252, else Latin-1."""
    content = path.read_bytes()
    if not content.strip():
        raise FileError(f"{path} is empty; give a file with a header and records")
    for candidate in [encoding] if encoding else _likely_encodings(path, content):
        try:
            return content.decode(candidate).removeprefix("\ufeff"), candidate
        except LookupError:
            raise FileError(f"there is no encoding {candidate!r}; common ones are utf-8, utf-16, cp1252") from None
        except UnicodeError as problem:
            start = getattr(problem, "start", 0)
            line = content[:start].count(b"\n") + 1
    raise FileError(f"{path} is not {candidate} text (line {line}); give its encoding, such as cp1252")


def _likely_encodings(path: Path, content: bytes) -> list[str]:
    for mark, encoding in BOMS:
        if content.startswith(mark):
            return [encoding]
    if b"\0" not in content:
        return ["utf-8", "cp1252", "latin-1"]
    start = content[:4096]
    if start[1::2].count(0) > len(start) / 4 and start[::2].count(0) == 0:
        return ["utf-16-le"]
    if start[::2].count(0) > len(start) / 4 and start[1::2].count(0) == 0:
        return ["utf-16-be"]
    raise FileError(f"{path} is not a text file: it contains zero bytes; is its extension right?")


def find_quote(text: str) -> str:
    """The quote of a file: a single one where the header or most records have such a field, and none has another.

    >>> find_quote("'name';'age'\\n'Ada, Countess';31\\n")
    "'"
    """
    lines = [line for line in text[:START].splitlines() if line][: SAMPLE + 1]
    quoted = [SINGLE_QUOTED.search(line) is not None for line in lines]
    mostly = bool(quoted) and (quoted[0] or sum(quoted) > len(quoted) / 2)
    return "'" if mostly and not any('"' in line for line in lines) else '"'


def find_delimiter(text: str, quote: str = '"') -> str:
    """The delimiter that divides most lines into as many fields as the header, and into more than one."""
    best, best_share = ",", 0.0
    for delimiter in DELIMITERS:
        rows = _sample(text, delimiter, quote)
        width = len(rows[0]) if rows else 0
        share = sum(len(row) == width for row in rows) / max(len(rows), 1)
        if width > 1 and share > best_share:
            best, best_share = delimiter, share
    if best_share:
        return best
    for delimiter in COMMON_IN_TEXT:
        rows = _sample(text, delimiter, quote)
        widths = {len(row) for row in rows[1:]}
        as_wide = len(widths) == 1 and bool(rows) and min(widths) - len(rows[0]) in (0, 1) and len(rows[0]) > 1
        if as_wide and any(NUMBER.fullmatch(cell) for cell in rows[1]):
            return delimiter
    return best


def one_space_each(text: str, quote: str = '"') -> str:
    """The text with one space between two fields instead of several, and none at the ends of lines."""
    single = re.sub(rf"({quote}[^{quote}\n]*{quote})| +", lambda match: match.group(1) or " ", text)
    return re.sub(r"(?m)^ | $", "", single)


def with_named_rows(text: str, delimiter: str, quote: str = '"') -> str:
    """The text with a name for a first column that has none, as R writes the names of rows."""
    rows = _sample(text, delimiter, quote)
    if len(rows) > 1 and {len(row) for row in rows[1:]} == {len(rows[0]) + 1}:
        return f"row{delimiter}{text.lstrip()}"
    return text


def _sample(text: str, delimiter: str, quote: str) -> list[list[str]]:
    """The first records; none where they cannot be divided so."""
    if delimiter == " ":
        text = one_space_each(text[:START], quote)
    try:
        return list(islice(_rows(text, delimiter, quote), SAMPLE))
    except csv.Error:
        return []


def cells(path: Path, text: str, delimiter: str, quote: str = '"') -> pl.DataFrame:
    """Every cell as text, one column each; null where there is nothing between two delimiters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    text = text.lstrip("\n")
    if delimiter == " ":
        text = one_space_each(text, quote)
    if delimiter in " \t":
        text = with_named_rows(text, delimiter, quote)
    header = header_of(path, text, delimiter, quote)
    content = text.rstrip("\n").encode() if len(header) > 1 else text.removesuffix("\n").encode()
    if is_regular(content, delimiter, len(header), quote):
        try:
            table = pl.read_csv(
                io.BytesIO(content),
                separator=delimiter,
                quote_char=quote,
                infer_schema_length=0,
                truncate_ragged_lines=True,
            )
            return table.rename(dict(zip(table.columns, header, strict=True)))
        except pl.exceptions.PolarsError:  # a quote in the middle of a field, which the slower reader accepts
            pass
    return _carefully(path, text, delimiter, header, quote)


def _rows(text: str, delimiter: str, quote: str) -> Iterator[list[str]]:
    """The first records, without blank lines."""
    start = io.StringIO(text[:START], newline="")
    return (row for row in csv.reader(start, delimiter=delimiter, quotechar=quote, strict=True) if row)


def header_of(path: Path, text: str, delimiter: str, quote: str) -> list[str]:
    """The names of the columns at the start of a text, each its own; a column without a name has its number."""
    try:
        header = [name.strip() for name in next(_rows(text, delimiter, quote), [])]
    except csv.Error as problem:
        raise FileError(f"{path}: the header cannot be read ({problem}); check its quotes") from None
    names = [name or f"column {number}" for number, name in enumerate(header, start=1)]
    repeated = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if repeated:
        raise SchemaError(f"{path}: the column name {repeated[0]!r} appears twice; give each column a name of its own")
    return names


def is_regular(content: bytes, delimiter: str, width: int, quote: str = '"') -> bool:
    """Whether every line has that many fields, by counting the delimiters outside quotes."""
    letters = np.frombuffer(content, dtype=np.uint8)
    quotes = np.cumsum(letters == ord(quote), dtype=np.uint8)  # may wrap around: only the parity matters
    outside = quotes % 2 == 0
    ends = np.flatnonzero((letters == ord("\n")) & outside)
    separators = np.flatnonzero((letters == ord(delimiter)) & outside)
    upto = np.concatenate(([0], np.searchsorted(separators, ends), [len(separators)]))
    return bool(outside[-1]) and bool(np.all(np.diff(upto) == width - 1))


def _carefully(path: Path, text: str, delimiter: str, header: list[str], quote: str) -> pl.DataFrame:
    """Record by record: slower, but blank lines are skipped and an error names its line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quotechar=quote, strict=True)
    rows: list[list[str]] = []
    try:
        for row in reader:
            if not row and len(header) > 1:
                continue
            if len(row) != len(header) and row:
                raise FileError(
                    f"{path}: line {reader.line_num} has {len(row)} fields where the header has {len(header)}; "
                    f"quote text that contains {delimiter!r}, or correct the line"
                )
            rows.append(row or [""])
    except csv.Error as problem:
        raise FileError(f"{path}: line {reader.line_num}: {problem}; check its quotes") from None
    columns = zip(*rows[1:], strict=True) if len(rows) > 1 else [()] * len(header)
    return pl.DataFrame(
        [pl.Series(name, column, dtype=pl.String) for name, column in zip(header, columns, strict=True)]
    )
