"""Key classes: the combinations of keys of a file, how many records have each, and their total weight.

The engine groups the records; what is in memory is one row for each combination that occurs. Weights are added as
integers, which does not depend on the order: neither DuckDB nor Spark adds in a fixed one.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Role
from sdckit.engines.engine import Engine, relation_of
from sdckit.engines.parts import WorkingFile
from sdckit.errors import NotApplicableError
from sdckit.kernels.equivalence_classes import sums_over_matching_classes

WHOLE, REST = 2.0**33, 2.0**40  # a weight is split at 2^-33, its rest at 2^-73
MISSING = -1


@dataclass(frozen=True, eq=False)
class KeyClasses:
    """One row for each combination of keys: codes from 0 (−1: missing), the number of records and their weight."""

    names: tuple[str, ...]
    rows: NDArray[np.int64]
    sizes: NDArray[np.int64]
    weights: NDArray[np.float64] | None = None

    @property
    def records(self) -> int:
        """The number of records."""
        return int(self.sizes.sum())

    @property
    def has_holes(self) -> bool:
        """Whether a key is missing in some record."""
        return bool((self.rows == MISSING).any())

    @property
    def suppressed_records(self) -> int:
        """How many records have no key at all."""
        return int(self.sizes[(self.rows == MISSING).all(axis=1)].sum())

    @cached_property
    def any_value(self) -> "KeyClasses":
        """The classes with a missing key agreeing with every value: sizes and weights of all that agree."""
        return Matching(self.names, self.rows, self.sizes, self.weights)

    @property
    def frequency(self) -> NDArray[np.int64]:
        """How many records agree with those of each class."""
        return self.sizes

    @property
    def population(self) -> NDArray[np.float64]:
        """How many persons of the population agree with those of each class, by the weights."""
        if self.weights is None:
            raise NotApplicableError(
                "the release has no weights; give the column of sampling weights the role 'weight'"
            )
        return np.maximum(self.weights, self.frequency)

    def mean(self, figures: NDArray[np.float64]) -> float:
        """The mean of a figure of each class over the records."""
        return float(np.dot(figures, self.sizes) / self.records)


@dataclass(frozen=True, eq=False)
class Matching(KeyClasses):
    """Classes in which a missing key agrees with every value."""

    @cached_property
    def frequency(self) -> NDArray[np.int64]:
        return sums_over_matching_classes(self.rows, self.sizes)

    @cached_property
    def population(self) -> NDArray[np.float64]:
        if self.weights is None:
            return super().population
        return np.maximum(sums_over_matching_classes(self.rows, self.weights), self.frequency)


def key_classes(file: WorkingFile, engine: Engine, names: tuple[str, ...], *, weighted: bool = False) -> KeyClasses:
    """Group the records of a file by some attributes."""
    weight = weight_of(file) if weighted else None
    columns = [f"c{index}" for index in range(len(names))]
    listed = ", ".join(columns)
    sums = ""
    if weight is not None:
        scaled = f"(w * {WHOLE})"
        parts = (f"floor({scaled})", f"floor(({scaled} - floor({scaled})) * {REST})")
        sums = "".join(f", sum(CAST({each} AS DECIMAL(38, 0))) AS s{i}" for i, each in enumerate(parts))
        sums = sums.replace("w *", f"c{len(names)} *")
    table = relation_of(file, (*names, *([weight] if weight is not None else ())))
    sql = f"SELECT {listed}, count(*) AS n{sums} FROM t GROUP BY {listed} ORDER BY {listed}"
    found = [batch for batch in engine.query(sql, {"t": table}) if len(batch)]
    rows = np.empty((sum(map(len, found)), len(names)), dtype=np.int64)
    for index, name in enumerate(names):
        values = np.concatenate([batch.column(index).to_numpy() for batch in found])
        rows[:, index] = values if file.header.attribute(name).coded else _coded(values)
    sizes = np.concatenate([batch.column(len(names)).to_numpy() for batch in found]).astype(np.int64)
    weights = None
    if weight is not None:
        whole, rest = (
            np.concatenate([batch.column(len(names) + 1 + part).cast("float64").to_numpy() for batch in found])
            for part in range(2)
        )
        weights = whole / WHOLE + rest / (WHOLE * REST)
    return KeyClasses(names, rows, sizes, weights)


def _coded(values: NDArray[np.float64]) -> NDArray[np.int64]:
    absent = np.isnan(values)
    codes = np.unique(np.where(absent, 0.0, values), return_inverse=True)[1].astype(np.int64)
    codes[absent] = MISSING
    return codes


def weight_of(file: WorkingFile) -> str | None:
    """The column of sampling weights; an error where a weight is zero, negative or missing."""
    names = [name for name in file.header.names(role=Role.WEIGHT) if name in file.stage_of]
    if not names:
        return None
    if file.header.attribute(names[0]).coded:
        raise NotApplicableError(f"the weight {names[0]!r} is not a number; declare its kind as continuous")
    bad = sum(int((~(columns[names[0]] > 0)).sum()) for columns in file.batches(names[:1]))
    if bad:
        raise NotApplicableError(
            f"{bad} of the {file.cut.records} weights in {names[0]!r} are zero, negative or missing; "
            "drop these records or give them the weight that they represent"
        )
    return names[0]
