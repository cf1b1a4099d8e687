"""CSV and other delimited text: any common delimiter, quote, encoding and decimal mark. Cells are text, then typed.

These count as missing: an empty cell, NA, N/A, n/a, #N/A, NaN, nan, NULL, null and a single point; `missing` lists
others, for a file in which, say, NA is a country. A column is numeric if all its values are numbers, a date if all are
dates of one form (sdckit.date_text), otherwise text; a leading zero makes it text. A file is written in the form in
which it was read: same delimiter, quotes, encoding, decimal mark, number of decimals and date format.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.errors import FileError, SchemaError
from sdckit.files import csv_columns
from sdckit.files.csv_dialect import cells, decode, find_delimiter, find_quote
from sdckit.files.labelled import Metadata, codes_of_a_plain_file, reasons_of
from sdckit.frames.to_frame import polars_series
from sdckit.microdata import Attribute, Microdata
from sdckit.schema import Declared, Schema

TITLE = "CSV and other delimited text"
SUFFIXES = (".csv", ".tsv", ".tab", ".txt")
FORMULA = r"^[=+\-@\t\r]"
NUMBER = r"^[+\-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+\-]?\d+)?$"


@dataclass(frozen=True)
class Dialect:
    """The form of a CSV file, so that it can be written in the same form."""

    delimiter: str = ","
    encoding: str = "utf-8"
    quote: str = '"'
    columns: dict[str, csv_columns.Written] = field(default_factory=dict)

    @property
    def comma(self) -> bool:
        """Whether numbers are written with a decimal comma."""
        return any(column.comma for column in self.columns.values())


def read(
    path: Path,
    schema: Schema,
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = csv_columns.MISSING,
    mixtures: bool = False,
) -> Microdata:
    """Read a CSV file; delimiter, decimal mark and encoding are detected where they are not given."""
    if delimiter is not None and (len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n'):
        raise FileError(f"a delimiter is one ASCII character, such as ',' or ';', not {delimiter!r}")
    if decimal not in (None, ".", ","):
        raise FileError(f"the decimal mark is '.' or ',', not {decimal!r}")
    text, encoding = decode(path, encoding)
    quote = find_quote(text)
    delimiter = delimiter or find_delimiter(text, quote)
    table = cells(path, text, delimiter, quote)
    if len(table) == 0:
        raise SchemaError(f"{path} has a header but no records; give it at least one")
    comma = decimal == "," or (decimal is None and delimiter != ",")
    columns: list[pl.Series] = []
    written: dict[str, csv_columns.Written] = {}
    marked: dict[str, pl.Series] = {}
    attributes = dict(schema.attributes)
    for texts in table:
        declared = attributes.get(texts.name, Declared())
        values, written[texts.name] = csv_columns.typed(texts, declared, missing, comma, mixtures)
        columns.append(values.alias(texts.name))
        if declared.decimals is None and written[texts.name].decimals is not None:
            attributes[texts.name] = replace(declared, decimals=written[texts.name].decimals)
        if declared.missing:
            marked[texts.name], codes = csv_columns.missing_codes_of(texts, declared, comma)
            written[texts.name] = replace(written[texts.name], codes=codes)
    data = Microdata.from_frame(pl.DataFrame(columns), schema=replace(schema, attributes=attributes))
    reasons = {name: reasons_of(data, name, codes) for name, codes in marked.items() if codes.is_not_null().any()}
    return replace(data, form=replace(data.form, file=Dialect(delimiter, encoding, quote, written), reasons=reasons))


def same_name(name: str) -> str:
    """A name as it is read again: without blanks around it."""
    return name.strip()


def loses(text: str) -> bool:
    """Whether a text has a zero character, which ends it."""
    return "\0" in text


def codes(data: Microdata) -> dict[str, Any]:
    """The codes of missing values that are written, by column."""
    return codes_of_a_plain_file(data)


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> int:
    """Write the file and return the number of cells that a spreadsheet would run as a formula."""
    dialect = data.form.file if isinstance(data.form.file, Dialect) else Dialect()
    frame = pl.DataFrame([polars_series(data, attribute) for attribute in data.attributes])
    labelled = isinstance(data.form.file, Metadata)  # its numbers have no trailing zeros
    content, formulas = part_text(
        frame,
        data.attributes,
        path.suffix,
        dialect,
        escape_formulas,
        no_trailing_zeros=labelled,
        codes=codes_of_a_plain_file(data),
    )
    path.write_bytes(content)
    return formulas


def part_text(
    frame: pl.DataFrame,
    attributes: Sequence[Attribute],
    suffix: str,
    dialect: Dialect,
    escape_formulas: bool,
    header: bool = True,
    no_trailing_zeros: bool = False,
    codes: Mapping[str, Mapping[Any, NDArray[np.bool_]]] = {},
) -> tuple[bytes, int]:
    """The text of a file or of a part of one, and the number of cells that a spreadsheet would run as a formula.

    `codes` are those of missing values by column, each with the rows that have it.
    """
    formulas = 0
    columns: dict[str, pl.Series] = {}
    delimiter = _delimiter(suffix.lower(), dialect)
    for attribute in attributes:
        values = frame[attribute.name]
        written = _written_form(attribute, dialect)
        if no_trailing_zeros:
            written = replace(written, least=0)
        texts = csv_columns.with_codes(csv_columns.as_text(values, written), codes.get(attribute.name, {}), written)
        title = pl.Series([attribute.name])
        if not values.dtype.is_numeric():
            texts, found = _formulas(texts, escape_formulas)
            formulas += found
        title, found = _formulas(title, escape_formulas)
        formulas += found if header else 0
        columns[title[0]] = texts.alias(title[0])
    # An empty line would not count as a record, and nothing between two spaces not as a cell.
    blank = "NA" if len(columns) == 1 or delimiter == " " else ""
    table = pl.DataFrame(list(columns.values()))
    text = table.write_csv(separator=delimiter, null_value=blank, include_header=header, quote_char=dialect.quote)
    return _encoded(text, dialect.encoding), formulas


def _delimiter(extension: str, dialect: Dialect) -> str:
    """The delimiter of the original where the extension leaves a choice."""
    if extension in (".tsv", ".tab"):
        return "\t"
    return "," if extension == ".csv" and dialect.delimiter == "\t" else dialect.delimiter


def _written_form(attribute: Attribute, dialect: Dialect) -> csv_columns.Written:
    found = dialect.columns.get(attribute.name, csv_columns.Written())
    if attribute.decimals is not None and attribute.decimals != found.decimals:
        found = replace(found, decimals=attribute.decimals, least=attribute.decimals)
    return replace(found, comma=dialect.comma)


def _formulas(texts: pl.Series, escape: bool) -> tuple[pl.Series, int]:
    """The texts, those that a spreadsheet would run prefixed by an apostrophe if requested, and their number."""
    suspects = (texts.str.contains(FORMULA) & ~texts.str.contains(NUMBER)).fill_null(False)
    found = int(suspects.sum())
    if escape and found:
        texts = texts.zip_with(~suspects, "'" + texts)
    return texts, found


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:  # the masking added a character that the old encoding lacks
        return text.encode("utf-8")
