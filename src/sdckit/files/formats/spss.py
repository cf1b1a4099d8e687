"""SPSS .sav and .zsav, with labels of variables and values, measures, display formats and missing ranges.

A value that the file declares missing is missing; declaration, code and label are written again.
"""

from pathlib import Path
from typing import Any

import polars as pl

from sdckit.errors import FileError
from sdckit.files.labelled import (
    codes_to_write,
    first_line,
    in_ranges,
    labelled_file,
    labels_of,
    library_errors,
    metadata_of,
    table_of,
    value_labels_of,
    with_codes,
)
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "SPSS"
SUFFIXES = (".sav", ".zsav")


def read(path: Path, schema: Schema, *, encoding: str | None = None) -> Microdata:
    """Read an SPSS file."""
    import pyreadstat

    try:
        table, metadata = pyreadstat.read_sav(path, output_format="polars", encoding=encoding, user_missing=True)
    except library_errors() as problem:
        raise FileError(f"{path} is not a readable SPSS file: {first_line(problem)}") from None
    ranges = dict(metadata.missing_ranges or {})
    marked = {}
    for name, declared in ranges.items():
        values = table[name]
        chosen = in_ranges(values, declared)
        marked[name] = values.set(~chosen, None)
        table = table.with_columns(values.set(chosen, None))
    return labelled_file(table, metadata, schema, ranges, marked)


def bytes_needed(path: Path) -> int:
    """A multiple of the file, larger where it is compressed."""
    return (25 if path.suffix.lower() == ".zsav" else 8) * path.stat().st_size


def same_name(name: str) -> str:
    """A name as SPSS compares it: in lower case."""
    return name.lower()


def loses(text: str) -> bool:
    """Whether a text has a zero character, which ends it."""
    return "\0" in text


def codes(data: Microdata) -> dict[str, Any]:
    """The codes of missing values that are written, by column."""
    return codes_to_write(data)


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write an SPSS file, compressed where it is a .zsav."""
    import pyreadstat

    table = table_of(data)
    metadata = metadata_of(data, table)
    labels = value_labels_of(data, table, texts=True)
    for name, codes in codes_to_write(data).items():
        if name in metadata.missing_ranges:
            table = table.with_columns(with_codes(table[name], codes))
            if table[name].dtype == pl.String:
                texts = {str(code): text for code, text in data.attribute(name).value_labels.items() if code in codes}
                labels |= {name: labels.get(name, {}) | texts}
        else:  # then the codes are not written, and their labels are of no use
            labels |= {name: {value: text for value, text in labels.get(name, {}).items() if value not in codes}}
    try:
        pyreadstat.write_sav(
            table,
            path,
            file_label=metadata.title,
            column_labels=labels_of(data),
            compress=path.suffix.lower() == ".zsav",
            variable_value_labels=labels,
            missing_ranges=metadata.missing_ranges,
            variable_measure=metadata.measures,
            variable_format=metadata.formats,
        )
    except library_errors() as problem:
        raise FileError(f"SPSS cannot hold this file: {first_line(problem)}") from None
