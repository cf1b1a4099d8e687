"""Stata .dta: with the labels of variables and values, and the extended missing values .a to .z with their labels."""

import re
from datetime import date
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import polars as pl

from sdckit.errors import FileError
from sdckit.files.labelled import (
    as_written,
    codes_to_write,
    first_line,
    labelled_file,
    labels_of,
    library_errors,
    metadata_of,
    table_of,
    value_labels_of,
)
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "Stata"
SUFFIXES = (".dta",)
DAILY = re.compile(r"%-?t?d")
FIRST_DAY = date(1960, 1, 1)


def read(path: Path, schema: Schema, *, encoding: str | None = None) -> Microdata:
    """Read a Stata file."""
    import pyreadstat

    try:
        table, metadata = pyreadstat.read_dta(path, output_format="polars", encoding=encoding)
        marked = _marked(path, encoding) if any(column.null_count() for column in table) else {}
    except library_errors() as problem:
        raise FileError(f"{path} is not a readable Stata file: {first_line(problem)}") from None
    single = [name for name, kind in (metadata.readstat_variable_types or {}).items() if kind == "float"]
    table = table.with_columns([as_written(table[name]) for name in single if table[name].dtype.is_float()])
    table = table.with_columns([_days(table[name]) for name in _own_dates(metadata, table)])
    return labelled_file(table, metadata, schema, {}, marked)


def _marked(path: Path, encoding: str | None) -> dict[str, pl.Series]:
    """The letter of each extended missing value, by variable; null where there is none."""
    import pyreadstat

    table, metadata = pyreadstat.read_dta(path, output_format="polars", encoding=encoding, user_missing=True)
    return {
        name: pl.Series(name, [each if isinstance(each, str) else None for each in table[name]], dtype=pl.String)
        for name in metadata.missing_user_values or {}
    }


def _own_dates(metadata: Any, table: pl.DataFrame) -> list[str]:
    """The variables with a daily date in a display format of their own, such as %tdDD/NN/CCYY: read as numbers."""
    formats = metadata.original_variable_types or {}
    return [name for name in table.columns if DAILY.match(formats.get(name) or "") and table[name].dtype.is_numeric()]


def _days(values: pl.Series) -> pl.Series:
    """Dates from the number of days since the beginning of 1960."""
    return (values.cast(pl.Int32) + (FIRST_DAY - date(1970, 1, 1)).days).cast(pl.Date)


def loses(text: str) -> bool:
    """Whether a text has a zero character, which ends it."""
    return "\0" in text


def codes(data: Microdata) -> dict[str, Any]:
    """The codes of missing values that are written, by column."""
    return codes_to_write(data)


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write a Stata file (release 15)."""
    import pyreadstat

    table = table_of(data)
    labels = value_labels_of(data, table)
    metadata = metadata_of(data, table, stata=True)
    used: dict[str, list[str]] = {}
    for name, codes in codes_to_write(data).items():
        if _plain_codes(codes, table[name], name in metadata.formats):
            for code, rows in codes.items():
                table = table.with_columns(table[name].set(pl.Series(rows), code))
            continue
        letters = _letters(list(codes))
        if not table[name].dtype.is_numeric() or len(letters) < len(codes):
            continue
        cells: list[Any] = table[name].to_list()
        texts = data.attribute(name).value_labels
        for code, rows in codes.items():
            for row in rows.nonzero()[0]:
                cells[row] = letters[code]
            if code in texts:
                labels.setdefault(name, {})[letters[code]] = texts[code]
            if letters[code] != code:
                labels.get(name, {}).pop(code, None)
        table = table.with_columns(pl.Series(name, cells, dtype=pl.Object))
        used[name] = sorted(letters.values())
    try:
        pyreadstat.write_dta(
            table,
            path,
            file_label=metadata.title,
            variable_format=metadata.formats,
            column_labels=labels_of(data),
            variable_value_labels=labels,
            missing_user_values=used or None,
        )
    except library_errors() as problem:
        raise FileError(f"Stata cannot hold this file: {first_line(problem)}") from None


def _plain_codes(codes: dict[Any, Any], column: pl.Series, known: bool) -> bool:
    """Whether the codes are values of this Stata file that a schema alone declares missing, and stay as they are."""
    whole = all(isinstance(code, int) for code in codes) and column.dtype.is_integer()
    return whole and known and not bool(column.is_in(list(codes)).fill_null(False).any())


def _letters(codes: list[Any]) -> dict[Any, str]:
    """The letter of each code: its own, or the next one for a code of another format; none beyond 26."""
    if all(isinstance(code, str) and code in ascii_lowercase for code in codes):
        return {code: code for code in codes}
    return dict(zip(codes, ascii_lowercase, strict=False))
