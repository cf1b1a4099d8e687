"""Row masking: a masking of numbers that masks each record by itself, once the whole file has been summarised.

A file that is masked in chunks comes out as if it was masked whole, cell for cell: the plan is made once, and what is
drawn for a record depends on its number alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.masking import Locality, Masking, by_columns
from sdckit.microdata import Microdata
from sdckit.read_only import seal


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

    def summary_of(self, observed: ObservedValues) -> Any:
        """The summary of one attribute of a file that need not fit into memory: the same as `summary` of its matrix."""
        return None if type(self).summary is RowMasking.summary else self.summary(observed.whole()[:, None])

    def mask_rows(self, values: NDArray[np.float64], summary: Any, draws: Draws) -> NDArray[np.float64]:
        """The masked rows of a part of the matrix: same rows, same columns."""
        raise TypeError(f"{type(self).__name__} must define mask_rows")

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return self.mask_rows(values, self.summary(values), draws)

    @property
    def order(self) -> Literal["C", "F"]:
        """Whether the rows or the columns of the matrix follow each other in memory."""
        return "F" if self.columnwise else "C"

    def fit(self, data: Microdata, attributes: Sequence[str] = ()) -> "RowPlan":
        """The plan by which every chunk of the file is masked."""
        names = self.applicable(data, attributes)
        return self._fitted(data, names, data.matrix(names, self.order))

    def _fitted(self, data: Microdata, names: tuple[str, ...], values: NDArray[np.float64]) -> "RowPlan":
        if not self.columnwise:
            if not self.keeps_missing:
                self.refuse_missing(data, names)
            return RowPlan(self, names, (self.summary(values),))
        seen = ~np.isnan(values)
        observed = (each if own.all() else each[own] for each, own in zip(values.T, seen.T, strict=True))
        return RowPlan(self, names, tuple(self.summary(column[:, None]) for column in observed))

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        values = data.matrix(names, self.order)
        return self._fitted(data, names, values).masked(data, values, draws.over(len(data)))


@dataclass(frozen=True, eq=False)
class RowPlan:
    """A row masking, the attributes it masks, and their summaries: one of each, or one of all together."""

    masking: RowMasking
    attributes: tuple[str, ...]
    summaries: tuple[Any, ...]

    def apply(self, chunk: Microdata, draws: Draws) -> Microdata:
        """The chunk masked; `draws` are those of its records."""
        return self.masked(chunk, chunk.matrix(self.attributes, self.masking.order), draws)

    def masked(self, chunk: Microdata, values: NDArray[np.float64], draws: Draws) -> Microdata:
        """The chunk masked, where the values of the attributes are at hand."""
        mask_rows = self.masking.mask_rows
        if self.masking.columnwise:
            masked = by_columns(
                values, self.attributes, draws, lambda index, own, drawn: mask_rows(own, self.summaries[index], drawn)
            )
        else:
            masked = mask_rows(values, self.summaries[0], draws)
        return chunk.with_matrix(self.attributes, seal(self.masking.published(chunk, self.attributes, masked)))
