"""Stata .dta: with the labels of variables and values; the extended missing values .a to .z are missing."""

from pathlib import Path

from sdckit.errors import FileError
from sdckit.files.labelled import first_line, labelled_file, labels_of, library_errors, table_of, value_labels_of
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "Stata"
SUFFIXES = (".dta",)


def read(path: Path, schema: Schema, *, encoding: str | None = None) -> Microdata:
    """Read a Stata file."""
    import pyreadstat

    try:
        table, metadata = pyreadstat.read_dta(path, output_format="polars", encoding=encoding)
    except library_errors() as problem:
        raise FileError(f"{path} is not a readable Stata file: {first_line(problem)}") from None
    return labelled_file(table, metadata, schema, {})


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write a Stata file (release 15)."""
    import pyreadstat

    table = table_of(data)
    try:
        pyreadstat.write_dta(
            table, path, column_labels=labels_of(data), variable_value_labels=value_labels_of(data, table)
        )
    except library_errors() as problem:
        raise FileError(f"Stata cannot hold this file: {first_line(problem)}") from None
