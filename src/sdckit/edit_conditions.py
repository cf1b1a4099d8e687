"""Conditions of edits that are written as text: comparisons and sets of categories, joined by and, or, not, if … then.

A condition is checked for the records that have every value that it names; all others satisfy it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.edit_arithmetic import Expression, columns_in, computed
from sdckit.edits import CategoryColumn, Edit, EditColumns, LinearPart, numbers_of

Flags = NDArray[np.bool_]
TRUE, FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})


class Checked(NamedTuple):
    """For each record, whether a condition holds, and whether all values that it names are known."""

    holds: Flags
    known: Flags


@dataclass(frozen=True)
class LinearComparison:
    """A weighted sum of columns lies in a range; where `strict`, not at its ends."""

    edit: Edit
    strict: bool = False

    def names(self) -> Iterator[str]:
        """The columns that it names."""
        yield from self.edit.terms

    def check(self, columns: EditColumns, tolerance: float, units: Mapping[str, float]) -> Checked:
        """Which records satisfy it; a strict one has no tolerance."""
        total, _ = self.edit.sums(columns)
        known = ~np.isnan(total)
        if self.strict:
            return Checked((total > self.edit.low) & (total < self.edit.high), known)
        return Checked(~self.edit.violations(columns, tolerance, units), known)


@dataclass(frozen=True)
class Comparison:
    """Two expressions compared, where that is not linear: `price == units * unit_price`, or with a tolerance in %."""

    left: Expression
    sign: str
    right: Expression
    tolerance: float = 0.0
    share: float = 0.0

    def names(self) -> Iterator[str]:
        """The columns that it names."""
        yield from columns_in(self.left)
        yield from columns_in(self.right)

    def check(self, columns: EditColumns, tolerance: float, units: Mapping[str, float]) -> Checked:
        """Which records satisfy it, up to rounding and the tolerance."""
        left, right = computed(self.left, columns, units), computed(self.right, columns, units)
        difference = left.value - right.value
        larger = np.maximum(np.abs(left.value), np.abs(right.value))
        slack = left.error + right.error + self.tolerance + self.share * larger + tolerance
        holds = {
            "==": np.abs(difference) <= slack,
            "<=": difference <= slack,
            ">=": difference >= -slack,
            "<": difference < self.tolerance + self.share * larger,
            ">": difference > -self.tolerance - self.share * larger,
        }[self.sign]
        return Checked(holds, ~np.isnan(difference))


@dataclass(frozen=True)
class CategoryComparison:
    """The value of a column is one of some (`in`), or of an ordered column before or after one (`<=`)."""

    name: str
    sign: str
    values: tuple[str, ...]

    def names(self) -> Iterator[str]:
        """The column that it names."""
        yield self.name

    def check(self, columns: EditColumns, tolerance: float, units: Mapping[str, float]) -> Checked:
        """Which records satisfy it."""
        column = columns[self.name]
        if not isinstance(column, CategoryColumn):
            values = numbers_of(column)
            accepted = [float(value) for value in self.values if reads_as_number(value)]
            return Checked(np.isin(values, accepted), ~np.isnan(values))
        accepted_codes = np.array([*self.accepted(column), False], dtype=bool)
        return Checked(accepted_codes[column.codes], column.codes >= 0)

    def accepted(self, column: CategoryColumn) -> list[bool]:
        """Which categories satisfy it; an order is that of the categories."""
        texts = [category_text(category) for category in column.categories]
        if self.sign == "in":
            return [text in self.values for text in texts]
        if self.values[0] not in texts:
            return [False] * len(texts)
        position = texts.index(self.values[0])
        return [
            {"<": code < position, "<=": code <= position, ">": code > position, ">=": code >= position}[self.sign]
            for code in range(len(texts))
        ]


@dataclass(frozen=True)
class Truth:
    """A column of true and false (or yes and no, or 1 and 0) is true."""

    name: str

    def names(self) -> Iterator[str]:
        """The column that it names."""
        yield self.name

    def check(self, columns: EditColumns, tolerance: float, units: Mapping[str, float]) -> Checked:
        """Which records satisfy it; a value that is neither true nor false is not known."""
        column = columns[self.name]
        if not isinstance(column, CategoryColumn):
            values = numbers_of(column)
            return Checked(values == 1, (values == 0) | (values == 1))
        texts = [category_text(category).casefold() for category in column.categories]
        holds = np.array([*(text in TRUE for text in texts), False], dtype=bool)
        known = np.array([*(text in TRUE | FALSE for text in texts), False], dtype=bool)
        return Checked(holds[column.codes], known[column.codes])


@dataclass(frozen=True)
class Not:
    """The condition does not hold."""

    condition: "Condition"

    def names(self) -> Iterator[str]:
        """The columns that it names."""
        yield from self.condition.names()

    def check(self, columns: EditColumns, tolerance: float, units: Mapping[str, float]) -> Checked:
        """Which records satisfy it."""
        checked = self.condition.check(columns, tolerance, units)
        return Checked(~checked.holds, checked.known)


@dataclass(frozen=True)
class Joined:
    """Several conditions, joined by `and` or `or`."""

    join: ClassVar[np.ufunc]

    conditions: tuple["Condition", ...]

    def names(self) -> Iterator[str]:
        """The columns that they name."""
        for condition in self.conditions:
            yield from condition.names()

    def check(self, columns: EditColumns, tolerance: float, units: Mapping[str, float]) -> Checked:
        """Which records satisfy them together."""
        parts = [condition.check(columns, tolerance, units) for condition in self.conditions]
        holds = self.join.reduce([part.holds for part in parts])
        return Checked(holds, np.logical_and.reduce([part.known for part in parts]))


@dataclass(frozen=True)
class Every(Joined):
    """All conditions hold."""

    join = np.logical_and


@dataclass(frozen=True)
class Some(Joined):
    """At least one of the conditions holds."""

    join = np.logical_or


Atom = LinearComparison | Comparison | CategoryComparison | Truth
Condition = Atom | Not | Every | Some


@dataclass(frozen=True)
class Rule:
    """An edit that is written as text and is not a linear one, such as `if married then age >= 16`."""

    text: str
    condition: Condition

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that it names, each once."""
        return tuple(dict.fromkeys(self.condition.names()))

    def __str__(self) -> str:
        return self.text

    def violations(
        self, columns: EditColumns, tolerance: float = 1e-9, units: Mapping[str, float] | None = None
    ) -> Flags:
        """Which records break it; a record with a missing value in it does not."""
        checked = self.condition.check(columns, tolerance, units or {})
        return checked.known & ~checked.holds

    def linear_parts(self) -> tuple[LinearPart, ...]:
        """The linear comparisons that hold for every record: those that are not under an `or` or an `if`."""
        together = self.condition.conditions if isinstance(self.condition, Every) else (self.condition,)
        return tuple(
            LinearPart(each.edit.terms, each.edit.low, each.edit.high, each.strict)
            for each in together
            if isinstance(each, LinearComparison)
        )


def category_text(category: Any) -> str:
    """A category as an edit writes it: 1 for 1.0, and true for True."""
    if isinstance(category, bool):
        return str(category).lower()
    return str(int(category)) if isinstance(category, float) and category.is_integer() else str(category)


def reads_as_number(text: str) -> bool:
    """Whether a text is a number as Python reads it."""
    try:
        float(text)
    except ValueError:
        return False
    return True
