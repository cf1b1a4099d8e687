"""What full syntheses share: all records are replaced by drawn ones, of any number, and no row belongs to a record."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.kernels.copied_values import rows_with_copies
from sdckit.masking import Masking
from sdckit.methods.synthesis.derived_attributes import Derived, derived_attributes, with_derived
from sdckit.methods.synthesis.kept_edits import all_rows_kept
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import param
from sdckit.rows import Rows

DISTINCT = 0.5  # share of records with a category of their own from which on an attribute identifies them
FEW = 20  # records below which any attribute may have as many categories


@dataclass(frozen=True, kw_only=True)
class FullSynthesis(Masking):
    """Draw a file of new records from a model of the whole file; identifiers are dropped.

    Rows satisfy the edits: what an equality determines is computed, and rows that break another edit are drawn again.
    """

    rows = Rows.SYNTHESISED
    draws_values = True

    size: float = param(1.0, "number of synthetic records, as a multiple of the original ones", low=0)

    def chosen(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        return tuple(each.name for each in data.attributes if each.role is not Role.IDENTIFIER)

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """Whole records are synthesised, so all attributes are, whichever are named."""
        for name in attributes:
            if data.attribute(name).role is Role.IDENTIFIER:
                raise SchemaError(f"{name!r} is an identifier: every release drops it, so leave it out")
        for name in data.names(role=Role.HOUSEHOLD):
            raise SchemaError(
                f"{self.name} draws record by record and cannot keep the households of {name!r}; give it the role "
                "'identifier', so that it is dropped"
            )
        refuse_single_record(self.name, data)
        names = self.chosen(data, attributes)
        for name in names:
            if _names_records(data, name):
                raise SchemaError(
                    f"{self.name}: {name!r} has a category of its own for most records, and synthetic rows would carry "
                    "real ones; give it the role 'identifier', so that it is dropped"
                )
        if not names:
            raise SchemaError(f"{self.name}: the file has nothing but identifiers; there is nothing to synthesise")
        return names

    def synthetic_columns(self, data: Microdata, names: Sequence[str], draws: Draws) -> dict[str, NDArray[Any]]:
        """The synthetic column of each attribute; `draws` are those of the synthetic records."""
        raise TypeError(f"{type(self).__name__} must define synthetic_columns")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        edits = data.edits.among(names)
        derived = derived_attributes(data, names)
        records = max(1, round(self.size * len(data)))
        made = self._drawn(data, names, derived, records, draws)

        def again(number: int, wanted: int) -> Microdata:
            return self._drawn(data, names, derived, wanted, draws.child("again", number))

        return all_rows_kept(edits, made, again) if len(edits) else made

    def _drawn(
        self, data: Microdata, names: Sequence[str], derived: Sequence[Derived], records: int, draws: Draws
    ) -> Microdata:
        """So many synthetic records; derived attributes are computed from the others."""
        columns = self.synthetic_columns(data, names, draws.for_records(np.arange(records)))
        numbers = [name for name in names if not data.attribute(name).coded]
        if numbers:
            values = self.published(data, numbers, np.column_stack([columns[name] for name in numbers]))
            columns |= dict(zip(numbers, values.T, strict=True))
        columns = with_derived(derived, columns, {name: self.decimals(data.attribute(name)) for name in numbers})
        return data.only(names).with_rows({name: columns[name] for name in names})

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        return copies_note(self.name, original, masked, attributes)


def _names_records(data: Microdata, name: str) -> bool:
    """Whether the categories of an attribute that has no order identify most records, as names and addresses do."""
    attribute = data.attribute(name)
    if not attribute.coded or attribute.kind & Kind.ORDERED:
        return False
    times = np.bincount(data.columns[name][data.columns[name] >= 0])
    return len(data) >= FEW and (times == 1).sum() > DISTINCT * len(data)


def copies_note(method: str, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
    """The share of rows that carry two or more numbers which only one and the same original record has."""
    numbers = [name for name in attributes if name in masked and not original.attribute(name).coded]
    if len(numbers) < 2 or not len(masked):
        return []
    copied = rows_with_copies(original.matrix(numbers), masked.matrix(numbers)).mean()
    return [f"{method}: {copied:.1%} of the rows carry two or more numbers that only one and the same record has"]


def refuse_single_record(method: str, data: Microdata) -> None:
    """Raise an error where the values that a synthesis draws from are those of one record."""
    if len(data) == 1:
        raise SchemaError(
            f"{method} draws values from the records of the file, and this file has one record, which the synthesis "
            "would repeat; synthesise a file of more records"
        )
