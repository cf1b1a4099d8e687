"""Key classes: the combinations of keys of a file, how many records have each, and their total weight.

The engine groups the records, and the classes pass through memory in batches. In memory are the frequencies that occur,
and the classes with a missing key, with which every class is compared. Weights are added as integers, which does not
depend on the order: neither DuckDB nor Spark adds in a fixed one.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Role
from sdckit.engines.engine import Engine, relation_of
from sdckit.engines.hole_classes import MISSING, AgreeingClasses, ClassBatch, HoleClasses, refuse_without_memory
from sdckit.engines.memory_limit import PROCESS
from sdckit.engines.parts import WorkingFile
from sdckit.errors import NotApplicableError
from sdckit.kernels.population_models import Spectrum

WHOLE, REST = 2.0**33, 2.0**40  # a weight is split at 2^-33, its rest at 2^-73
AT_ONCE = 100_000  # classes in memory at a time, beside those with a missing key
LITTLE = 300 * 2**20  # bytes beside those of the process, below which an engine that groups all at once takes too much
SHARE = 0.5  # of these bytes that grouping may take
LEAST = 40 * 2**20  # bytes of classes that are grouped at a time, however little the memory is
BYTES_PER_KEY, BYTES_PER_CLASS = 16, 120  # of a class that is grouped and sorted by the engine
IN_PASS = "in_this_pass"  # stands in a query for the condition that a class belongs to the pass


@dataclass(frozen=True, eq=False)
class KeyClasses:
    """The classes of a file by some keys; each of their figures is computed once, when it is asked for.

    `memory`  the bytes of the run, of which the classes with a missing key may take a share
    """

    file: WorkingFile
    engine: Engine
    names: tuple[str, ...]
    memory: int = 2**62

    @property
    def records(self) -> int:
        """The number of records."""
        return self.file.cut.records

    @cached_property
    def has_holes(self) -> bool:
        """Whether a key is missing in some record."""
        return any(self.file.header.missing(name) for name in self.names)

    @property
    def suppressed_records(self) -> int:
        """How many records have no key at all."""
        return int(self.holes.sizes[(self.holes.rows == MISSING).all(axis=1)].sum())

    @property
    def own_value(self) -> "Reading":
        """The classes with a missing key as a value of its own."""
        return Reading(self, matching=False)

    @property
    def any_value(self) -> "Reading":
        """The classes with a missing key agreeing with every value."""
        return Reading(self, matching=self.has_holes)

    @cached_property
    def tally(self) -> NDArray[np.int64]:
        """How many records agree with a record by own-value and by any-value, and the number of records of which so
        many do: one row for each two frequencies that occur."""
        if not self.has_holes:
            spectrum = self.sizes_of_classes(complete=False)
            return np.column_stack([spectrum.sizes, spectrum.sizes, spectrum.sizes * spectrum.classes])
        records: Counter[tuple[int, int]] = Counter()
        for each in self.holes.agreeing(self.batches(complete=True)):
            pairs, of = np.unique(np.column_stack([each.sizes, each.frequency]), axis=0, return_inverse=True)
            counts = np.bincount(of.reshape(-1), each.sizes).astype(np.int64)
            records.update({(own, every): n for (own, every), n in zip(pairs.tolist(), counts.tolist(), strict=True)})
        return np.array([(own, every, records[own, every]) for own, every in sorted(records)], dtype=np.int64)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of records of each row of the tally."""
        return np.asarray(self.tally[:, 2])

    def refuse_without_memory(self) -> None:
        """Refuse files whose classes with a missing key do not fit into the memory allowed; they are only counted."""
        if self.has_holes:
            found = self._query(f"SELECT count(*) AS n FROM ({self._grouped(self._any_missing)})")
            classes = sum(int(batch.column(0)[0].as_py()) for batch in found)
            refuse_without_memory(classes, len(self.names), self.memory)

    @cached_property
    def holes(self) -> HoleClasses:
        """The classes with a missing key."""
        self.refuse_without_memory()
        return HoleClasses.of(self.batches(complete=False))

    @cached_property
    def weighted_holes(self) -> HoleClasses:
        """The classes with a missing key, with their weights."""
        self.refuse_without_memory()
        return HoleClasses.of(self.batches(complete=False, weight=self.weight))

    @cached_property
    def weight(self) -> str:
        """The column of sampling weights; an error where there is none."""
        name = weight_of(self.file)
        if name is None:
            raise NotApplicableError(
                "the release has no weights; give the column of sampling weights the role 'weight'"
            )
        return name

    @cached_property
    def total_weight(self) -> float:
        """The weight of all records."""
        sql = f"SELECT {_sums_of_weights('c0')[2:]} FROM t"
        (batch,) = (each for each in self.engine.query(sql, {"t": relation_of(self.file, [self.weight])}) if len(each))
        return float(_weights(batch, 0)[0])

    def sizes_of_classes(self, *, complete: bool) -> Spectrum:
        """How many classes have each number of records; `complete`: of those with every key."""
        inner = self._grouped(f"NOT ({self._any_missing})" if complete else "true")
        classes: Counter[int] = Counter()
        for batch in self._query(f"SELECT n, count(*) AS classes FROM ({inner}) GROUP BY n ORDER BY n"):
            classes.update(dict(zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)))
        sizes = sorted(classes)
        return Spectrum(np.array(sizes, np.int64), np.array([classes[size] for size in sizes], np.int64))

    def batches(self, *, complete: bool, weight: str | None = None) -> Iterator[ClassBatch]:
        """The classes with every key, or those with a missing one, in the order of the keys."""
        where = f"NOT ({self._any_missing})" if complete else self._any_missing
        inner, keys = self._grouped(where, weighted=weight is not None), len(self.names)
        for batch in self._query(f"{inner} ORDER BY {self._listed}", weight):
            rows = np.column_stack([_codes(batch.column(index).to_numpy()) for index in range(keys)])
            yield ClassBatch(rows, _integers(batch, keys), None if weight is None else _weights(batch, keys + 1))

    def sizes_and_weights(self) -> Iterator[AgreeingClasses]:
        """The classes by size and weight, equal ones together, with a missing key as a value of its own."""
        inner = self._grouped("true", weighted=True)
        for batch in self._query(f"SELECT n, s0, s1 FROM ({inner}) ORDER BY n, s0, s1", self.weight):
            sizes, weights = _integers(batch, 0), _weights(batch, 1)
            starts = np.flatnonzero(np.r_[True, (np.diff(sizes) != 0) | (np.diff(weights) != 0)])
            records = np.add.reduceat(sizes, starts)
            yield AgreeingClasses(records, sizes[starts], weights[starts])

    def _grouped(self, where: str, *, weighted: bool = False) -> str:
        """The query of the classes of some records that belong to a pass."""
        sums = _sums_of_weights(f"c{len(self.names)}") if weighted else ""
        return (
            f"SELECT {self._listed}, count(*) AS n{sums} FROM t WHERE ({where}) AND {IN_PASS} GROUP BY {self._listed}"
        )

    def _query(self, sql: str, weight: str | None = None) -> Iterator[Any]:
        """The result of a query of classes, pass by pass."""
        table = relation_of(self.file, (*self.names, *([] if weight is None else [weight])))
        for number in range(self.passes):
            chosen = "true" if self.passes == 1 else f"hash({self._listed}) % {self.passes} = {number}"
            for batch in self.engine.query(sql.replace(IN_PASS, chosen), {"t": table}):
                yield from (batch.slice(start, AT_ONCE) for start in range(0, len(batch), AT_ONCE))

    @cached_property
    def passes(self) -> int:
        """How often the records are read, a share of the classes being grouped each time; more than once where the
        engine would take more than its share of a small memory before it spills."""
        allowed = self.memory - PROCESS
        if self.engine.distributed or allowed >= LITTLE:
            return 1
        sql = f"SELECT approx_count_distinct(hash({self._listed})) AS n FROM t"
        (batch,) = self.engine.query(sql, {"t": relation_of(self.file, self.names)})
        needed = int(batch.column(0)[0].as_py()) * (BYTES_PER_CLASS + BYTES_PER_KEY * len(self.names))
        return max(1, math.ceil(needed / max(SHARE * allowed, LEAST)))

    @property
    def _listed(self) -> str:
        return ", ".join(f"c{index}" for index in range(len(self.names)))

    @property
    def _any_missing(self) -> str:
        coded = [self.file.header.attribute(name).coded for name in self.names]
        return " OR ".join(f"c{i} < 0" if each else f"isnan(c{i})" for i, each in enumerate(coded))


@dataclass(frozen=True, eq=False)
class Reading:
    """The classes by one reading of a missing key; `matching`: it agrees with every value."""

    classes: KeyClasses
    matching: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The keys."""
        return self.classes.names

    @property
    def records(self) -> int:
        """The number of records."""
        return self.classes.records

    @property
    def frequency(self) -> NDArray[np.int64]:
        """How many records agree with those of each row of the tally."""
        return np.asarray(self.classes.tally[:, 1 if self.matching else 0])

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of records of each row of the tally."""
        return self.classes.sizes

    def mean(self, figures: NDArray[np.float64]) -> float:
        """The mean over the records of a figure of each row of the tally."""
        return float(np.dot(figures, self.sizes) / self.records)

    def partition(self) -> Spectrum:
        """The sizes of classes that are a partition: by any-value those with all keys, where there are some."""
        sizes = self.classes.sizes_of_classes(complete=self.matching)
        return sizes if len(sizes.sizes) else self.classes.sizes_of_classes(complete=False)

    def weighted(self) -> Iterator[AgreeingClasses]:
        """The classes with the weight of all that agree, in a fixed order."""
        if not self.matching:
            return self.classes.sizes_and_weights()
        complete = self.classes.batches(complete=True, weight=self.classes.weight)
        return self.classes.weighted_holes.agreeing(complete)


def key_classes(file: WorkingFile, engine: Engine, names: Sequence[str], *, memory: int = 2**62) -> KeyClasses:
    """The classes of a file by some attributes."""
    return KeyClasses(file, engine, tuple(names), memory)


def _sums_of_weights(column: str) -> str:
    """Two sums of integers, as the columns s0 and s1 of a query."""
    scaled = f"({column} * {WHOLE})"
    parts = (f"floor({scaled})", f"floor(({scaled} - floor({scaled})) * {REST})")
    return "".join(f", sum(CAST({each} AS DECIMAL(38, 0))) AS s{i}" for i, each in enumerate(parts))


def _weights(batch: Any, column: int) -> NDArray[np.float64]:
    whole, rest = (batch.column(column + part).cast("float64").to_numpy() for part in range(2))
    return np.asarray(whole / WHOLE + rest / (WHOLE * REST), dtype=np.float64)


def _integers(batch: Any, column: int) -> NDArray[np.int64]:
    return np.asarray(batch.column(column).to_numpy(), dtype=np.int64)


def _codes(values: NDArray[Any]) -> NDArray[np.int64]:
    """Codes as they are, and for each number its bits; no number has those of −1."""
    if values.dtype != np.float64:
        return np.asarray(values, dtype=np.int64)
    return np.where(np.isnan(values), MISSING, np.ascontiguousarray(values).view(np.int64))


def weight_of(file: WorkingFile) -> str | None:
    """The column of sampling weights; an error where a weight is zero, negative or missing."""
    names = [name for name in file.header.names(role=Role.WEIGHT) if name in file.stage_of]
    if not names:
        return None
    if file.header.attribute(names[0]).coded:
        raise NotApplicableError(f"the weight {names[0]!r} is not a number; declare its kind as continuous")
    bad = sum(
        int((~(columns[names[0]] > 0) | ~np.isfinite(columns[names[0]])).sum()) for columns in file.batches(names[:1])
    )
    if bad:
        raise NotApplicableError(
            f"{bad} of the {file.cut.records} weights in {names[0]!r} are zero, negative or missing; "
            "drop these records or give them the weight that they represent"
        )
    return names[0]
