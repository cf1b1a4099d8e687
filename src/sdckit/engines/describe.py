"""Describe: a summary of a file that does not fit into memory, the same as of the file in memory.

Kinds and roles are guessed from a sample of the records at equal distances; all counts, ranges, medians and numbers of
unique records are those of the whole file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute, Kind, Role
from sdckit.edit_problems import edit_problems
from sdckit.engines.edit_checks import broken_in_file
from sdckit.engines.engine import Engine, relation_of
from sdckit.engines.key_classes import key_classes
from sdckit.engines.memory_limit import PROCESS
from sdckit.engines.observed import ObservedColumn
from sdckit.engines.parts import WorkingFile
from sdckit.files.describe import (
    FAR,
    NORMAL_MAD,
    NORMAL_MEAN_DEVIATION,
    TOP,
    AttributeDescription,
    Description,
    readable,
    shown,
)
from sdckit.files.infer_schema import Guess, is_temporal
from sdckit.kernels.population_models import Spectrum
from sdckit.microdata import Microdata

SAMPLE = 100_000  # records that kinds and roles are guessed from
MOST_COUNTED = 5_000_000  # distinct numbers that are counted in memory; more are sorted by the engine
BYTES_PER_NUMBER = 80  # of a distinct number while they are counted
SHARE = 0.25  # of the memory beside that of the process, for the distinct numbers of a column


def sample_of(file: WorkingFile, records: int = SAMPLE) -> Microdata:
    """Records at equal distances, in memory."""
    chosen = np.linspace(0, file.cut.records - 1, min(records, file.cut.records)).astype(np.int64)
    names = list(file.stage_of)
    pieces: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
    for part in range(len(file.cut)):
        start, end = file.cut.span(part)
        own = chosen[(chosen >= start) & (chosen < end)] - start
        for name, column in file.columns(part, names).items():
            pieces[name].append(column[own])
    return file.header.chunk({name: np.concatenate(found) for name, found in pieces.items()})


def describe(file: WorkingFile, engine: Engine, guess: Guess, *, memory: int = 2**62) -> Description:
    """Describe a file in parts by the kinds and roles of a guess.

    `memory`  the bytes of the run
    """

    def classes_of(names: Sequence[str]) -> Spectrum:
        if not names:
            return Spectrum(np.array([file.cut.records]), np.ones(1, np.int64))
        return key_classes(file, engine, names, memory=memory).sizes_of_classes(complete=False)

    declared = guess.schema.attributes
    names = list(file.stage_of)
    keys = tuple(name for name in names if declared[name].role is Role.KEY)
    counted = int(min(MOST_COUNTED, SHARE * (memory - PROCESS) / BYTES_PER_NUMBER))
    sizes, classes = classes_of(keys)
    known = [name for name in names if declared[name].role is not Role.IDENTIFIER]
    distinct = int(classes_of(known).classes.sum()) if known else file.cut.records
    of_size = dict(zip(sizes.tolist(), classes.tolist(), strict=True))
    uniques = of_size.get(1, 0)
    return Description(
        records=file.cut.records,
        attributes=tuple(_described(file, engine, file.header.attribute(name), guess, counted) for name in names),
        keys=keys,
        combinations=int(classes.sum()),
        uniques=uniques,
        uniques_share=uniques / file.cut.records,
        records_by_combination_size=tuple((size, size * of_size.get(size, 0)) for size in range(1, 6)),
        duplicates=file.cut.records - distinct,
        edits_broken=broken_in_file(file, engine),
        edit_problems=edit_problems(sample_of(file, 1000)),
    )


def _described(
    file: WorkingFile, engine: Engine, attribute: Attribute, guess: Guess, counted: int
) -> AttributeDescription:
    """The summary of one column; `counted` distinct numbers at most are counted in memory."""
    name = attribute.name
    declared = guess.schema.attributes[name]
    kind = declared.kind or attribute.kind
    missing = file.header.missing(name)
    present = file.cut.records - missing
    table = {"t": relation_of(file, [name])}
    observed = "c0 >= 0" if attribute.coded else "NOT isnan(c0)"
    distinct = _number(engine.query(f"SELECT count(DISTINCT c0) AS n FROM t WHERE {observed}", table))
    summary: dict[str, Any] = {}
    if attribute.coded or kind & Kind.CATEGORICAL:
        sql = f"SELECT c0, count(*) AS n FROM t WHERE {observed} GROUP BY c0 ORDER BY n DESC, c0 LIMIT {TOP}"
        rows = [row for batch in engine.query(sql, table) for row in batch.to_pylist()]
        summary["top"] = tuple((shown(attribute, row["c0"]), row["n"]) for row in rows)
    elif present:
        few = distinct <= counted
        counts = value_counts(file, engine, attribute) if few else None
        summary = _ordered_summary(file, engine, attribute, present, counts)
    return AttributeDescription(
        name=name,
        label=attribute.label,
        kind=kind.title,
        role=(declared.role or attribute.role).value,
        reasons=tuple(guess.reasons.get(name, ())),
        missing=missing,
        missing_share=missing / file.cut.records,
        distinct=distinct,
        hierarchy=str(attribute.hierarchy) if attribute.hierarchy is not None else None,
        decimals=0 if attribute.integral and not is_temporal(file.header, name) else attribute.decimals,
        **summary,
    )


def _ordered_summary(
    file: WorkingFile, engine: Engine, attribute: Attribute, present: int, counts: "ValueCounts | None"
) -> dict[str, Any]:
    """Range, median and number of outliers of a column of numbers."""
    column = ObservedColumn(file, engine, attribute.name)
    median = column.median() if counts is None else counts.median()
    away = column.distances_from(median)
    scale = (away.median() if counts is None else counts.distances_from(median).median()) / NORMAL_MAD
    scale = scale or away.sum() / present / NORMAL_MEAN_DEVIATION
    if counts is None:
        lowest = min(float(batch.min()) for batch in column.batches() if len(batch))
        highest = max(float(batch.max()) for batch in column.batches() if len(batch))
        far = sum(int((batch > FAR * scale).sum()) for batch in away.batches())
    else:
        lowest, highest = float(counts.values[0]), float(counts.values[-1])
        far = int(counts.counts[np.abs(counts.values - median) > FAR * scale].sum())
    low, middle, high = readable(file.header, attribute, np.array([lowest, median, highest]))
    return {"minimum": low, "median": middle, "maximum": high, "outliers": far if scale > 0 else 0}


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """The distinct values of a column in ascending order, and the number of records that have each."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]

    def median(self) -> float:
        """The median, as numpy computes it."""
        upto = np.cumsum(self.counts)
        middle = [(int(upto[-1]) - 1) // 2, int(upto[-1]) // 2]
        low, high = self.values[np.searchsorted(upto, middle, side="right")]
        return float((low + high) / 2) if middle[0] != middle[1] else float(low)

    def distances_from(self, centre: float) -> "ValueCounts":
        """The distances of the values from a number."""
        away = np.abs(self.values - centre)
        order = np.argsort(away, kind="stable")
        return ValueCounts(away[order], self.counts[order])


def value_counts(file: WorkingFile, engine: Engine, attribute: Attribute) -> ValueCounts:
    """The distinct values of a column of numbers, counted."""
    sql = "SELECT c0, count(*) AS n FROM t WHERE NOT isnan(c0) GROUP BY c0 ORDER BY c0"
    batches = [*engine.query(sql, {"t": relation_of(file, [attribute.name])})]
    columns = [np.concatenate([batch.column(index).to_numpy() for batch in batches]) for index in range(2)]
    return ValueCounts(columns[0], columns[1].astype(np.int64))


def _number(batches: Any) -> int:
    return next(int(batch.column(0)[0].as_py()) for batch in batches if len(batch))
