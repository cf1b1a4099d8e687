"""External: a file of the intruder's own, with the names, units and codes of the original.

Its columns may have other names, units and coarser categories, and its records may be fewer, more, and in any order.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import ParameterError, SchemaError, private
from sdckit.microdata import Attribute, Kind, Microdata, Role, same_value
from sdckit.release import aligned


@dataclass(frozen=True, eq=False)
class External:
    """A file of the intruder's own; a frame is accepted.

    `columns`  maps the file's column names to the original's; a column that is not named keeps its name
    `convert`  turns the values of a column, by its name in the original, into the original's units or categories;
               a category that is a node of the original's hierarchy, such as a district, needs no conversion
    `record`   which original record each row is, for scoring: numbers (−1: none of them), or the name of a
               column of the original that has the same value in both; left out, row i is record i
    `present`  the share of its people who are in the release, where the intruder knows it, as from the design of a
               survey; left out, it is estimated from the two files
    """

    file: Microdata
    columns: Mapping[str, str] = field(default_factory=dict)
    convert: Mapping[str, Callable[[NDArray[Any]], Any]] = field(default_factory=dict)
    record: str | Sequence[int] | None = None
    present: float | None = None

    def __post_init__(self) -> None:
        file = self.file if isinstance(self.file, Microdata) else Microdata.from_frame(self.file)
        object.__setattr__(self, "file", file)
        for name in self.columns:
            self.file.attribute(name)
        if not len(self.file):
            raise SchemaError("the intruder's file has no records; leave it out, or give one that has")
        if self.present is not None and not 0 < self.present <= 1:
            raise ParameterError(f"the share present must be above 0 and at most 1, not {self.present:g}; 0.1: a tenth")

    def in_terms_of(self, original: Microdata) -> Microdata:
        """The file with the original's names, units and codes; a coarser category is a code after the original's."""
        translated = _TRANSLATED.setdefault(self, WeakKeyDictionary())
        if original not in translated:
            translated[original] = _in_terms_of(self, original)
        return translated[original]

    def records(self, original: Microdata) -> NDArray[np.int64]:
        """Which original record each row is, −1 where it is none."""
        if isinstance(self.record, str):
            theirs = self.in_terms_of(original)
            record_of = _record_of_value(original, self.record)
            absent = theirs.absent(self.record)
            found = [
                -1 if missing else record_of.get(same_value(value), -1)
                for value, missing in zip(theirs.values(self.record).tolist(), absent, strict=True)
            ]
        else:
            found = list(range(len(self.file))) if self.record is None else [int(each) for each in self.record]
        records = np.array(found, dtype=np.int64)
        if len(records) != len(self.file) or records.max() >= len(original) or records.min() < -1:
            raise ParameterError(
                f"`record` must name one of the {len(original)} original records for each of the {len(self.file)} rows "
                "of the intruder's file, or -1"
            )
        if len(np.unique(records[records >= 0])) < (records >= 0).sum():
            raise ParameterError("two rows of the intruder's file have the same original record; keep one of them")
        return records


_TRANSLATED: WeakKeyDictionary[External, WeakKeyDictionary[Microdata, Microdata]] = WeakKeyDictionary()  # pins no file


def _record_of_value(original: Microdata, column: str) -> dict[str, int]:
    """The record of each value of a column that identifies the records; a missing value identifies none."""
    record_of: dict[str, int] = {}
    values = original.values(column).tolist()
    for record in np.flatnonzero(~original.absent(column)).tolist():
        value = same_value(values[record])
        if value in record_of:
            raise ParameterError(
                f"{column!r} does not identify the records: {private(value)} appears twice in it; name another column"
            )
        record_of[value] = record
    return record_of


def _in_terms_of(external: External, original: Microdata) -> Microdata:
    file = external.file
    theirs_of = {external.columns.get(each.name, each.name): each.name for each in file.attributes}
    if len(theirs_of) < len(file.attributes):
        raise SchemaError("two columns of the intruder's file lead to the same one of the original; name each once")
    for ours in (*external.columns.values(), *external.convert):
        original.attribute(ours)
    columns = {}
    for ours, theirs in theirs_of.items():
        if ours in original:
            columns[ours] = _renamed(file, theirs, ours, external.convert.get(ours))
    if not columns:
        raise SchemaError("the intruder's file has no column of the original; map its names in `columns`")
    attributes = tuple(attribute for attribute, _ in columns.values())
    renamed = aligned(Microdata(attributes, {name: column for name, (_, column) in columns.items()}), original)
    for ours in external.columns.values():
        if renamed.attribute(ours).coded and not original.attribute(ours).coded:
            raise SchemaError(f"the intruder's {theirs_of[ours]!r} contains no numbers, and {ours!r} does; convert it")
    return renamed.with_columns({each.name: _ordered(renamed, each, original) for each in renamed.attributes})


def _ordered(file: Microdata, attribute: Attribute, original: Microdata) -> NDArray[Any]:
    """The column; a category that is not in the original's order counts as missing."""
    column = file.columns[attribute.name]
    if not attribute.coded or not attribute.kind & Kind.ORDERED:
        return column
    return np.where(column < len(original.attribute(attribute.name).categories or ()), column, -1)


def _renamed(
    file: Microdata, theirs: str, ours: str, convert: Callable[[NDArray[Any]], Any] | None
) -> tuple[Attribute, NDArray[Any]]:
    """A column under the original's name, its values converted."""
    if convert is None:
        return replace(file.attribute(theirs), name=ours), file.columns[theirs]
    values = np.asarray(convert(file.values(theirs)))
    if len(values) != len(file):
        raise ParameterError(f"the conversion of {ours!r} gives {len(values)} values for {len(file)} records")
    if values.dtype.kind in "fiub":
        return Attribute(ours, Kind.CONTINUOUS, Role.OTHER), values.astype(np.float64)
    absent = np.array([value is None for value in values], dtype=bool)
    categories, codes = np.unique(values[~absent].astype(str), return_inverse=True)
    column = np.full(len(values), -1)
    column[~absent] = codes
    return Attribute(ours, Kind.UNORDERED, Role.OTHER, tuple(categories.tolist())), column
