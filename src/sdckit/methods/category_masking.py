"""What maskings of single categorical attributes share: a table of what becomes of each category."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.masking import Locality, Masking
from sdckit.microdata import Attribute, Microdata

Table = NDArray[np.int32] | NDArray[np.float64]


class CategoryMasking(Masking):
    """A masking of one categorical attribute at a time, on its observed values alone; missing ones stay missing."""

    columnwise = True
    locality = Locality.ROW

    def table(self, attribute: Attribute, codes: NDArray[np.int32]) -> tuple[Attribute, Table]:
        """The attribute with its categories after the masking, and the new code of each category.

        `codes` are the observed values of the whole file.
        """
        raise TypeError(f"{type(self).__name__} must define table")

    def table_of_counts(self, attribute: Attribute, counts: NDArray[np.int64]) -> tuple[Attribute, Table]:
        """The same as `table`, by the number of records of each category in a file that need not fit into memory."""
        return self.table(attribute, np.repeat(np.arange(len(counts), dtype=np.int32), counts))

    def mask_codes(self, codes: NDArray[np.int32], table: Table, draws: Draws) -> NDArray[np.int32]:
        """The masked codes of the observed values of some records."""
        masked: NDArray[np.int32] = table[codes].astype(np.int32)
        return masked

    def fit(self, data: Microdata, attributes: Sequence[str] = ()) -> "CategoryPlan":
        """The plan by which every chunk of the file is masked."""
        tables = {}
        for name in self.applicable(data, attributes):
            codes = data.columns[name]
            tables[name] = self.table(data.attribute(name), codes[codes >= 0])
        return CategoryPlan(self, tables)

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        return self.fit(data, attributes).apply(data, draws.over(len(data)))


@dataclass(frozen=True, eq=False)
class CategoryPlan:
    """A masking of categories, and for each attribute its categories after the masking and the table."""

    masking: CategoryMasking
    tables: Mapping[str, tuple[Attribute, Table]]

    def apply(self, chunk: Microdata, draws: Draws) -> Microdata:
        """The chunk masked; `draws` are those of its records."""
        columns = {}
        for name, (_, table) in self.tables.items():
            column = np.array(chunk.columns[name])
            seen = column >= 0
            column[seen] = self.masking.mask_codes(column[seen], table, draws.child(name).among(seen))
            columns[name] = column
        return chunk.with_columns(columns, [attribute for attribute, _ in self.tables.values()])
