"""Ingest: a source as columns of numbers and codes in parts."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from sdckit.attribute import Role
from sdckit.engines.engine import Engine
from sdckit.engines.header import Header
from sdckit.engines.parts import Cut, WorkingFile
from sdckit.engines.source import Source
from sdckit.frames.columns import polars_column
from sdckit.frames.from_frame import read_part
from sdckit.progress import Progress
from sdckit.schema import Declared


def ingest(
    source: Source, header: Header, folder: Path, part_records: int, engine: Engine, progress: Progress, stage: str
) -> WorkingFile:
    """The file in parts under a stage; identifiers, which no release has, are left out."""
    names = [each.name for each in header.attributes if each.role is not Role.IDENTIFIER]
    file = WorkingFile(folder, Cut(header.records, part_records), header, dict.fromkeys(names, stage))

    def write(part: int, frame: pl.DataFrame) -> None:
        columns = {
            name: read_part(
                name,
                polars_column(name, frame[name]),
                source.schema.attributes.get(name, Declared()),
                header.attribute(name),
            )
            for name in names
        }
        file.write(stage, part, {name: np.asarray(column) for name, column in columns.items()})

    def kernel(part: int) -> None:
        if not file.written(stage, part):
            start, end = file.cut.span(part)
            write(part, source.part(start, end - start))

    if engine.distributed:
        engine.run(kernel, range(len(file.cut)), progress)
        return file
    if all(file.written(stage, part) for part in range(len(file.cut))):
        return file
    for part, frame in enumerate(exactly(source.batches(part_records), part_records)):
        progress.advance(f"reading part {part + 1}")
        if not file.written(stage, part):
            write(part, frame)
    return file


def exactly(frames: Iterator[pl.DataFrame], records: int) -> Iterator[pl.DataFrame]:
    """The records of frames of any length in frames of exactly so many; the last one may be shorter."""
    waiting: list[pl.DataFrame] = []
    available = 0
    for frame in frames:
        waiting.append(frame)
        available += len(frame)
        while available >= records:
            joined = pl.concat(waiting) if len(waiting) > 1 else waiting[0]
            yield joined.head(records)
            waiting, available = [joined.slice(records)], available - records
    if available:
        yield pl.concat(waiting)
