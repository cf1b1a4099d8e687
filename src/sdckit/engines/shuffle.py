"""Shuffle: the records of a file in parts in a random order, by an external sort."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sdckit.engines.engine import Engine, Relation
from sdckit.engines.parts import WorkingFile

STAGE, CODES = "shuffled", "shuffled codes"


def shuffled(file: WorkingFile, engine: Engine, rng: np.random.Generator) -> tuple[WorkingFile, NDArray[np.int64]]:
    """The file with its records in a random order, and the record that each row was."""
    names, coded = list(file.stage_of), list(file.codes)
    reasons = replace(file, stage_of=dict.fromkeys(coded, file.codes_stage))
    origin = rng.permutation(file.cut.records)
    position = np.empty_like(origin)
    position[origin] = np.arange(len(origin))
    cut = file.cut

    def read(part: int) -> dict[str, NDArray[Any]]:
        columns = file.columns(part, names)
        values = {f"c{index}": columns[name] for index, name in enumerate(names)}
        values |= {f"r{index}": column for index, column in enumerate(reasons.columns(part, coded).values())}
        return values | {"position": position[slice(*cut.span(part))]}

    types = {
        f"c{index}": pa.int32() if file.header.attribute(name).coded else pa.float64()
        for index, name in enumerate(names)
    } | {f"r{index}": pa.int32() for index in range(len(coded))}
    table = Relation(cut, read, types | {"position": pa.int64()})
    listed = ", ".join(types)
    batches = engine.query(f"SELECT {listed} FROM t ORDER BY position", {"t": table})
    for part, columns in enumerate(_in_parts(batches, file)):
        file.write(STAGE, part, dict(zip(names, columns[: len(names)], strict=True)))
        if coded:
            file.write(CODES, part, dict(zip(coded, columns[len(names) :], strict=True)))
    return replace(file.after(STAGE, names), codes_stage=CODES), origin


def _in_parts(batches: Iterator[Any], file: WorkingFile) -> Iterator[list[NDArray[Any]]]:
    """Batches of any length as the columns of whole parts."""
    waiting: list[Any] = []
    for part in range(len(file.cut)):
        start, end = file.cut.span(part)
        while sum(map(len, waiting)) < end - start:
            waiting.append(next(batches))
        joined = pa.Table.from_batches(waiting)
        yield [joined.column(index).slice(0, end - start).to_numpy() for index in range(joined.num_columns)]
        waiting = joined.slice(end - start).to_batches()
