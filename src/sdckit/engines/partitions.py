"""Partitions: local suppression of a file that is too large for it.

The records are sorted by their keys and cut into partitions of records with near keys; in each of them values go
missing until enough of its own records agree. A further record never lowers the number of those that agree, so the
promise then holds in the whole file. It is counted again there all the same, and a record that breaks it loses its
keys. Of records with equal keys no more are looked at than must agree: these lose nothing, and are enough for others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.engines.engine import Engine, relation_of
from sdckit.engines.parts import WorkingFile
from sdckit.holes import Holes
from sdckit.kernels.equivalence_classes import class_of, equal_rows, sums_over_matching_classes
from sdckit.masking import Masking
from sdckit.methods.suppression.local_suppression import LocalSuppression
from sdckit.recipe import Step

BYTES_PER_SET = 24  # and record, for each set of keys that may be lost
FEWEST = 1_000  # records of a partition, where there are so many


@dataclass(frozen=True)
class PartitionCost:
    """What partitions cost: values lost in all, those lost in the first two partitions, apart and as one."""

    partitions: int = 0
    lost: int = 0
    apart: int = 0
    together: int = 0

    def __str__(self) -> str:
        text = f"done in {self.partitions:,} partitions, and {self.lost:,} values went missing"
        if self.together:
            excess = self.apart / self.together - 1
            text += (
                f"; in the first two of them {self.apart:,}, and {self.together:,} if these were one ({excess:+.1%})"
            )
        return text


@dataclass(frozen=True, eq=False)
class Partition:
    """Some records with near keys: their numbers, and their columns as numbers and codes."""

    records: NDArray[np.int64]
    columns: NDArray[np.float64]
    stratum: float = 0.0

    def __len__(self) -> int:
        return len(self.records)

    def joined(self, other: "Partition") -> "Partition":
        """This partition and the next one as one."""
        records = np.concatenate([self.records, other.records])
        return Partition(records, np.concatenate([self.columns, other.columns]), self.stratum)


def in_partitions(step: Step) -> bool:
    """Whether a step suppresses by the usual rule, which a partition can keep by itself."""
    masking = step.masking
    if not isinstance(masking, LocalSuppression) or type(masking).protect is not LocalSuppression.protect:
        return False
    return masking.holes is Holes.ANY_VALUE and masking.alpha == 1 and masking.strata not in step.attributes


def bytes_per_record(masking: Masking, names: Sequence[str]) -> int:
    """The memory that suppression takes for a rare record: a count for each set of keys that it can keep."""
    assert isinstance(masking, LocalSuppression)
    largest = max(map(len, masking.sets_of_keys(names)))
    return BYTES_PER_SET << min(largest, 30)


def lost_in_partitions(
    file: WorkingFile,
    engine: Engine,
    masking: LocalSuppression,
    names: Sequence[str],
    most: int,
    earlier: PartitionCost = PartitionCost(),
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.bool_], PartitionCost]]:
    """The records of each partition after those of an earlier run, which values go missing, and the cost so far."""
    sets = masking.sets_of_keys(list(names))
    at_once = max(map(len, sets))
    masking.check(names, at_once, file.cut.records)
    costs = np.array(masking.importance or (1.0,) * len(names))

    def lost_in(partition: Partition) -> NDArray[np.bool_]:
        masking.check(names, at_once, len(partition))
        columns = {
            name: column.astype(np.int32) if file.header.attribute(name).coded else column
            for name, column in zip(names, partition.columns.T, strict=True)
        }
        codes = file.header.chunk(columns).codes(names).astype(np.int64)
        return np.asarray((masking.suppressed(codes, costs, sets) < 0) & (codes >= 0))

    before: tuple[Partition, int] | None = None
    cost, done = earlier, earlier.partitions
    for number, partition in enumerate(partitions(file, engine, masking, names, costs, most)):
        if number < done:
            if number == done - 1 and not cost.together:
                before = (partition, int(lost_in(partition).sum()))
            continue
        lost = lost_in(partition)
        here = int(lost.sum())
        cost = PartitionCost(cost.partitions + 1, cost.lost + here, cost.apart, cost.together)
        if before is not None and not cost.together and before[0].stratum == partition.stratum:
            together = int(lost_in(before[0].joined(partition)).sum())
            cost = PartitionCost(cost.partitions, cost.lost, before[1] + here, together)
        before = (partition, here)
        yield partition.records, lost, cost


def partitions(
    file: WorkingFile,
    engine: Engine,
    masking: LocalSuppression,
    names: Sequence[str],
    costs: NDArray[np.float64],
    most: int,
) -> Iterator[Partition]:
    """The records of each stratum in partitions; equal records are in one, and as many of them as must agree."""
    strata = [masking.strata] if masking.strata else []
    read = [*names, *strata]
    order = [f"c{len(names)}"] * len(strata) + [f"c{index}" for index in _lost_last_first(file, engine, names, costs)]
    listed = ", ".join(f"c{index}" for index in range(len(read)))
    sql = f"SELECT {listed}, record FROM t ORDER BY {', '.join(order)}, record"
    waiting: Partition | None = None
    for piece in _pieces(engine.query(sql, {"t": relation_of(file, read, numbered=True)}), len(names), masking, most):
        if waiting is None or (waiting.stratum == piece.stratum and len(piece) < min(FEWEST, most)):
            waiting = piece if waiting is None else waiting.joined(piece)
            continue
        yield waiting
        waiting = piece
    if waiting is not None:
        yield waiting


def _lost_last_first(file: WorkingFile, engine: Engine, names: Sequence[str], costs: NDArray[np.float64]) -> list[int]:
    """The keys in the opposite order of their loss: the important ones first, then those with few values."""
    table = {"t": relation_of(file, names)}
    counted = ", ".join(f"count(DISTINCT c{index}) AS n{index}" for index in range(len(names)))
    (found,) = [row for batch in engine.query(f"SELECT {counted} FROM t", table) for row in batch.to_pylist()]
    return sorted(range(len(names)), key=lambda index: (-costs[index], found[f"n{index}"]))


def _pieces(batches: Iterator[Any], keys: int, masking: LocalSuppression, most: int) -> Iterator[Partition]:
    """The sorted records in pieces of about `most`; no piece ends between equal records or spans two strata."""
    rows: NDArray[np.float64] = np.empty((0, 0))
    records = np.empty(0, np.int64)
    run = 0  # how many records equal to the last one there were, with those that were left out
    for batch in batches:
        values = np.column_stack(
            [batch.column(at).to_numpy().astype(np.float64) for at in range(batch.num_columns - 1)]
        )
        joined = np.concatenate([rows[-1:].reshape(-1, values.shape[1]), values])
        position = _position_in_run(joined)
        position[position == np.arange(len(position))] += max(run - 1, 0)  # the run of the row before goes on
        position = position[len(joined) - len(values) :]
        if not len(position):
            continue
        run = int(position[-1]) + 1
        kept = position < masking.group_size
        rows = np.concatenate([rows.reshape(-1, values.shape[1]), values[kept]])
        records = np.concatenate([records, batch.column(values.shape[1]).to_numpy()[kept]])
        while len(rows):
            cut = _first_cut(rows, keys, most)
            if cut is None:
                break
            yield _piece(rows[:cut], records[:cut], keys)
            rows, records = rows[cut:], records[cut:]
    if len(rows):
        yield _piece(rows, records, keys)


def _piece(rows: NDArray[np.float64], records: NDArray[np.int64], keys: int) -> Partition:
    return Partition(records, rows[:, :keys], float(rows[0, keys]) if rows.shape[1] > keys else 0.0)


def _changes(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether each row but the first differs from the one before; a missing value equals a missing value."""
    same = (rows[1:] == rows[:-1]) | (np.isnan(rows[1:]) & np.isnan(rows[:-1]))
    return np.asarray(~same.all(axis=1))


def _position_in_run(rows: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many equal rows stand directly before each one."""
    index = np.arange(len(rows))
    starts = np.zeros(len(rows), np.int64)
    starts[1:] = np.where(_changes(rows), index[1:], 0)
    return np.asarray(index - np.maximum.accumulate(starts))


def _first_cut(rows: NDArray[np.float64], keys: int, most: int) -> int | None:
    """Where the first piece ends: at the next stratum, else where equal records end after `most` rows."""
    if rows.shape[1] > keys:
        strata = np.flatnonzero(_changes(rows[:, keys:])) + 1
        if len(strata) and strata[0] <= most:
            return int(strata[0])
    if len(rows) <= most:
        return None
    later = np.flatnonzero(_changes(rows[most - 1 :]))
    return most + int(later[0]) if len(later) else None


def broken_promises(
    file: WorkingFile, engine: Engine, masking: LocalSuppression, names: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The rows of keys, with their stratum, that agree with too few in the whole file, and the keys that these lose."""
    read = [*names, *([masking.strata] if masking.strata else [])]
    listed = ", ".join(f"c{index}" for index in range(len(read)))
    sql = f"SELECT {listed}, count(*) AS n FROM t GROUP BY {listed}"
    found = [batch for batch in engine.query(sql, {"t": relation_of(file, read)}) if len(batch)]
    values = np.column_stack(
        [np.concatenate([batch.column(at).to_numpy() for batch in found]).astype(np.float64) for at in range(len(read))]
    )
    sizes = np.concatenate([batch.column(len(read)).to_numpy() for batch in found]).astype(np.int64)
    coded = np.array([file.header.attribute(name).coded for name in names])
    absent = np.where(coded, values[:, : len(names)] < 0, np.isnan(values[:, : len(names)]))
    codes = np.column_stack(
        [
            np.where(absent[:, key], -1, np.unique(np.where(absent[:, key], 0, values[:, key]), return_inverse=True)[1])
            for key in range(len(names))
        ]
    ).astype(np.int64)
    stratum = values[:, len(names)] if masking.strata else np.zeros(len(values))
    lost = np.zeros(codes.shape, dtype=bool)
    for value in np.unique(stratum):
        own = np.flatnonzero((stratum == value) | (np.isnan(stratum) & np.isnan(value)))
        for chosen in map(np.array, masking.sets_of_keys(list(names))):
            classes = class_of(codes[np.ix_(own, chosen)])
            totals = np.bincount(classes.of, sizes[own], len(classes.sizes)).astype(np.int64)
            agreeing = sums_over_matching_classes(codes[np.ix_(own[classes.first()], chosen)], totals)
            rare = own[agreeing[classes.of] < masking.group_size]
            lost[np.ix_(rare, chosen)] = True
    broken = lost.any(axis=1)
    return values[broken], lost[broken]


def lost_to_repair(
    columns: Sequence[NDArray[Any]], broken: tuple[NDArray[np.float64], NDArray[np.bool_]]
) -> NDArray[np.bool_]:
    """Which keys the records of a part lose because their row broke the promise."""
    rows, lost = broken
    values = np.column_stack([column.astype(np.float64) for column in columns])
    same = equal_rows(np.concatenate([rows, values])).of
    keys = np.zeros((int(same.max()) + 1, lost.shape[1]), dtype=bool)
    keys[same[: len(rows)]] = lost
    return np.asarray(keys[same[len(rows) :]])
