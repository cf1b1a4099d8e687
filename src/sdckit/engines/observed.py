"""Observed values of one column of a file in parts: summaries that are the same as those of the column in memory."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.engines.engine import Engine, relation_of
from sdckit.engines.pairwise_sum import pairwise_sum
from sdckit.engines.parts import WorkingFile


@dataclass(frozen=True, eq=False)
class ObservedColumn:
    """The observed values of one column, with a sign; they are read part by part."""

    file: WorkingFile
    engine: Engine
    name: str
    sign: float = 1.0
    centre: float | None = None  # where there is one, the values are the distances from it

    def __len__(self) -> int:
        return self.file.cut.records - self.file.header.missing(self.name)

    def batches(self) -> Iterator[NDArray[np.float64]]:
        """The observed values in the order of the records."""
        for columns in self.file.batches([self.name]):
            values = columns[self.name]
            if self.file.header.attribute(self.name).coded:
                observed = values[values >= 0].astype(np.float64)
            else:
                observed = values[~np.isnan(values)]
            yield self.sign * (observed if self.centre is None else np.abs(observed - self.centre))

    def sum(self) -> float:
        """The sum, as numpy computes it."""
        return pairwise_sum(self.batches(), len(self))

    def standard_deviation(self) -> float:
        """The standard deviation (n − 1), 0 for one value, as numpy computes it."""
        count = len(self)
        if count < 2:
            return 0.0
        mean = self.sum() / count
        squares = pairwise_sum(((batch - mean) ** 2 for batch in self.batches()), count)
        return math.sqrt(squares / (count - 1))

    def order_statistic(self, position: int) -> float:
        """The value at a position of the sorted values, from 0."""
        if self.sign < 0:
            return -replace(self, sign=1.0).order_statistic(len(self) - 1 - position)
        return self._sorted_from(position, 1)[0]

    def _sorted_from(self, position: int, count: int) -> list[float]:
        """So many sorted values from a position on, without the sign."""
        observed = "c0 >= 0" if self.file.header.attribute(self.name).coded else "NOT isnan(c0)"
        value = "c0" if self.centre is None else f"abs(c0 - CAST({self.centre!r} AS DOUBLE))"
        sql = f"SELECT {value} AS v FROM t WHERE {observed} ORDER BY v LIMIT {count} OFFSET {position}"
        batches = self.engine.query(sql, {"t": relation_of(self.file, [self.name])})
        return [float(value) for batch in batches for value in batch.column(0).to_pylist()]

    def median(self) -> float:
        """The median, as numpy computes it."""
        count = len(self)
        middle = self._sorted_from((count - 1) // 2, 2 - count % 2)
        return self.sign * (sum(middle) / len(middle))

    def distances_from(self, centre: float) -> "ObservedColumn":
        """The distances of the values from a number."""
        return replace(self, centre=centre)

    def tail(self, threshold: float) -> tuple[int, float]:
        """The number of values above a threshold, and their mean as numpy computes it; NaN where there is none."""
        count = sum(int((batch > threshold).sum()) for batch in self.batches())
        total = pairwise_sum((batch[batch > threshold] for batch in self.batches()), count)
        return count, total / count if count else math.nan

    def negated(self) -> "ObservedColumn":
        """The values with the opposite sign."""
        return replace(self, sign=-self.sign)

    def whole(self) -> NDArray[np.float64]:
        """All values, in memory."""
        return np.concatenate([*self.batches()])
