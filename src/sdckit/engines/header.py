"""Header: what a file's columns mean, how many records it has and how many values are missing, without its values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from sdckit.attribute import Attribute
from sdckit.edits import Edits
from sdckit.microdata import Form, Microdata


@dataclass(frozen=True, eq=False, repr=False)
class Header(Microdata):
    """A file without its values: a recipe is resolved and checked against it as against the file itself."""

    records: int = 0
    missing_values: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        attributes: tuple[Attribute, ...],
        records: int,
        missing_values: Mapping[str, int],
        edits: Edits = Edits(),
        form: Form = Form(),
    ) -> "Header":
        """The header of a file with these attributes."""
        return cls(attributes, empty_columns(attributes), edits, form, None, records, missing_values)

    def __len__(self) -> int:
        return self.records

    def missing(self, name: str) -> int:
        return self.missing_values.get(self.attribute(name).name, 0)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).of, (self.attributes, self.records, dict(self.missing_values), self.edits, self.form)

    def after(self, attributes: tuple[Attribute, ...], missing_values: Mapping[str, int] | None = None) -> "Header":
        """The header of the file in which some attributes mean something else now."""
        changed = {each.name: each for each in attributes}
        own = tuple(changed.get(each.name, each) for each in self.attributes)
        return replace(
            self,
            attributes=own,
            columns=empty_columns(own),
            missing_values={**self.missing_values, **(missing_values or {})},
        )

    def without(self, names: Iterable[str]) -> "Header":
        dropped = set(names)
        kept = tuple(each for each in self.attributes if each.name not in dropped)
        return replace(self, attributes=kept, columns=empty_columns(kept))

    def chunk(self, columns: Mapping[str, Any]) -> Microdata:
        """A part of the file with these columns, in this order, and all edits."""
        attributes = tuple(self.attribute(name) for name in columns)
        return Microdata(attributes, columns, self.edits, self.form)


def empty_columns(attributes: tuple[Attribute, ...]) -> dict[str, Any]:
    """A column without values for each attribute."""
    return {each.name: np.empty(0, np.int32 if each.coded else np.float64) for each in attributes}
