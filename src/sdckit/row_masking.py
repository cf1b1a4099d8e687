"""Row masking: a masking of numbers that masks each record by itself, once the whole file has been summarised.

A file that is masked in chunks comes out as if it was masked whole, cell for cell: the plan is made once, and what is
drawn for a record depends on its number alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.masking import Locality, Masking
from sdckit.microdata import Microdata
from sdckit.read_only import seal

NUMBERS_AT_ONCE = 1 << 16  # masked at a time: they stay in the processor's nearer cache
BLOCKS_AT_ONCE = 4  # of these, rounded and clipped at a time


class ObservedValues(Protocol):
    """The observed values of one attribute, of a file that need not fit into memory; in the order of the records."""

    def __len__(self) -> int:
        """The number of observed values."""
        ...

    def standard_deviation(self) -> float:
        """The standard deviation (n − 1), 0 for one value; the same bits as numpy computes from the whole column."""
        ...

    def order_statistic(self, position: int) -> float:
        """The value at a position of the sorted values, from 0."""
        ...

    def tail(self, threshold: float) -> tuple[int, float]:
        """The number of values above a threshold, and their mean; NaN where there is none."""
        ...

    def negated(self) -> "ObservedValues":
        """The values with the opposite sign."""
        ...

    def whole(self) -> NDArray[np.float64]:
        """All values, in memory."""
        ...


class RowMasking(Masking):
    """A masking of numbers, record by record.

    `summary`    what the masking of one record needs to know of all of them, such as standard deviations; small
    `mask_rows`  the masked values of any records, by the summary and the draws of these records
    """

    locality = Locality.ROW

    def summary(self, values: NDArray[np.float64]) -> Any:
        """What `mask_rows` needs to know of the whole matrix; None where it needs nothing."""
        return None

    def summary_of_columns(self, columns: Sequence[NDArray[np.float64]]) -> Any:
        """The summary of attributes that are masked together: the same as `summary` of the matrix of these columns."""
        return self.summary(np.column_stack(columns))

    def summary_of(self, observed: ObservedValues) -> Any:
        """The summary of one attribute of a file that need not fit into memory: the same as `summary` of its matrix."""
        return None if type(self).summary is RowMasking.summary else self.summary(observed.whole()[:, None])

    def mask_rows(self, values: NDArray[np.float64], summary: Any, draws: Draws) -> NDArray[np.float64]:
        """The masked rows of a part of the matrix: same rows, same columns."""
        raise TypeError(f"{type(self).__name__} must define mask_rows")

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return self.mask_rows(values, self.summary(values), draws)

    def fit(self, data: Microdata, attributes: Sequence[str] = ()) -> "RowPlan":
        """The plan by which every chunk of the file is masked."""
        names = self.applicable(data, attributes)
        if self.columnwise:
            return RowPlan(self, names, tuple(self.summary(_observed(data, name)[:, None]) for name in names))
        if not self.keeps_missing:
            self.refuse_missing(data, names)
        return RowPlan(self, names, (self.summary_of_columns([data.numbers(name) for name in names]),))

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        return self.fit(data, attributes).apply(data, draws.over(len(data)))


def _observed(data: Microdata, name: str) -> NDArray[np.float64]:
    values = data.numbers(name)
    return values[~np.isnan(values)] if data.missing(name) else values


@dataclass(frozen=True, eq=False)
class RowPlan:
    """A row masking, the attributes it masks, and their summaries: one of each, or one of all together."""

    masking: RowMasking
    attributes: tuple[str, ...]
    summaries: tuple[Any, ...]

    def apply(self, chunk: Microdata, draws: Draws) -> Microdata:
        """The chunk masked; `draws` are those of its records."""
        masked = np.empty((len(chunk), len(self.attributes)), order="F")
        if self.masking.columnwise:
            for index, name in enumerate(self.attributes):
                self._mask(chunk, (name,), self.summaries[index], draws.child(name), masked[:, index : index + 1])
        else:
            self._mask(chunk, self.attributes, self.summaries[0], draws, masked)
        return chunk.with_matrix(self.attributes, seal(masked))

    def _mask(
        self, chunk: Microdata, names: Sequence[str], summary: Any, draws: Draws, out: NDArray[np.float64]
    ) -> None:
        """Write the released values of attributes that are masked together."""
        columns = [chunk.numbers(name) for name in names]
        holes = self.masking.columnwise and chunk.missing(names[0]) > 0
        size = max(NUMBERS_AT_ONCE // len(names), 1)
        for first, end in _spans(0, len(chunk), BLOCKS_AT_ONCE * size):
            for rows in (slice(*span) for span in _spans(first, end, size)):
                values, own = _block(columns, rows), draws.part(rows, len(names))
                if holes:
                    seen = ~np.isnan(values[:, 0])
                    out[rows] = values
                    out[rows][seen] = self.masking.mask_rows(values[seen], summary, own.among(seen))
                else:
                    out[rows] = self.masking.mask_rows(values, summary, own)
            masked = out[first:end]
            published = self.masking.published(chunk, names, masked)
            if published is not masked:
                masked[:] = published


def _spans(first: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Where the rows from the first one on begin and end that are taken at a time."""
    return ((start, min(start + size, end)) for start in range(first, end, size))


def _block(columns: Sequence[NDArray[np.float64]], rows: slice) -> NDArray[np.float64]:
    """Some rows of columns as a matrix in which the columns follow each other; of one column, its own memory."""
    if len(columns) == 1:
        return columns[0][rows][:, None]
    block = np.empty((len(columns), rows.stop - rows.start))
    for line, column in zip(block, columns, strict=True):
        line[:] = column[rows]
    return block.T
