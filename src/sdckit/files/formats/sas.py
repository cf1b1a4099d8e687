"""SAS: .sas7bdat can be read, .xpt read and written, with the labels of variables; values have no labels."""

import os
from errno import ENOSPC
from pathlib import Path

from sdckit.errors import FileError
from sdckit.files.labelled import first_line, labelled_file, labels_of, library_errors, table_of
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "SAS"
SUFFIXES = (".sas7bdat", ".xpt")


def read(path: Path, schema: Schema, *, encoding: str | None = None) -> Microdata:
    """Read a SAS file of either kind."""
    import pyreadstat

    reader = pyreadstat.read_xport if path.suffix.lower() == ".xpt" else pyreadstat.read_sas7bdat
    try:
        table, metadata = reader(path, output_format="polars", encoding=encoding)
    except library_errors() as problem:
        raise FileError(f"{path} is not a readable SAS file: {first_line(problem)}") from None
    return labelled_file(table, metadata, schema, {}, {})


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write a SAS transport file (version 8)."""
    import pyreadstat

    if path.suffix.lower() != ".xpt":
        raise FileError(".sas7bdat files can be read but not written; write .xpt, which SAS reads")
    try:
        pyreadstat.write_xport(table_of(data), path, column_labels=labels_of(data))
    except library_errors() as problem:
        raise FileError(f"SAS cannot hold this file: {first_line(problem)}") from None
    last, _ = pyreadstat.read_xport(path, output_format="polars", row_offset=len(data) - 1, row_limit=1)
    if len(last) != 1:  # the library does not look whether all of it was written
        raise OSError(ENOSPC, os.strerror(ENOSPC))
