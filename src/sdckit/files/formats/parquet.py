"""Parquet: a file has types of its own, so none is guessed."""

from pathlib import Path

import polars as pl

from sdckit.errors import FileError
from sdckit.files.parquet_footer import checked_footer
from sdckit.frames.to_frame import to_frame
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "Parquet"
SUFFIXES = (".parquet",)


def read(path: Path, schema: Schema) -> Microdata:
    """Read a Parquet file."""
    checked_footer(path)
    try:
        table = pl.read_parquet(path, glob=False)
    except (pl.exceptions.PolarsError, ValueError) as problem:
        raise FileError(f"{path} is not a readable Parquet file: {str(problem).splitlines()[0]}") from None
    return Microdata.from_frame(table, schema=schema)


def bytes_needed(path: Path) -> int:
    """The columns decompressed, as the library holds them, and converted."""
    return 3 * checked_footer(path)


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write a Parquet file."""
    to_frame(data, "polars").write_parquet(path)
