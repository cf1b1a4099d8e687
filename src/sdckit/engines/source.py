"""Sources: files that are read batch by batch, in the order of their records."""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from sdckit import input_file
from sdckit.engines.choose import parts_in
from sdckit.engines.csv_lines import Lines, lines_of
from sdckit.engines.part_columns import difference_of_parts
from sdckit.engines.table_source import TableSource
from sdckit.errors import FileError, SchemaError
from sdckit.files import csv_columns
from sdckit.files.csv_dialect import find_delimiter, find_quote, header_of, with_named_rows
from sdckit.files.formats import csv, duckdb_table, postgres
from sdckit.files.labelled import whole_code
from sdckit.files.parquet_footer import checked_footer
from sdckit.schema import Declared, Schema

SNIFFED = 4_000_000  # bytes of a text file that its form is read from
DATABASES = (".duckdb",)
TABLES = (".csv", ".tsv", ".tab", ".txt")


class Source(Protocol):
    """A file that is read batch by batch.

    `schema`    the declarations of the caller, and what the format itself declares
    `declared`  the declarations of the caller
    `form`      what the format needs to write a file of the same form
    """

    @property
    def path(self) -> Path: ...

    @property
    def schema(self) -> Schema: ...

    @property
    def declared(self) -> Schema: ...

    @property
    def form(self) -> Any: ...

    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        ...

    def batches(self, records: int) -> Iterator[pl.DataFrame]:
        """The records in their order, so many at a time; the last batch may be shorter."""
        ...

    def part(self, start: int, records: int) -> pl.DataFrame:
        """So many records from a position on."""
        ...


def source_of(path: str | Path, schema: Schema, *, mixtures: bool = False) -> Source:
    """The source of a Parquet file, a folder of Parquet parts, a database table or delimited text; else an error.

    Of delimited text, a column of numbers with some text in it is refused unless `mixtures` are to be read as text.
    """
    file = Path(path)
    if file.is_dir():
        return ParquetSource(file, schema, tuple(input_file.readable(part) for part in parts_in(file)))
    input_file.readable(file)
    if not file.is_file():
        raise FileError(f"{path} does not exist")
    if file.suffix.lower() == ".parquet":
        return ParquetSource(file, schema, (file,))
    if file.suffix.lower() in DATABASES:
        return TableSource(file, schema, duckdb_table.opened)
    if file.suffix.lower() in postgres.SUFFIXES:
        return TableSource(file, schema, postgres.opened)
    if file.suffix.lower() in TABLES:
        return CsvSource.of(file, schema, mixtures)
    raise FileError(
        f"{path}: files beyond memory are read from .parquet, a folder of Parquet parts, .duckdb, .postgres or .csv; "
        "convert it first, or use --engine memory"
    )


@dataclass(frozen=True)
class ParquetSource:
    """A Parquet file, or a folder of Parquet parts in the order of their names."""

    path: Path
    schema: Schema
    files: tuple[Path, ...]
    form: Any = None

    @property
    def declared(self) -> Schema:
        """The declarations of the caller: the format adds none."""
        return self.schema

    def __post_init__(self) -> None:
        for each in self.files:
            checked_footer(each)

    def lazy(self) -> pl.LazyFrame:
        """The file, not yet read."""
        return pl.scan_parquet(list(self.files), glob=False)

    def columns(self) -> tuple[str, ...]:
        with readable(self.path, self.files):
            return tuple(self.lazy().collect_schema().names())

    def batches(self, records: int) -> Iterator[pl.DataFrame]:
        with readable(self.path, self.files):
            yield from self.lazy().collect_batches(chunk_size=records, maintain_order=True)

    def part(self, start: int, records: int) -> pl.DataFrame:
        with readable(self.path, self.files):
            return self.lazy().slice(start, records).collect()


@dataclass(frozen=True)
class CsvSource:
    """Delimited text in UTF-8; the type of each column is the one that all its cells allow."""

    path: Path
    schema: Schema
    form: csv.Dialect
    declared: Schema = Schema()
    types: Mapping[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    lines: Lines = Lines(0, False)
    codes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # declared missing, and found, by column

    @classmethod
    def of(cls, path: Path, schema: Schema, mixtures: bool = False) -> "CsvSource":
        """The source of a text file; its columns are examined one at a time."""
        with open(path, "rb") as file:
            start = file.read(SNIFFED)
        if not start.strip():
            raise FileError(f"{path} is empty; give a file with a header and records")
        head = start.removeprefix(codecs.BOM_UTF8).decode("utf-8", errors="ignore")
        quote = find_quote(head)
        delimiter = find_delimiter(head, quote)
        if delimiter == " ":
            raise FileError(f"{path} is separated by spaces; separate it by commas, or use --engine memory")
        if delimiter == "\t" and with_named_rows(head, delimiter, quote) != head:
            raise FileError(f"{path}: the first column has no name; give it one, or use --engine memory")
        names = tuple(header_of(path, head, delimiter, quote))
        lines = lines_of(path, delimiter, len(names), quote)
        if not lines.records:
            raise SchemaError(f"{path} has a header but no records; give it at least one")
        plain = cls(path, schema, csv.Dialect(delimiter, quote=quote), schema, names=names, lines=lines)
        types: dict[str, Any] = {}
        written: dict[str, csv_columns.Written] = {}
        codes: dict[str, tuple[Any, ...]] = {}
        attributes = dict(schema.attributes)
        for name in plain.columns():
            declared = attributes.get(name, Declared())
            with readable_text(path):
                texts = plain.texts().select(name).collect(engine="streaming").to_series()
            comma = delimiter != ","
            values, written[name] = csv_columns.typed(texts, declared, csv_columns.MISSING, comma, mixtures)
            types[name] = values.dtype
            if declared.decimals is None and written[name].decimals is not None:
                attributes[name] = replace(declared, decimals=written[name].decimals)
            if declared.missing:
                found, shown = csv_columns.missing_codes_of(texts, declared, comma)
                written[name] = replace(written[name], codes=shown)
                codes[name] = tuple(map(whole_code, found.drop_nulls().unique().sort()))
        encoding = "utf-8-sig" if start.startswith(codecs.BOM_UTF8) else "utf-8"
        dialect = csv.Dialect(delimiter, encoding, quote, written)
        occurring = {name: found for name, found in codes.items() if found}
        return cls(path, replace(schema, attributes=attributes), dialect, schema, types, names, lines, occurring)

    def texts(self) -> pl.LazyFrame:
        """Every cell as text."""
        frame = pl.scan_csv(
            self.path,
            separator=self.form.delimiter,
            quote_char=self.form.quote,
            infer_schema=False,
            glob=False,
            n_rows=self.lines.records,
        )
        found = frame.collect_schema().names()
        if len(found) != len(self.names):
            raise FileError(f"{self.path}: the header cannot be read; check its quotes, or use --engine memory")
        frame = frame.rename(dict(zip(found, self.names, strict=True)))
        frame = frame.with_columns(pl.col(self.names[-1]).str.strip_suffix("\r"))
        if not self.lines.returns_in_quotes:
            return frame
        return frame.with_columns(pl.all().str.replace_all("\r\n?", "\n"))

    def columns(self) -> tuple[str, ...]:
        with readable_text(self.path):
            return tuple(self.texts().collect_schema().names())

    def batches(self, records: int) -> Iterator[pl.DataFrame]:
        with readable_text(self.path):
            for batch in self.texts().collect_batches(chunk_size=records, maintain_order=True):
                yield self.typed(batch)

    def part(self, start: int, records: int) -> pl.DataFrame:
        with readable_text(self.path):
            return self.typed(self.texts().slice(start, records).collect())

    def text_batches(self, names: Sequence[str], records: int) -> Iterator[pl.DataFrame]:
        """The cells of some columns as text, so many records at a time."""
        with readable_text(self.path):
            yield from self.texts().select(names).collect_batches(chunk_size=records, maintain_order=True)

    def texts_of(self, names: Sequence[str], start: int, records: int) -> pl.DataFrame:
        """The cells of some columns as text, so many records from a position on."""
        with readable_text(self.path):
            return self.texts().select(names).slice(start, records).collect()

    def code_of(self, texts: pl.Series) -> pl.Series:
        """The code of each cell that is declared missing, null elsewhere."""
        return csv_columns.missing_codes_of(texts, self.schema.attributes[texts.name], self.form.delimiter != ",")[0]

    def typed(self, texts: pl.DataFrame) -> pl.DataFrame:
        """Cells in the types of their columns."""
        return texts.select(self._column(each) for each in texts)

    def _column(self, texts: pl.Series) -> pl.Series:
        declared = self.schema.attributes.get(texts.name, Declared())
        dtype, written = self.types[texts.name], self.form.columns[texts.name]
        stripped = texts.str.strip_chars()
        absent = stripped.is_null() | stripped.is_in([*csv_columns.MISSING, *map(str, declared.missing)])
        if dtype == pl.String:
            return texts.set(absent.fill_null(True), None)
        cells = stripped.set(absent.fill_null(True), None)
        if written.date_format is not None:
            return cells.str.strptime(dtype, written.date_format, strict=True)
        return (cells.str.replace(",", ".", literal=True) if written.comma else cells).cast(dtype)


@contextmanager
def readable(path: Path, parts: Sequence[Path]) -> Iterator[None]:
    """Turn the errors of the library into one line about the file, or about the part that differs from the others."""
    try:
        yield
    except (pl.exceptions.SchemaError, pl.exceptions.ColumnNotFoundError) as problem:
        reason = difference_of_parts(parts) or str(problem).splitlines()[0]
        raise FileError(f"{path} cannot be read: {reason}") from None
    except (pl.exceptions.PolarsError, OSError) as problem:
        raise FileError(f"{path} cannot be read: {str(problem).splitlines()[0]}") from None


@contextmanager
def readable_text(path: Path) -> Iterator[None]:
    """The same for delimited text, of which the library would show cells."""
    try:
        yield
    except pl.exceptions.PolarsError as problem:
        if "utf-8" in str(problem).lower():
            raise FileError(f"{path} is not text in UTF-8; save it in UTF-8, or use --engine memory") from None
        raise FileError(f"{path} cannot be divided into cells; check its quotes, or use --engine memory") from None
    except OSError as problem:
        raise FileError(f"{path} cannot be read: {problem.strerror or problem}") from None
