"""Excel workbooks: one sheet, a header in its first row. Text is written as text, never as a formula."""

from dataclasses import replace
from datetime import time
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

import polars as pl

from sdckit.errors import FileError, SchemaError, near_miss
from sdckit.files.csv_columns import MISSING, refuse_mixture
from sdckit.files.labelled import (
    Metadata,
    as_written,
    codes_of_a_plain_file,
    few_decimals,
    marked_by,
    reasons_of,
    with_codes,
)
from sdckit.frames.to_frame import polars_series
from sdckit.microdata import Microdata
from sdckit.schema import Declared, Schema

if TYPE_CHECKING:
    import fastexcel

TITLE = "Excel workbook"
SUFFIXES = (".xlsx",)
MOST_RECORDS = 1_048_575  # rows of a sheet below the header
EXACT_DIGITS = 10**15  # a cell keeps fifteen digits
LONGEST_TEXT = 32_767  # characters of a cell


def read(path: Path, schema: Schema, *, sheet: str | None = None, mixtures: bool = False) -> Microdata:
    """Read a sheet of a workbook: the one named, or the only one that has records."""
    import fastexcel

    try:
        book = fastexcel.read_excel(str(path))
    except fastexcel.FastExcelError as problem:
        raise FileError(f"{path} is not a readable workbook: {str(problem).splitlines()[0]}") from None
    if sheet is not None and sheet not in book.sheet_names:
        raise FileError(f"{path} has no sheet {sheet!r}{near_miss(sheet, book.sheet_names)}")
    if not book.sheet_names:
        raise FileError(f"{path} has no sheets; it is damaged, or empty")
    sheet_name = sheet or _only_sheet(path, book)
    header = (
        book.load_sheet(sheet_name, header_row=None, n_rows=1).to_polars() if _has_cells(book, sheet_name) else None
    )
    if header is None or header.width == 0:
        raise FileError(f"{path}: the sheet {sheet_name!r} is empty; give it a header and records")
    names = [str(name) for name in header.row(0) if name is not None]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise SchemaError(f"{path}: the column name {repeated[0]!r} appears twice; give each column a name of its own")
    table = book.load_sheet(sheet_name).to_polars()
    if len(table) == 0:
        raise SchemaError(f"{path}: the sheet {sheet_name!r} has a header but no records; give it at least one")
    plain = table.with_columns([_plain(schema, column, mixtures) for column in table])
    data = Microdata.from_frame(plain, schema=_with_decimals(schema, plain))
    declared = {name: each for name, each in schema.attributes.items() if each.missing and name in table.columns}
    marked = {name: marked_by(each, table[name]) for name, each in declared.items()}
    reasons = {name: reasons_of(data, name, codes) for name, codes in marked.items() if codes.is_not_null().any()}
    return replace(data, form=replace(data.form, file=Metadata(), reasons=reasons))


def _with_decimals(schema: Schema, table: pl.DataFrame) -> Schema:
    """The schema with the decimals of the numbers that have few of them and none declared."""
    attributes = dict(schema.attributes)
    for column in table:
        declared = attributes.get(column.name, Declared())
        if column.dtype.is_float() and declared.decimals is None and declared.kind is None:
            decimals = few_decimals(column.drop_nulls())
            attributes[column.name] = replace(declared, decimals=decimals)
    return replace(schema, attributes=attributes)


def _only_sheet(path: Path, book: "fastexcel.ExcelReader") -> str:
    """The sheet that has records; an error that lists the sheets where several have."""
    if len(book.sheet_names) == 1:
        return str(book.sheet_names[0])
    filled = [name for name in book.sheet_names if _has_cells(book, name, rows=2)]
    if len(filled) > 1:
        listed = ", ".join(repr(name) for name in filled)
        raise FileError(
            f"{path} has {len(filled)} sheets with records: {listed}; name the one to read (--sheet NAME, or "
            "sheet=NAME in Python)"
        )
    return str(filled[0] if filled else book.sheet_names[0])


def _has_cells(book: "fastexcel.ExcelReader", sheet: str, rows: int = 1) -> bool:
    """Whether a sheet has at least this number of rows with a cell."""
    import fastexcel

    try:
        return bool(book.load_sheet(sheet, header_row=None).total_height >= rows)
    except fastexcel.FastExcelError:
        return False


def _plain(schema: Schema, column: pl.Series, mixtures: bool) -> pl.Series:
    """Text with blank cells missing, integers where all numbers are whole; numbers mixed with text are refused."""
    declared = schema.attributes.get(column.name)
    if column.dtype == pl.Null:
        return column.cast(pl.Float64)
    if column.dtype == pl.String:
        missing = [*MISSING, *(map(str, declared.missing) if declared else ())]
        texts = column.set(column.str.strip_chars().is_in(missing).fill_null(True), None)
        numbers = texts.cast(pl.Float64, strict=False)
        if not mixtures and (declared is None or declared.kind is None):
            refuse_mixture(texts, numbers)
        return texts
    if isinstance(column.dtype, pl.Datetime) and bool((column.drop_nulls().dt.time() == time(0)).all()):
        return column.cast(pl.Date)
    if column.dtype.is_float() and column.is_not_null().any() and bool((column.drop_nulls() % 1 == 0).all()):
        return column.cast(pl.Int64, strict=False)
    return column


def bytes_needed(path: Path) -> int:
    """A multiple of the sheets decompressed; a workbook is a ZIP archive that says how large they are."""
    try:
        with ZipFile(path) as archive:
            return 3 * sum(each.file_size for each in archive.infolist())
    except (BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError):
        return 0  # the reader says what is wrong with it


def same_name(name: str) -> str:
    """A name as a table of Excel compares it: in lower case."""
    return name.lower()


def loses(text: str) -> bool:
    """Whether a text is longer than a cell."""
    return len(text) > LONGEST_TEXT


def codes(data: Microdata) -> dict[str, Any]:
    """The codes of missing values that are written, by column."""
    return codes_of_a_plain_file(data)


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write a workbook of one sheet."""
    if len(data) > MOST_RECORDS:
        raise FileError(f"a sheet holds {MOST_RECORDS} records and the file has {len(data)}; write .csv or .parquet")
    formats = {each.name: f"0.{'0' * each.decimals}" for each in data.attributes if each.decimals}
    codes = codes_of_a_plain_file(data)
    columns = [with_codes(_for_cells(polars_series(data, each)), codes.get(each.name, {})) for each in data.attributes]
    shown: dict[Any, str] = {column.name: formats[column.name] for column in columns if column.name in formats}
    workbook = BytesIO()  # written at once: the library leaves an archive open where the disk is full
    pl.DataFrame(columns).write_excel(workbook, column_formats=shown or None, table_style=None, autofilter=False)
    path.write_bytes(workbook.getvalue())


def _for_cells(column: pl.Series) -> pl.Series:
    """A column as a workbook can hold it: long integers and times with a zone as text."""
    if column.dtype.is_integer() and bool((column.cast(pl.Float64).abs() >= EXACT_DIGITS).any()):
        return column.cast(pl.String)
    if isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone:
        return column.dt.strftime("%Y-%m-%dT%H:%M:%S%:z")
    if isinstance(column.dtype, pl.Enum | pl.Categorical):
        return column.cast(pl.String)
    if column.dtype == pl.Float32:
        return as_written(column)
    return column.cast(pl.Float64) if isinstance(column.dtype, pl.Decimal) else column
