"""How likely each released row is for each known record under published laws, block by block.

Records that no law distinguishes are evaluated once, and so are rows: what is the same in every attribute, or falls
into the same cells of a law's tables, has the same likelihood.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import EquivalenceClasses, class_of, equal_rows
from sdckit.kernels.posteriors import Evidence, Summary, Tables, add_tables, summarise
from sdckit.likelihood import Law, TableLaw
from sdckit.microdata import Microdata

CELLS = 4_000_000  # pairs of a record and a row that are evaluated at a time: bounds memory


@dataclass(frozen=True, eq=False)
class RowLikelihoods:
    """Log-likelihoods of the distinct rows for the distinct records; `records` and `rows` say which ones are alike."""

    known: NDArray[np.float64]
    released: NDArray[np.float64]
    laws: Sequence[tuple[Sequence[int], Law]]
    tables: Tables
    records: EquivalenceClasses
    rows: EquivalenceClasses

    @classmethod
    def of(cls, view: AttackerView, laws: Sequence[tuple[Sequence[str], Law]]) -> "RowLikelihoods":
        """The likelihoods by laws, each of some of the known attributes."""
        names = view.attributes
        known, released = as_numbers(view.known, names), as_numbers(view.released, names)
        indexed = [([names.index(name) for name in masked], law) for masked, law in laws]
        parts, other_laws = [], []
        before: list[NDArray[np.int64]] = []
        after: list[NDArray[np.int64]] = []
        for columns, law in indexed:
            if isinstance(law, TableLaw):
                for table, of_record, of_row in law.tables(known[:, columns], released[:, columns]):
                    parts.append((table, of_record, of_row))
                    before.append(of_record)
                    after.append(of_row)
            else:
                other_laws.append((columns, law))
                before.append(equal_rows(known[:, columns]).of)
                after.append(equal_rows(released[:, columns]).of)
        records, rows = class_of(np.column_stack(before)), class_of(np.column_stack(after))
        first, first_row = records.first(), rows.first()
        distinct = [(table, of_record[first], of_row[first_row]) for table, of_record, of_row in parts]
        tables = Tables.of(distinct, len(first), len(first_row))
        return cls(known[first], released[first_row], other_laws, tables, records, rows)

    def blocks(self) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """The log-likelihoods of some distinct records at a time; a block may be changed by the one who takes it."""
        step = max(1, CELLS // len(self.released))
        for start in range(0, len(self.known), step):
            part = slice(start, min(start + step, len(self.known)))
            likelihoods = [
                law.log_likelihood(self.known[part][:, columns], self.released[:, columns])
                for columns, law in self.laws
            ]
            block = likelihoods[0] if likelihoods else np.zeros((part.stop - part.start, len(self.released)))
            for more in likelihoods[1:]:
                block += more
            add_tables(block, start, self.tables)
            yield part, block

    def evidence(self) -> NDArray[np.float64]:
        """How likely each distinct row is for anybody, as a logarithm; 0 where it is for nobody."""
        total = Evidence(len(self.released))
        for part, block in self.blocks():
            total.add(block, self.records.sizes[part])
        log_sum = total.log_sum()
        return np.where(np.isneginf(log_sum), 0.0, log_sum)

    def posteriors(self, own: NDArray[np.int64], *, everyone: bool) -> tuple[Summary, NDArray[np.float64]]:
        """The summary of each record's posterior, and the log-weight of its own row, NaN where that is −1.

        A row that suits many records says little for any of them, which counts where everyone is known.
        """
        evidence = self.evidence() if everyone else None
        summary = Summary.empty(len(self.known))
        of_own = np.full(len(own), np.nan)
        order = np.argsort(self.records.of, kind="stable")
        ends = np.cumsum([0, *self.records.sizes])
        for part, block in self.blocks():
            if evidence is not None:
                block -= evidence
            for whole, of_block in zip(summary, summarise(block, self.rows.sizes), strict=True):
                whole[part] = of_block
            members = order[ends[part.start] : ends[part.stop]]
            members = members[own[members] >= 0]
            of_own[members] = block[self.records.of[members] - part.start, self.rows.of[own[members]]]
        return summary.take(self.records.of), of_own


def as_numbers(data: Microdata, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Numbers, and categories as their codes, NaN where missing."""
    columns = [np.where(data.absent(name), np.nan, data.columns[name]) for name in names]
    return np.column_stack(columns) if columns else np.empty((len(data), 0))
