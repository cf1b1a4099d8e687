"""Cells: microaggregation of a file that is too large for it, in cells of near records.

The records are sorted by the attribute with the widest range, in standard deviations, and cut into cells of nearly
equal size; the method groups the records of each cell. Every group has as many records as asked for. What the cuts cost
is measured at one border.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.engines.engine import Engine, relation_of
from sdckit.engines.observed import ObservedColumn
from sdckit.engines.parts import WorkingFile
from sdckit.masking import Masking
from sdckit.microdata import Microdata

BORDER = 2_000  # records on each side of the border at which the cost is measured


@dataclass(frozen=True)
class CellCost:
    """What cutting into cells costs: the sum of squared errors at one border, cut and not, and that of the file."""

    cells: int
    at_border: float
    overall: float

    def __str__(self) -> str:
        return (
            f"done in {self.cells:,} cells: around a border the sum of squared errors is {self.at_border:.4f} times "
            f"that without the cut, so for the whole file about {self.overall:.5f} times"
        )


def widest(file: WorkingFile, engine: Engine, names: Sequence[str]) -> str:
    """The attribute with the widest range in standard deviations."""
    spans = {}
    for name in names:
        column = ObservedColumn(file, engine, name)
        ends = [(batch.min(), batch.max()) for batch in column.batches() if len(batch)]
        deviation = column.standard_deviation()
        span = max(high for _, high in ends) - min(low for low, _ in ends)
        spans[name] = float(span) / deviation if deviation > 0 else 0.0
    return max(spans, key=lambda name: spans[name])


def sizes_of_cells(records: int, most: int) -> list[int]:
    """The sizes of the cells: nearly equal, and none above `most`.

    >>> sizes_of_cells(10, 4)
    [4, 3, 3]
    """
    cells = -(-records // most)
    return [records // cells + (number < records % cells) for number in range(cells)]


def masked_in_cells(
    file: WorkingFile, engine: Engine, masking: Masking, names: Sequence[str], draws: Draws, most: int, done: int = 0
) -> Iterator[tuple[NDArray[np.int64], Microdata, CellCost | None]]:
    """The record numbers of each cell and the cell masked, after those done; with the second, what a border costs."""
    sizes = sizes_of_cells(file.cut.records, most)
    if done >= len(sizes):
        return
    axis = [*names].index(widest(file, engine, names))
    listed = ", ".join(f"c{index}" for index in range(len(names)))
    sql = f"SELECT {listed}, record FROM t ORDER BY c{axis}, record"
    batches = engine.query(sql, {"t": relation_of(file, names, numbered=True)})
    before: NDArray[np.float64] | None = None
    for number, table in enumerate(_cells(batches, sizes)):
        columns = {name: table.column(index).to_numpy() for index, name in enumerate(names)}
        values = np.column_stack([columns[name] for name in names])
        cost = None
        if before is not None and number == 1 and done <= 1:
            cost = border_cost(file, masking, names, draws, before[-BORDER:], values[:BORDER], sizes)
        before = values
        if number < done:
            continue
        masked = masking.protect(file.header.chunk(columns), names, draws=draws.child("cell", number))
        yield table.column(len(names)).to_numpy(), masked, cost


def _cells(batches: Iterator[Any], sizes: Sequence[int]) -> Iterator[Any]:
    waiting: list[Any] = []
    for size in sizes:
        while sum(map(len, waiting)) < size:
            waiting.append(next(batches))
        joined = pa.Table.from_batches(waiting)
        yield joined.slice(0, size)
        waiting = joined.slice(size).to_batches()


def border_cost(
    file: WorkingFile,
    masking: Masking,
    names: Sequence[str],
    draws: Draws,
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    sizes: Sequence[int],
) -> CellCost:
    """The squared errors of the records around a border, masked apart and together."""
    window = np.concatenate([left, right])

    def error(pieces: Sequence[NDArray[np.float64]]) -> float:
        masked = [
            masking.protect(
                file.header.chunk(dict(zip(names, piece.T, strict=True))), names, draws=draws.child("border")
            ).matrix(names)
            for piece in pieces
        ]
        scale = np.maximum(window.std(axis=0), 1e-300)
        return float((((np.concatenate(masked) - window) / scale) ** 2).sum())

    together = error([window])
    ratio = error([left, right]) / together if together > 0 else 1.0
    share = min(len(window) * (len(sizes) - 1) / sum(sizes), 1.0)
    return CellCost(len(sizes), ratio, 1 + (ratio - 1) * share)
