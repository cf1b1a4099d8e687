"""Microdata: the columns of a file and what they mean, never changed in place.

**Missing values.** One policy everywhere: NaN in a column of numbers, code −1 in a column of categories. A masking
keeps them where they are or refuses the attribute; an intruder does not know a value that is missing; a measure skips
the cells that are missing in the original and counts a value that the masking removed as changed altogether.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, Flag
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sdckit.edits import Edits
from sdckit.errors import SchemaError, UnknownNameError, near_miss
from sdckit.formatting import html_table
from sdckit.hierarchy import Hierarchy

if TYPE_CHECKING:
    from sdckit.schema import Schema


class Kind(Flag):
    """The order relation of an attribute's values, after Truta, Fotouhi and Barth-Jones."""

    CONTINUOUS = 1
    DISCRETE = 2
    PARTIALLY_ORDERED = 4
    UNORDERED = 8
    ORDERED = CONTINUOUS | DISCRETE
    CATEGORICAL = PARTIALLY_ORDERED | UNORDERED
    ANY = ORDERED | CATEGORICAL

    @property
    def title(self) -> str:
        """The name as written in a schema."""
        return {15: "any", 12: "categorical"}.get(self.value, (self.name or str(self)).lower().replace("_", "-"))

    @classmethod
    def named(cls, name: "str | Kind") -> "Kind":
        """The kind of that name; `discrete-ordered` is understood too."""
        if isinstance(name, Kind):
            return name
        titles = {kind.title: kind for kind in (cls.CONTINUOUS, cls.DISCRETE, cls.PARTIALLY_ORDERED, cls.UNORDERED)}
        plain = name.strip().casefold().replace("_", "-").replace(" ", "-")
        plain = {"discrete-ordered": "discrete", "hierarchical": "partially-ordered"}.get(plain, plain)
        if plain not in titles:
            raise SchemaError(f"there is no kind {name!r}{near_miss(plain, titles)}")
        return titles[plain]


class Role(Enum):
    """What an attribute is to an intruder."""

    IDENTIFIER = "identifier"
    KEY = "key"
    CONFIDENTIAL = "confidential"
    WEIGHT = "weight"
    HOUSEHOLD = "household"
    OTHER = "other"

    @classmethod
    def named(cls, name: "str | Role") -> "Role":
        """The role of that name."""
        if isinstance(name, Role):
            return name
        titles = {role.value: role for role in cls}
        plain = name.strip().casefold()
        plain = {"quasi-identifier": "key", "sensitive": "confidential", "id": "identifier"}.get(plain, plain)
        if plain not in titles:
            raise SchemaError(f"there is no role {name!r}{near_miss(plain, titles)}")
        return titles[plain]


@dataclass(frozen=True)
class Attribute:
    """The meaning of one column; `categories` lists the values of a coded column, in order where there is one."""

    name: str
    kind: Kind
    role: Role = Role.OTHER
    categories: tuple[Any, ...] | None = None
    hierarchy: Hierarchy | None = None
    decimals: int | None = None
    integral: bool = False
    label: str = ""
    value_labels: Mapping[Any, str] = field(default_factory=dict)

    @property
    def coded(self) -> bool:
        """Whether the column holds codes into `categories` instead of numbers."""
        return self.categories is not None


@dataclass(frozen=True)
class Form:
    """How the frame that a file came in as looked like, so that the same kind of frame goes out.

    `dtypes` are the frame's own, `types` the polars ones for a frame of another kind; `labels` are pandas' column
    labels, which need not be text; `file` is whatever the format that a file was read from wants to remember.
    """

    backend: str = "polars"
    dtypes: Mapping[str, Any] = field(default_factory=dict)
    index: Any = None
    types: Mapping[str, Any] = field(default_factory=dict)
    labels: Any = None
    lazy: bool = False
    file: Any = None


@dataclass(frozen=True, eq=False)
class Microdata:
    """A file about people or firms: one column of numbers or codes for each attribute.

    `lineage` says which record of the file it was derived from each row is (−1: none). It serves measuring and is never
    written anywhere.
    """

    attributes: tuple[Attribute, ...]
    columns: Mapping[str, NDArray[Any]]
    edits: Edits = Edits()
    form: Form = Form()
    lineage: NDArray[np.int64] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        names = [attribute.name for attribute in self.attributes]
        repeated = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
        if repeated:
            raise SchemaError(f"the column name {repeated[0]!r} stands twice; give each column a name of its own")
        lengths = {len(self.columns[name]) for name in names}
        if len(lengths) > 1:
            raise SchemaError(f"columns differ in length: {sorted(lengths)} records")
        held: dict[str, NDArray[Any]] = {}
        for attribute in self.attributes:
            wanted = np.int32 if attribute.coded else np.float64
            column = np.array(self.columns[attribute.name], dtype=wanted)
            column.flags.writeable = False
            held[attribute.name] = column
        object.__setattr__(self, "columns", MappingProxyType(held))

    def __repr__(self) -> str:
        """Records and attributes, and no value: what is shown by chance tells of nobody."""
        told = ", ".join(f"{each.name} ({each.kind.title}, {each.role.value})" for each in self.attributes)
        return f"Microdata({len(self)} records: {told})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the attributes and what they mean."""
        rows = [
            (each.name, each.kind.title, each.role.value, f"{self.missing(each.name):,}") for each in self.attributes
        ]
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
        edits: Edits | None = None,
    ) -> "Microdata":
        """Take a pandas, polars or pyarrow frame; with no roles given, every numeric column is a key.

        >>> import polars
        >>> file = Microdata.from_frame(polars.DataFrame({"age": [30, 41], "town": ["Ely", None]}))
        >>> file.names(role=Role.KEY), file.missing("town")
        (('age',), 1)
        """
        from sdckit.frames import from_frame
        from sdckit.schema import Schema

        declared = schema or Schema()
        if roles is not None or kinds is not None or hierarchies is not None or edits is not None:
            declared = declared.updated(roles or {}, kinds or {}, hierarchies or {}, edits)
        return from_frame(frame, declared)

    def to_frame(self, backend: str | None = None) -> Any:
        """The frame again, of the type that came in: same columns, order, dtypes and index."""
        from sdckit.frames import to_frame

        return to_frame(self, backend)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    @cached_property
    def _by_name(self) -> dict[str, Attribute]:
        return {attribute.name: attribute for attribute in self.attributes}

    def attribute(self, name: str) -> Attribute:
        """What the column of that name means."""
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownNameError("column", name, self._by_name) from None

    def names(self, *, kind: Kind | None = None, role: Role | Iterable[Role] | None = None) -> tuple[str, ...]:
        """The attributes of a kind (or of any of several, `Kind.ORDERED`) and of a role or any of several."""
        roles = {role} if isinstance(role, Role) else set(role) if role is not None else set(Role)
        return tuple(each.name for each in self.attributes if (kind is None or each.kind & kind) and each.role in roles)

    def missing(self, name: str) -> int:
        """How many values of a column are missing."""
        return int(self.absent(name).sum())

    def absent(self, name: str) -> NDArray[np.bool_]:
        """Which values of a column are missing."""
        column = self.columns[self.attribute(name).name]
        absent: NDArray[np.bool_] = column < 0 if self.attribute(name).coded else np.isnan(column)
        return absent

    def matrix(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Columns as numbers, one row a record; an ordered category counts as its position. Missing is NaN."""
        out = np.empty((len(self), len(names)))
        for place, name in enumerate(names):
            attribute = self.attribute(name)
            if attribute.coded and not attribute.kind & Kind.ORDERED:
                raise SchemaError(f"{name!r} is {attribute.kind.title}: it has no numbers to compute with")
            out[:, place] = self.columns[name]
            if attribute.coded:
                out[self.columns[name] < 0, place] = np.nan
        return out

    def codes(self, names: Sequence[str]) -> NDArray[np.int32]:
        """Columns as whole-number codes, equal codes for equal values; missing is −1."""
        out = np.empty((len(self), len(names)), dtype=np.int32)
        for place, name in enumerate(names):
            if self.attribute(name).coded:
                out[:, place] = self.columns[name]
            else:
                absent = self.absent(name)
                out[:, place] = np.unique(np.where(absent, 0.0, self.columns[name]), return_inverse=True)[1]
                out[absent, place] = -1
        return out

    def units(self) -> NDArray[np.int64]:
        """The household of each record, numbered from 0 as they come; a record without one is a unit of its own."""
        from sdckit.kernels.equivalence_classes import class_of

        names = self.names(role=Role.HOUSEHOLD)
        if not names:
            return np.arange(len(self))
        codes = self.codes(names).astype(np.int64)
        alone = (codes < 0).any(axis=1)
        codes[alone] = -1 - np.arange(int(alone.sum()))[:, None]
        return class_of(codes).of

    def with_columns(self, columns: Mapping[str, NDArray[Any]], attributes: Iterable[Attribute] = ()) -> "Microdata":
        """The file with these columns in place of its own, and these meanings where they change."""
        for name in columns:
            self.attribute(name)
        changed = {attribute.name: attribute for attribute in attributes}
        meanings = tuple(changed.get(each.name, each) for each in self.attributes)
        return replace(self, attributes=meanings, columns={**self.columns, **columns})

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
        kept = tuple(each for each in self.attributes if each.name not in dropped)
        return self.only([each.name for each in kept])

    def only(self, names: Sequence[str]) -> "Microdata":
        """The file reduced to these columns, in this order."""
        kept = tuple(self.attribute(name) for name in names)
        columns = {name: self.columns[name] for name in names}
        return replace(self, attributes=kept, columns=columns, edits=self.edits.among(columns))

    def take(self, rows: NDArray[np.int64]) -> "Microdata":
        """The file with these rows, in this order; where they came from is remembered."""
        came_from = np.arange(len(self)) if self.lineage is None else self.lineage
        index = None if self.form.index is None else self.form.index[rows]
        return replace(
            self,
            columns={name: column[rows] for name, column in self.columns.items()},
            form=replace(self.form, index=index),
            lineage=came_from[rows],
        )

    def values(self, name: str) -> NDArray[Any]:
        """A column as the user wrote it: numbers, or categories with None where missing."""
        attribute = self.attribute(name)
        if attribute.categories is None:
            return self.columns[name]
        lookup = np.empty(len(attribute.categories) + 1, dtype=object)
        lookup[:-1] = attribute.categories
        values: NDArray[Any] = lookup[self.columns[name]]
        return values


def same_value(value: Any) -> str:
    """A text that is equal for values that mean the same in two files, such as 1, 1.0 and '1'."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
