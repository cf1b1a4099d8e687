"""Microdata: the columns of a file and what they mean, never changed in place.

**Missing values.** One policy everywhere: NaN in a column of numbers, code −1 in a column of categories. A masking
leaves them missing or refuses the attribute; an intruder does not know a value that is missing; a measure skips the
cells that are missing in the original and counts a value that the masking suppressed as completely changed.

**Memory.** Columns are read-only and shared: a file with fewer columns or other roles costs nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute, Kind, Role
from sdckit.dataset import AttributeSummary, DatasetSummary
from sdckit.edits import Edits
from sdckit.errors import SchemaError, UnknownNameError
from sdckit.formatting import html_table
from sdckit.hierarchy import Hierarchy
from sdckit.missing_reasons import MissingReasons
from sdckit.read_only import read_only, seal

if TYPE_CHECKING:
    from sdckit.schema import Schema

__all__ = ["Attribute", "Form", "Kind", "Microdata", "Role"]

WHOLE_NUMBER = re.compile(r"-?(0|[1-9]\d*)\.0+")  # a text that writes one with decimals


@dataclass(frozen=True)
class Form:
    """The form of the frame that a file was made from, so that a frame of the same form can be returned.

    `dtypes` are the frame's own, `types` the polars ones for a frame of another kind; `labels` are pandas' column
    labels, which need not be text; `file` is what the format that a file was read from needs to write it again.
    `released` marks a masked file: its frame has no index and no category that does not occur. `undeclared` are the
    columns that the schema of the file does not name. `unchanged` are the columns of a masked file with all records
    that no step masked. `reasons` are the codes of missing values, by column.
    """

    backend: str = "polars"
    dtypes: Mapping[str, Any] = field(default_factory=dict)
    index: Any = None
    types: Mapping[str, Any] = field(default_factory=dict)
    labels: Any = None
    lazy: bool = False
    file: Any = None
    released: bool = False
    undeclared: tuple[str, ...] = ()
    unchanged: frozenset[str] = frozenset()
    reasons: Mapping[str, MissingReasons] = field(default_factory=dict)

    def take(self, rows: NDArray[np.int64], *, records: int) -> "Form":
        """The form of some rows of a file with this number of records."""
        return replace(
            self,
            index=None if self.index is None else self.index[rows],
            unchanged=self.unchanged if self.unchanged and _all_once(rows, records) else frozenset(),
            reasons={name: each.take(rows) for name, each in self.reasons.items()},
        )


def _all_once(rows: NDArray[np.int64], records: int) -> bool:
    return len(rows) == records and bool((np.bincount(rows, minlength=records) == 1).all())


@dataclass(frozen=True, eq=False)
class Microdata:
    """A file about people or firms: one column of numbers or codes for each attribute.

    `lineage` gives, for each row, the record of the file that it was derived from (−1: none). It is used for measuring
    and never written anywhere.
    """

    unit: ClassVar[str] = "record"

    attributes: tuple[Attribute, ...]
    columns: Mapping[str, NDArray[Any]]
    edits: Edits = Edits()
    form: Form = Form()
    lineage: NDArray[np.int64] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        names = [attribute.name for attribute in self.attributes]
        repeated = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
        if repeated:
            raise SchemaError(f"the column name {repeated[0]!r} appears twice; give each column a name of its own")
        for name in names:
            if name not in self.columns:
                raise SchemaError(f"the attribute {name!r} has no column; give one column for each attribute")
        lengths = {len(self.columns[name]) for name in names}
        if len(lengths) > 1:
            raise SchemaError(f"columns differ in length: {sorted(lengths)} records")
        columns = {
            each.name: read_only(self.columns[each.name], np.int32 if each.coded else np.float64)
            for each in self.attributes
        }
        object.__setattr__(self, "columns", MappingProxyType(columns))
        if self.lineage is not None:
            object.__setattr__(self, "lineage", read_only(self.lineage, np.int64))

    def __repr__(self) -> str:
        """The number of records and the attributes, and no value: what is printed by accident discloses nothing."""
        attributes = ", ".join(f"{each.name} ({each.kind.title}, {each.role.value})" for each in self.attributes)
        return f"Microdata({len(self)} records: {attributes})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the attributes and what they mean."""
        rows = [(each.name, each.kind, each.role, f"{each.missing:,}") for each in self.describe().attributes]
        return html_table(("attribute", "kind", "role", "missing"), rows, f"{len(self):,} records")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.attributes, dict(self.columns), self.edits, self.form, self.lineage)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        roles: Mapping[str, str | Role] | None = None,
        kinds: Mapping[str, str | Kind] | None = None,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        schema: "Schema | None" = None,
        edits: Edits | Sequence[str] | None = None,
    ) -> "Microdata":
        """Make a file from a pandas, polars or pyarrow frame; where no role is declared, every numeric column is a key.

        Edits may be given as texts, such as `["0 <= age <= 130"]`.

        >>> import polars
        >>> file = Microdata.from_frame(polars.DataFrame({"age": [30, 41], "town": ["Ely", None]}))
        >>> file.names(role=Role.KEY), file.missing("town")
        (('age',), 1)
        """
        from sdckit.frames import from_frame
        from sdckit.schema import Schema

        declared = schema or Schema()
        if roles is not None or kinds is not None or hierarchies is not None or edits is not None:
            conditions = edits if edits is None or isinstance(edits, Edits) else Edits.from_text(*edits)
            declared = declared.updated(roles or {}, kinds or {}, hierarchies or {}, conditions)
        return from_frame(frame, declared)

    def to_frame(self, backend: str | None = None) -> Any:
        """The file as a frame of the type it was made from: same columns, order, dtypes and index."""
        from sdckit.frames import to_frame

        return to_frame(self, backend)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0

    @property
    def releasable(self) -> bool:
        """Whether there is anything to release."""
        return bool(self.attributes)

    def structure(self, *, ordered: bool) -> bytes:
        """What a digest contains besides the attributes; nothing, unless records are related to each other."""
        return b""

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    @cached_property
    def _by_name(self) -> dict[str, Attribute]:
        return {attribute.name: attribute for attribute in self.attributes}

    @cached_property
    def _missing(self) -> dict[str, int]:
        """The numbers of missing values, of the columns where they were counted."""
        return {}

    def attribute(self, name: str) -> Attribute:
        """The meaning of the column of that name."""
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownNameError("column", name, self._by_name) from None

    def names(self, *, kind: Kind | None = None, role: Role | Iterable[Role] | None = None) -> tuple[str, ...]:
        """The attributes of a kind (or of any of several, `Kind.ORDERED`) and of a role or any of several."""
        roles = {role} if isinstance(role, Role) else set(role) if role is not None else set(Role)
        return tuple(each.name for each in self.attributes if (kind is None or each.kind & kind) and each.role in roles)

    def missing(self, name: str) -> int:
        """The number of missing values in a column."""
        if name not in self._missing:
            self._missing[name] = int(np.count_nonzero(self.absent(name)))
        return self._missing[name]

    def absent(self, name: str) -> NDArray[np.bool_]:
        """Which values of a column are missing."""
        column = self.columns[self.attribute(name).name]
        absent: NDArray[np.bool_] = column < 0 if self.attribute(name).coded else np.isnan(column)
        return absent

    def matrix(self, names: Sequence[str], order: Literal["C", "F"] = "C") -> NDArray[np.float64]:
        """Columns as numbers, one row per record; an ordered category counts as its position. Missing is NaN.

        In memory the rows follow each other (order C), or the columns (F), for who takes one column after the other.
        """
        out = np.empty((len(self), len(names)), order=order)
        for index, name in enumerate(names):
            out[:, index] = self.numbers(name)
        return out

    def numbers(self, name: str) -> NDArray[np.float64]:
        """A column as numbers, as in `matrix`: where it has numbers, the column itself."""
        attribute = self.attribute(name)
        column = self.columns[name]
        if not attribute.coded:
            return column
        if not attribute.kind & Kind.ORDERED:
            raise SchemaError(f"{name!r} is {attribute.kind.title}: it has no numbers to compute with")
        positions: NDArray[np.float64] = np.where(column < 0, np.nan, column)
        return positions

    def codes(self, names: Sequence[str]) -> NDArray[np.int32]:
        """Columns as whole-number codes, equal codes for equal values; missing is −1."""
        from sdckit.kernels.distinct_values import distinct_values

        out = np.empty((len(self), len(names)), dtype=np.int32)
        for index, name in enumerate(names):
            if self.attribute(name).coded:
                out[:, index] = self.columns[name]
            else:
                absent = self.absent(name)
                values = np.where(absent, 0.0, self.columns[name]) if absent.any() else self.columns[name]
                out[:, index] = distinct_values(values)[1]
                out[absent, index] = -1
        return out

    def units(self) -> NDArray[np.int64]:
        """The household of each record, numbered from 0 in order; a record without one is a household of its own."""
        from sdckit.kernels.equivalence_classes import class_of

        names = self.names(role=Role.HOUSEHOLD)
        if not names:
            return np.arange(len(self))
        codes = self.codes(names).astype(np.int64)
        without = (codes < 0).any(axis=1)
        codes[without] = -1 - np.arange(int(without.sum()))[:, None]
        return class_of(codes).of

    def with_columns(self, columns: Mapping[str, NDArray[Any]], attributes: Iterable[Attribute] = ()) -> "Microdata":
        """The file with these columns instead of its own, and these attributes where their meaning changes."""
        for name in columns:
            self.attribute(name)
        changed = {attribute.name: attribute for attribute in attributes}
        meanings = tuple(changed.get(each.name, each) for each in self.attributes)
        form = self.form
        if form.unchanged & columns.keys():
            form = replace(form, unchanged=form.unchanged - columns.keys())
        return replace(self, attributes=meanings, columns={**self.columns, **columns}, form=form)

    def missing_codes(self, name: str) -> tuple[Any, ...]:
        """The codes of missing values that a column is written with, such as 9 for "no answer"."""
        reasons = self.form.reasons.get(name)
        return () if reasons is None else tuple(reasons.codes_to_write(self.absent(name)))

    def with_matrix(self, names: Sequence[str], values: NDArray[np.float64]) -> "Microdata":
        """The file with these columns replaced by numbers; an ordered category takes the nearest position."""
        columns: dict[str, NDArray[Any]] = {}
        for name, column in zip(names, np.asarray(values).T, strict=True):
            attribute = self.attribute(name)
            if attribute.categories is not None:
                nearest = np.clip(np.rint(np.nan_to_num(column)), 0, len(attribute.categories) - 1)
                columns[name] = np.where(np.isnan(column), -1, nearest).astype(np.int32)
            else:
                columns[name] = column
        return self.with_columns(columns)

    def with_roles(self, **roles: str | Role) -> "Microdata":
        """The file with other roles for some attributes."""
        changed = [replace(self.attribute(name), role=Role.named(role)) for name, role in roles.items()]
        return self.with_columns({}, changed)

    def without(self, names: Iterable[str]) -> "Microdata":
        """The file without these columns."""
        dropped = {self.attribute(name).name for name in names}
        return self.only([each.name for each in self.attributes if each.name not in dropped])

    def as_records(self) -> "Microdata":
        """The records alone: a graph without its edges."""
        return self

    def only(self, names: Sequence[str]) -> "Microdata":
        """The file reduced to these columns, in this order."""
        attributes = tuple(self.attribute(name) for name in names)
        columns = {name: self.columns[name] for name in names}
        return replace(self, attributes=attributes, columns=columns, edits=self.edits.among(columns))

    def take(self, rows: NDArray[np.int64]) -> "Microdata":
        """The file with these rows, in this order; the lineage gives the record that each was."""
        lineage = np.arange(len(self)) if self.lineage is None else self.lineage
        return replace(
            self,
            columns={name: seal(column[rows]) for name, column in self.columns.items()},
            form=self.form.take(rows, records=len(self)),
            lineage=seal(lineage[rows]),
        )

    def with_rows(self, columns: Mapping[str, NDArray[Any]]) -> "Microdata":
        """A file of other rows with the same attributes, such as a synthetic one; no row comes from any record here."""
        for name in columns:
            self.attribute(name)
        rows = len(next(iter(columns.values()), ()))
        form = replace(self.form, index=None, unchanged=frozenset(), reasons={})
        return replace(self, columns=columns, form=form, lineage=np.full(rows, -1, dtype=np.int64))

    def describe(self) -> DatasetSummary:
        """The number of records, and the meaning and the missing values of each attribute."""
        attributes = (
            AttributeSummary(each.name, each.kind.title, each.role.value, self.missing(each.name))
            for each in self.attributes
        )
        return DatasetSummary(len(self), tuple(attributes))

    def values(self, name: str) -> NDArray[Any]:
        """The values of a column: numbers, or categories with None where missing."""
        attribute = self.attribute(name)
        if attribute.categories is None:
            return self.columns[name]
        lookup = np.empty(len(attribute.categories) + 1, dtype=object)
        lookup[:-1] = attribute.categories
        values: NDArray[Any] = lookup[self.columns[name]]
        return values


def same_value(value: Any) -> str:
    """A text that is equal for values that mean the same in two files, such as 1, 1.0, '1' and '1.0'."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value)
    return text.partition(".")[0] if WHOLE_NUMBER.fullmatch(text) else text
