"""Derived attributes: values that an edit determines, computed from the synthetic values of the other attributes.

`total == net + tax` determines each of the three by the others, and so does `price == units * unit_price`. Values drawn
one by one never satisfy an equality: the total is computed, and the parts are drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.edit_arithmetic import Monomial, monomial
from sdckit.edit_conditions import Comparison, Rule
from sdckit.edits import Edit, RecordCondition
from sdckit.microdata import Microdata

Columns = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Derived:
    """An attribute and how it is computed: constant + Σ c x, or constant · Π x^c over the other attributes."""

    edit: RecordCondition
    name: str
    others: Mapping[str, float]
    constant: float
    product: bool = False

    def values(self, columns: Columns) -> NDArray[np.float64]:
        """The value for each record; NaN where another is missing or it divides by zero."""
        start = np.full(len(columns[self.name]), self.constant)
        if not self.product:
            return np.asarray(start + sum(c * columns[name] for name, c in self.others.items()), dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            for name, exponent in self.others.items():
                start = start * columns[name] ** exponent
        return np.where(np.isfinite(start), start, np.nan)


def derived_attributes(data: Microdata, replaced: Sequence[str]) -> tuple[Derived, ...]:
    """What the equalities among the edits determine, in an order in which it can be computed.

    Each has an attribute of its own, which no earlier one is computed from. Where only one attribute of an equality is
    replaced, nothing is derived: that would be the original value.
    """
    found: list[Derived] = []
    used: set[str] = set()
    for edit in data.edits:
        names = [name for name in edit.attributes if name in data]
        numbers = all(not data.attribute(name).coded for name in names) and len(names) == len(edit.attributes)
        if not numbers or sum(name in replaced for name in names) < 2:
            continue
        free = [name for name in names if name in replaced and name not in used]
        chosen = next((each for each in _ways(edit) if each.name in free), None)
        if chosen is not None:
            found.append(chosen)
            used |= set(names)
    return tuple(found)


def with_derived(
    derived: Sequence[Derived], columns: Mapping[str, NDArray[Any]], decimals: Mapping[str, int | None]
) -> dict[str, NDArray[Any]]:
    """The columns with the derived attributes computed, rounded to their decimals."""
    complete = dict(columns)
    for each in derived:
        values, places = each.values(complete), decimals.get(each.name)
        complete[each.name] = values if places is None else np.round(values, places)
    return complete


def _ways(edit: RecordCondition) -> Iterator[Derived]:
    """The attributes that an equality determines, a total before its parts."""
    if isinstance(edit, Edit) and edit.low == edit.high and len(edit.terms) > 1:
        yield from _linear(edit)
    if isinstance(edit, Rule) and isinstance(edit.condition, Comparison) and edit.condition.sign == "==":
        left, right = monomial(edit.condition.left), monomial(edit.condition.right)
        if left is not None and right is not None:
            yield from _product(edit, left, right)


def _linear(edit: Edit) -> Iterator[Derived]:
    terms = {name: coefficient for name, coefficient in edit.terms.items() if coefficient}

    def alone(name: str) -> bool:
        return all(np.sign(terms[name]) != np.sign(terms[other]) for other in terms if other != name)

    for name in sorted(terms, key=lambda each: not alone(each)):
        others = {other: -coefficient / terms[name] for other, coefficient in terms.items() if other != name}
        yield Derived(edit, name, others, edit.low / terms[name])


def _product(edit: RecordCondition, left: Monomial, right: Monomial) -> Iterator[Derived]:
    """left = right, solved for attributes with an exponent of 1 or −1; a product before a quotient."""
    exponents = dict(left.exponents)
    for name, exponent in right.exponents.items():
        exponents[name] = exponents.get(name, 0.0) - exponent
    if not left.factor or not right.factor:
        return
    found = []
    for name, exponent in exponents.items():
        if abs(exponent) == 1:
            others = {other: -each / exponent for other, each in exponents.items() if other != name and each}
            constant = float((right.factor / left.factor) ** exponent)
            found.append(Derived(edit, name, others, constant, product=True))
    yield from sorted(found, key=lambda each: min(each.others.values(), default=0.0) < 0)
