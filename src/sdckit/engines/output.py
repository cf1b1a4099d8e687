"""Output: a file in parts as a Parquet file, a folder of Parquet parts, a table of a database, or delimited text.

The types of the columns are those that the file written from memory would have: an integer column stays one only if
all its masked values are whole, and a category that no longer occurs is left out.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.attribute import Attribute
from sdckit.engines.engine import Engine
from sdckit.engines.missing_codes import codes_to_write
from sdckit.engines.parts import WorkingFile
from sdckit.files.formats import csv, duckdb_table, postgres
from sdckit.frames.to_frame import band_texts, number_series, polars_series
from sdckit.microdata import Microdata, Role
from sdckit.occurring_values import only_occurring
from sdckit.progress import Progress


@dataclass(frozen=True)
class Written:
    """The released columns as they are written: attributes, the new code of each old one, and polars types."""

    attributes: tuple[Attribute, ...]
    codes: dict[str, NDArray[np.int32]]
    types: dict[str, Any]


def written_form(file: WorkingFile, engine: Engine, progress: Progress) -> Written:
    """The form of the released columns, from all their values."""
    attributes, codes, types = [], {}, {}
    for column in occurring_columns(file, engine, progress):
        (each,) = column.attributes
        values = column.columns[each.name]
        occurring = only_occurring(column)
        attributes.append(occurring.attributes[0])
        if each.coded:
            table = np.full(len(each.categories or ()) + 1, -1, dtype=np.int32)
            table[values[values >= 0]] = np.arange(int((values >= 0).sum()))
            codes[each.name] = table
        types[each.name] = polars_series(occurring, occurring.attributes[0]).dtype
    return Written(tuple(attributes), codes, types)


def occurring_columns(file: WorkingFile, engine: Engine, progress: Progress) -> list[Microdata]:
    """Each released column with values that show its type: the codes that occur, or the range and one fraction."""
    released = [each for each in file.header.attributes if each.role is not Role.IDENTIFIER]
    names = [each.name for each in released]

    def kernel(part: int) -> dict[str, NDArray[Any]]:
        columns = file.columns(part, names)
        return {each.name: witnesses(each, columns[each.name]) for each in released}

    seen = engine.run(kernel, range(len(file.cut)), progress)
    values = {name: np.unique(np.concatenate([part[name] for part in seen])) for name in names}
    return [Microdata((each,), {each.name: values[each.name]}, form=file.header.form) for each in released]


def witnesses(attribute: Attribute, column: NDArray[Any]) -> NDArray[Any]:
    """Values that show of which type a column must be: the codes that occur, or the range and one fraction.

    Of a column that was recoded to bands, also the numbers of the bands, whose texts are written.
    """
    if attribute.coded:
        return np.unique(column)
    present: NDArray[Any] = column[~np.isnan(column)]
    if not len(present):
        return present
    of_bands = present[:0]
    if attribute.bands is not None:
        published = np.isin(present, list(attribute.bands.label_of))
        of_bands, present = np.unique(present[published]), present[~published]
    ends = np.array([present.min(), present.max()]) if len(present) else present
    return np.concatenate((of_bands, ends, present[present % 1 != 0][:1]))


def frame_of(file: WorkingFile, written: Written, part: int) -> pl.DataFrame:
    """A part as the frame that is written."""
    columns = file.columns(part, [each.name for each in written.attributes])
    series = []
    for each in written.attributes:
        column, dtype = columns[each.name], written.types[each.name]
        if each.coded:
            data = chunk(file, each, written.codes[each.name][column])
            series.append(polars_series(data, each))
        elif each.bands is not None:
            series.append(band_texts(each, column).cast(dtype))
        elif dtype.is_temporal():
            series.append(number_series(each, column, file.header.form.types.get(each.name)))
        else:
            series.append(pl.Series(each.name, column).fill_nan(None).cast(dtype))
    return pl.DataFrame(series)


def chunk(file: WorkingFile, attribute: Attribute, column: NDArray[Any]) -> Microdata:
    """One column of a part under the attribute that it is written with."""
    return Microdata((attribute,), {attribute.name: column}, form=file.header.form)


def write_parquet(file: WorkingFile, engine: Engine, target: Path, progress: Progress) -> int:
    """Write one Parquet file; its parts are written first, and joined in their order."""
    parts = write_parquet_parts(file, engine, file.folder / "released", progress)
    pl.scan_parquet(list(parts), glob=False).sink_parquet(target, maintain_order=True)
    return 0


def write_duckdb(file: WorkingFile, engine: Engine, target: Path, progress: Progress) -> int:
    """Write a DuckDB file with one table; its parts are written first, and read in their order."""
    parts = write_parquet_parts(file, engine, file.folder / "released", progress)
    duckdb_table.write_rows_of(parts, target)
    return 0


def write_postgres(file: WorkingFile, engine: Engine, target: Path, progress: Progress) -> int:
    """Write the Postgres table that a file names, part after part."""
    written = written_form(file, engine, progress)

    def frames() -> Iterator[pl.DataFrame]:
        for part in range(len(file.cut)):
            progress.advance(f"writing part {part + 1}")
            yield frame_of(file, written, part)

    postgres.write_rows(target, frames())
    return 0


def write_parquet_parts(file: WorkingFile, engine: Engine, folder: Path, progress: Progress) -> Sequence[Path]:
    """Write each part as a Parquet file of its own."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    written = written_form(file, engine, progress)

    def kernel(part: int) -> Path:
        path = folder / f"part-{part:06d}.parquet"
        if not path.exists():
            temporary = folder / f".part-{part:06d}.{os.getpid()}"
            try:
                frame_of(file, written, part).write_parquet(temporary)
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)
        return path

    return engine.run(kernel, range(len(file.cut)), progress)


def write_csv(
    file: WorkingFile, engine: Engine, target: Path, suffix: str, progress: Progress, escape_formulas: bool
) -> int:
    """Write delimited text, part after part, and return the number of cells that a spreadsheet would run."""
    written = written_form(file, engine, progress)
    formulas = 0
    dialect = file.header.form.file if isinstance(file.header.form.file, csv.Dialect) else csv.Dialect()
    with open(target, "wb") as out:
        for part, codes in enumerate(codes_to_write(file, engine)):
            progress.advance(f"writing part {part + 1}")
            if part == 1 and dialect.encoding == "utf-8-sig":
                dialect = replace(dialect, encoding="utf-8")  # the mark comes once
            frame = frame_of(file, written, part)
            content, found = csv.part_text(
                frame, written.attributes, suffix, dialect, escape_formulas, part == 0, codes=codes
            )
            out.write(content)
            formulas += found
    return formulas
