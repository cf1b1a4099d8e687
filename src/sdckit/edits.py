"""Edits: what every record must satisfy, such as a range, a sum or an order between attributes.

An `Edit` is linear: low ≤ Σ coefficient · attribute ≤ high. A bound has one term, an equality has low = high, an order
`net ≤ gross` has the terms gross − net with low = 0, and a ratio `tax ≤ 0.4 · income` is the same with a coefficient.
Any other condition, such as `if married then age >= 16`, is a `Rule`; both can be written as text (`edit_text`).

**Missing values.** A record with a missing value (NaN) in an edit is not checked against it, and so never counted.

**Rounding.** Where amounts are rounded one by one, a sum of them is off by up to half a unit per term: 3.33 + 3.33 and
6.67, each rounded correctly, do not add up. A caller who knows the units in which attributes are rounded gives them as
`units`, and a record is counted only if rounding alone cannot explain the difference. Rounding never breaks a bound
on one attribute, nor the order of two attributes that are rounded to the same unit, so these have no such tolerance.
"""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")  # a category whose text is a number counts as it


@dataclass(frozen=True, eq=False)
class CategoryColumn:
    """A column of categories: the code of each record (−1: missing), and whether the categories have an order."""

    codes: NDArray[np.int32]
    categories: tuple[Any, ...]
    ordered: bool = False


EditColumns = Mapping[str, NDArray[Any] | CategoryColumn]


class LinearPart(NamedTuple):
    """low ≤ Σ coefficient · attribute ≤ high, or < where strict: what a condition demands in any case."""

    terms: Mapping[str, float]
    low: float
    high: float
    strict: bool = False


class RecordCondition(Protocol):
    """What a record must satisfy: an `Edit`, or a `Rule` that is written as text."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that it names, each once."""
        ...

    @property
    def text(self) -> str:
        """How it was written; empty where it was given by its terms."""
        ...

    def violations(
        self, columns: EditColumns, tolerance: float = 1e-9, units: Mapping[str, float] | None = None
    ) -> NDArray[np.bool_]:
        """Which records break it; a record with a missing value in it does not."""
        ...

    def linear_parts(self) -> tuple[LinearPart, ...]:
        """The linear conditions that follow from it for every record."""
        ...


@dataclass(frozen=True)
class Edit:
    """One linear condition on a record; `text` is how it was written, where it was written as text."""

    terms: Mapping[str, float]
    low: float = -np.inf
    high: float = np.inf
    text: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.terms, Mapping):
            raise SchemaError(
                f"the terms of an edit are coefficients by attribute, such as gross = 1, not {self.terms!r}"
            )
        if not self.terms:
            raise SchemaError("an edit needs at least one attribute")
        for name, coefficient in self.terms.items():
            if not _is_number(coefficient) or not np.isfinite(coefficient):
                raise SchemaError(f"the coefficient of {name!r} in an edit must be a number, not {coefficient!r}")
        for end, bound in (("low", self.low), ("high", self.high)):
            if not _is_number(bound):
                raise SchemaError(
                    f"the {end} end of the edit on {', '.join(self.terms)} must be a number, not {bound!r}"
                )
        if self.low > self.high:
            raise SchemaError(f"the edit {self} can never hold: its low end is above its high end")

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that it names."""
        return tuple(self.terms)

    def linear_parts(self) -> tuple[LinearPart, ...]:
        """The edit itself."""
        return (LinearPart(self.terms, self.low, self.high),)

    def __str__(self) -> str:
        if self.text:
            return self.text
        signed = [
            f"{'−' if coefficient < 0 else '+'} {_term(name, coefficient)}" for name, coefficient in self.terms.items()
        ]
        total = " ".join([signed[0].removeprefix("+ ").replace("− ", "−", 1), *signed[1:]])
        if self.low == self.high:
            return f"{total} = {self.low:g}"
        left = f"{self.low:g} ≤ " if np.isfinite(self.low) else ""
        right = f" ≤ {self.high:g}" if np.isfinite(self.high) else ""
        return f"{left}{total}{right}"

    def violations(
        self, columns: EditColumns, tolerance: float = 1e-9, units: Mapping[str, float] | None = None
    ) -> NDArray[np.bool_]:
        """Which records break it; a record with a missing value in it does not.

        `columns` are numbers with NaN for missing, or categories; `units` are those of the attributes that are rounded.
        """
        total, scale = self.sums(columns)
        slack = tolerance * np.maximum(1.0, scale) + self.rounding_error(units or {})  # a sum is as exact as its parts
        broken: NDArray[np.bool_] = (total < self.low - slack) | (total > self.high + slack)
        return broken

    def sums(self, columns: EditColumns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Σ coefficient · attribute for each record, NaN where one is missing, and the sum of the magnitudes."""
        parts = [coefficient * numbers_of(columns[name]) for name, coefficient in self.terms.items()]
        return np.sum(parts, axis=0), np.sum(np.abs(parts), axis=0)

    def rounding_error(self, units: Mapping[str, float]) -> float:
        """How far a sum that holds can be off once each attribute is rounded to its unit: half a unit per term."""
        if len(self.terms) == 1 or self._orders_two_equally_rounded(units):
            return 0.0
        return sum(abs(coefficient) * units.get(name, 0.0) / 2 for name, coefficient in self.terms.items())

    def _orders_two_equally_rounded(self, units: Mapping[str, float]) -> bool:
        at_zero = all(bound == 0 or np.isinf(bound) for bound in (self.low, self.high))
        return len(self.terms) == 2 and at_zero and not sum(self.terms.values()) and _all_equal(units, self.terms)


@dataclass(frozen=True)
class BrokenEdit:
    """An edit and the number of records that break it."""

    edit: RecordCondition
    records: int


@dataclass(frozen=True)
class EditComparison:
    """An edit, and the number of records that break it before and after a masking; the original may break it too."""

    edit: RecordCondition
    before: int
    after: int


@dataclass(frozen=True)
class Edits:
    """The edits of a file."""

    edits: tuple[RecordCondition, ...] = ()

    @classmethod
    def from_text(cls, *texts: str) -> "Edits":
        """Edits written as text.

        >>> edits = Edits.from_text("total == net + tax", "if married then age >= 16")
        >>> [edit.attributes for edit in edits]
        [('total', 'net', 'tax'), ('married', 'age')]
        """
        from sdckit.edit_text import parse_edit

        return cls(tuple(map(parse_edit, texts)))

    @classmethod
    def bounds(cls, **ranges: tuple[float, float]) -> "Edits":
        """Edits that bound single attributes."""
        return cls(tuple(Edit({name: 1.0}, low, high) for name, (low, high) in ranges.items()))

    def __iter__(self) -> Iterator[RecordCondition]:
        return iter(self.edits)

    def __len__(self) -> int:
        return len(self.edits)

    def among(self, names: Container[str]) -> "Edits":
        """The edits on these attributes only."""
        return Edits(tuple(edit for edit in self.edits if all(name in names for name in edit.attributes)))

    def bound(self, name: str) -> tuple[float, float]:
        """The declared range of one attribute, infinite where none is declared."""
        low, high = -np.inf, np.inf
        for part in (part for edit in self.edits for part in edit.linear_parts()):
            if list(part.terms) == [name] and part.terms[name] != 0:
                ends = sorted((part.low / part.terms[name], part.high / part.terms[name]))
                low, high = max(low, ends[0]), min(high, ends[1])
        return low, high

    def broken(self, columns: EditColumns, units: Mapping[str, float] | None = None) -> tuple[BrokenEdit, ...]:
        """The edits that some record breaks, and the number of records; an edit on a column that is absent is left out.

        >>> income = np.array([1200.0, -5, np.nan])
        >>> [(str(each.edit), each.records) for each in Edits.bounds(income=(0, np.inf)).broken({"income": income})]
        [('0 ≤ income', 1)]
        """
        counts = [BrokenEdit(edit, int(edit.violations(columns, units=units).sum())) for edit in self.among(columns)]
        return tuple(each for each in counts if each.records)

    def compared(
        self,
        original: EditColumns,
        masked: EditColumns,
        original_units: Mapping[str, float] | None = None,
        masked_units: Mapping[str, float] | None = None,
    ) -> tuple[EditComparison, ...]:
        """Each edit whose attributes are in both files, with the records that break it before and after."""
        return tuple(
            EditComparison(
                edit,
                int(edit.violations(original, units=original_units).sum()),
                int(edit.violations(masked, units=masked_units).sum()),
            )
            for edit in self.among(original).among(masked)
        )

    def violations(self, columns: EditColumns) -> dict[str, int]:
        """The number of records that break each edit that is broken."""
        return {str(each.edit): each.records for each in self.broken(columns)}


def numbers_of(column: NDArray[Any] | CategoryColumn) -> NDArray[np.float64]:
    """A column as numbers: NaN where a value is missing, or is a category that is not a number, such as an interval."""
    if not isinstance(column, CategoryColumn):
        return np.asarray(column, dtype=np.float64)
    values = np.array([*map(_as_number, column.categories), np.nan])
    numbers: NDArray[np.float64] = values[column.codes]
    return numbers


def _as_number(category: object) -> float:
    if isinstance(category, str):
        return float(category) if NUMBER.fullmatch(category.strip()) else np.nan
    return float(category) if isinstance(category, int | float) and not isinstance(category, bool) else np.nan


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool) and value == value


def _term(name: str, coefficient: float) -> str:
    return name if abs(coefficient) == 1 else f"{abs(coefficient):g}·{name}"


def _all_equal(units: Mapping[str, float], names: Mapping[str, float]) -> bool:
    return len({units.get(name, 0.0) for name in names}) == 1
