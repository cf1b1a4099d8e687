"""SPSS .sav and .zsav, with labels of variables and values, measures, display formats and missing ranges.

A value that the file declares missing is missing; the declaration itself is written again.
"""

from pathlib import Path

from sdckit.errors import FileError
from sdckit.files.labelled import (
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

TITLE = "SPSS"
SUFFIXES = (".sav", ".zsav")


def read(path: Path, schema: Schema, *, encoding: str | None = None) -> Microdata:
    """Read an SPSS file."""
    import pyreadstat

    try:
        table, metadata = pyreadstat.read_sav(path, output_format="polars", encoding=encoding)
        declared = pyreadstat.read_sav(path, output_format="polars", encoding=encoding, user_missing=True, row_limit=1)[
            1
        ]
    except library_errors() as problem:
        raise FileError(f"{path} is not a readable SPSS file: {first_line(problem)}") from None
    return labelled_file(table, metadata, schema, dict(declared.missing_ranges or {}))


def bytes_needed(path: Path) -> int:
    """A multiple of the file, larger where it is compressed."""
    return (25 if path.suffix.lower() == ".zsav" else 8) * path.stat().st_size


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write an SPSS file, compressed where it is a .zsav."""
    import pyreadstat

    table = table_of(data)
    metadata = metadata_of(data, table)
    try:
        pyreadstat.write_sav(
            table,
            path,
            column_labels=labels_of(data),
            compress=path.suffix.lower() == ".zsav",
            variable_value_labels=value_labels_of(data, table, texts=True),
            missing_ranges=metadata.missing_ranges,
            variable_measure=metadata.measures,
            variable_format=metadata.formats,
        )
    except library_errors() as problem:
        raise FileError(f"SPSS cannot hold this file: {first_line(problem)}") from None
