"""Missing codes beyond memory: the codes that a text file declares as missing, kept in parts and written again.

As in memory, no code is written into a column in which a value was suppressed: a suppressed value must look like every
other missing one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.engines.engine import Engine
from sdckit.engines.ingest import exactly
from sdckit.engines.parts import WorkingFile
from sdckit.engines.source import CsvSource, Source
from sdckit.missing_reasons import FIRST_CODE, NO_CODE, PRESENT, MissingReasons


def with_missing_codes(file: WorkingFile, source: Source, engine: Engine, stage: str) -> WorkingFile:
    """The file with the codes that its source declares missing, where it has any; `stage` is that of its columns."""
    if not isinstance(source, CsvSource):
        return file
    codes = {name: found for name, found in source.codes.items() if name in file.stage_of}
    if not codes:
        return file
    kept = f"{stage} codes"

    def write(part: int, texts: pl.DataFrame) -> None:
        columns = file.columns(part, list(codes))
        file.write(
            kept,
            part,
            {
                name: np.where(_absent(column), _numbers(source, texts[name], codes[name]), PRESENT).astype(np.int32)
                for name, column in columns.items()
            },
        )

    def kernel(part: int) -> None:
        if not file.written(kept, part):
            start, end = file.cut.span(part)
            write(part, source.texts_of(list(codes), start, end - start))

    if engine.distributed:
        engine.run(kernel, range(len(file.cut)))
    elif not all(file.written(kept, part) for part in range(len(file.cut))):
        records = file.cut.part_records
        for part, texts in enumerate(exactly(source.text_batches(list(codes), records), records)):
            if not file.written(kept, part):
                write(part, texts)
    return replace(file, codes=codes, codes_stage=kept)


def codes_to_write(file: WorkingFile, engine: Engine) -> Iterator[dict[str, dict[Any, NDArray[np.bool_]]]]:
    """For each part, the codes of its columns with the rows that are written with them."""
    suppressed = engine.run(lambda part: _suppressed(file, part), range(len(file.cut))) if file.codes else []
    names = [name for name in file.codes if not any(name in found for found in suppressed)]
    for part in range(len(file.cut)):
        reasons = _reasons(file, part, names)
        columns = file.columns(part, names)
        yield {name: reasons[name].codes_to_write(_absent(column)) for name, column in columns.items()}


def _suppressed(file: WorkingFile, part: int) -> set[str]:
    """The columns of which a value is missing in this part that was present in the source."""
    columns, reasons = file.columns(part, list(file.codes)), _reasons(file, part, list(file.codes))
    return {name for name, column in columns.items() if (_absent(column) & (reasons[name].of_row == PRESENT)).any()}


def _reasons(file: WorkingFile, part: int, names: list[str]) -> Mapping[str, MissingReasons]:
    stored = replace(file, stage_of=dict.fromkeys(names, file.codes_stage)).columns(part, names)
    return {name: MissingReasons(file.codes[name], of_row.astype(np.int16)) for name, of_row in stored.items()}


def _numbers(source: CsvSource, texts: pl.Series, codes: tuple[Any, ...]) -> NDArray[np.int64]:
    """For each cell, the number of its code among the reasons of missing values."""
    found = source.code_of(texts)
    numbers = np.full(len(texts), NO_CODE)
    for number, code in enumerate(codes, start=FIRST_CODE):
        numbers[(found == code).fill_null(False).to_numpy()] = number
    return numbers


def _absent(column: NDArray[Any]) -> NDArray[np.bool_]:
    absent: NDArray[np.bool_] = column < 0 if column.dtype.kind == "i" else np.isnan(column)
    return absent
