"""Attribute: the meaning of one column, its kind (the order relation of its values) and its role in disclosure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag
from typing import Any

from sdckit.bands import Bands
from sdckit.errors import SchemaError, near_miss
from sdckit.hierarchy import Hierarchy

KIND_ALIASES = {"discrete-ordered": "discrete", "hierarchical": "partially-ordered"}
ROLE_ALIASES = {"quasi-identifier": "key", "sensitive": "confidential", "id": "identifier"}


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
        """The name as it is written in a schema."""
        return {15: "any", 12: "categorical"}.get(self.value, (self.name or str(self)).lower().replace("_", "-"))

    @classmethod
    def named(cls, name: "str | Kind") -> "Kind":
        """The kind of that name; `discrete-ordered` and `hierarchical` are accepted too."""
        if isinstance(name, Kind):
            return name
        if not isinstance(name, str):
            raise SchemaError(f"a kind is a text such as 'discrete', not {name!r}")
        titles = {kind.title: kind for kind in cls}
        plain = name.strip().casefold().replace("_", "-").replace(" ", "-")
        plain = KIND_ALIASES.get(plain, plain)
        if plain not in titles:
            raise SchemaError(f"there is no kind {name!r}{near_miss(plain, titles)}")
        return titles[plain]


class Role(Enum):
    """The role of an attribute in disclosure: what an intruder may know, and what he must not learn."""

    IDENTIFIER = "identifier"
    KEY = "key"
    CONFIDENTIAL = "confidential"
    WEIGHT = "weight"
    HOUSEHOLD = "household"
    OTHER = "other"

    @classmethod
    def named(cls, name: "str | Role") -> "Role":
        """The role of that name; `quasi-identifier`, `sensitive` and `id` are accepted too."""
        if isinstance(name, Role):
            return name
        if not isinstance(name, str):
            raise SchemaError(f"a role is a text such as 'key', not {name!r}")
        titles = {role.value: role for role in cls}
        plain = name.strip().casefold()
        plain = ROLE_ALIASES.get(plain, plain)
        if plain not in titles:
            raise SchemaError(f"there is no role {name!r}{near_miss(plain, titles)}")
        return titles[plain]


class Level(Enum):
    """The unit that a value describes, and that a step of a recipe masks: one record, or a household as a whole."""

    RECORD = "record"
    HOUSEHOLD = "household"

    @classmethod
    def named(cls, name: "str | Level") -> "Level":
        """The level of that name."""
        if isinstance(name, Level):
            return name
        titles = {level.value: level for level in cls}
        plain = name.strip().casefold() if isinstance(name, str) else name
        if plain not in titles:
            raise SchemaError(f'there is no level {name!r}; write "record" or "household"')
        return titles[plain]


@dataclass(frozen=True)
class Attribute:
    """The meaning of one column; `categories` lists the values of a coded column, in order where there is one.

    `level` is declared, or None: the values of a household attribute are equal within each household.
    `bands` are those that a released column was recoded to: a text is published for each of its numbers.
    `mean_decimals` are those to which means of whole numbers are published, where no `decimals` are declared.
    `categories_declared` says that the categories were listed by the user, and not read off the values.
    """

    name: str
    kind: Kind
    role: Role = Role.OTHER
    categories: tuple[Any, ...] | None = None
    hierarchy: Hierarchy | None = None
    decimals: int | None = None
    integral: bool = False
    mean_decimals: int | None = None
    label: str = ""
    value_labels: Mapping[Any, str] = field(default_factory=dict)
    level: Level | None = None
    bands: Bands | None = None
    categories_declared: bool = field(default=False, compare=False)

    @property
    def coded(self) -> bool:
        """Whether the column has codes into `categories` instead of numbers."""
        return self.categories is not None
