"""Arithmetic of edits: sums, differences, products and quotients of columns and numbers, computed column by column."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.edits import EditColumns, numbers_of

EXACT = 1e-9  # of the size of a value: rounding errors of floating point


@dataclass(frozen=True)
class Number:
    """A constant."""

    value: float


@dataclass(frozen=True)
class Column:
    """The value that a record has in a column."""

    name: str


@dataclass(frozen=True)
class Operation:
    """Two expressions joined by + − * or /."""

    sign: str
    left: "Expression"
    right: "Expression"


Expression = Number | Column | Operation


class LinearForm(NamedTuple):
    """Σ coefficient · column + constant."""

    terms: dict[str, float]
    constant: float


class Monomial(NamedTuple):
    """factor · Π column^exponent."""

    exponents: dict[str, float]
    factor: float


class Computed(NamedTuple):
    """The value of an expression for each record, and how far rounding may have moved it."""

    value: NDArray[np.float64]
    error: NDArray[np.float64]


def columns_in(expression: Expression) -> Iterator[str]:
    """The columns that an expression names, in order."""
    if isinstance(expression, Column):
        yield expression.name
    elif isinstance(expression, Operation):
        yield from columns_in(expression.left)
        yield from columns_in(expression.right)


def linear_form(expression: Expression) -> LinearForm | None:
    """The expression as a weighted sum; None where columns are multiplied or divided by columns."""
    if isinstance(expression, Number):
        return LinearForm({}, expression.value)
    if isinstance(expression, Column):
        return LinearForm({expression.name: 1.0}, 0.0)
    left, right = linear_form(expression.left), linear_form(expression.right)
    if left is None or right is None:
        return None
    if expression.sign in "+-":
        return plus(left, right, 1.0 if expression.sign == "+" else -1.0)
    if expression.sign == "/":
        return None if right.terms or right.constant == 0 else _times(left, 1.0 / right.constant)
    if left.terms and right.terms:
        return None
    return _times(left, right.constant) if left.terms else _times(right, left.constant)


def plus(left: LinearForm, right: LinearForm, factor: float) -> LinearForm:
    """left + factor · right."""
    terms = dict(left.terms)
    for name, coefficient in right.terms.items():
        terms[name] = terms.get(name, 0.0) + factor * coefficient
    return LinearForm({name: each for name, each in terms.items() if each}, left.constant + factor * right.constant)


def _times(form: LinearForm, factor: float) -> LinearForm:
    terms = {name: factor * each for name, each in form.terms.items() if factor * each}
    return LinearForm(terms, factor * form.constant)


def monomial(expression: Expression) -> Monomial | None:
    """The expression as a product of powers of columns; None where it adds or subtracts."""
    if isinstance(expression, Number):
        return Monomial({}, expression.value)
    if isinstance(expression, Column):
        return Monomial({expression.name: 1.0}, 1.0)
    left, right = monomial(expression.left), monomial(expression.right)
    if left is None or right is None or expression.sign in "+-":
        return None
    sign = 1.0 if expression.sign == "*" else -1.0
    if sign < 0 and right.factor == 0:
        return None
    exponents = dict(left.exponents)
    for name, each in right.exponents.items():
        exponents[name] = exponents.get(name, 0.0) + sign * each
    factor = left.factor * right.factor if sign > 0 else left.factor / right.factor
    return Monomial({name: each for name, each in exponents.items() if each}, factor)


def computed(expression: Expression, columns: EditColumns, units: Mapping[str, float]) -> Computed:
    """The value for each record, NaN where one that it needs is missing or it divides by zero.

    Each column that is rounded to a unit may be off by half of it, and floating point by some last digits.
    """
    if isinstance(expression, Number):
        return Computed(np.array(expression.value), np.array(0.0))
    if isinstance(expression, Column):
        value = numbers_of(columns[expression.name])
        return Computed(value, EXACT * np.abs(value) + units.get(expression.name, 0.0) / 2)
    left, right = (computed(part, columns, units) for part in (expression.left, expression.right))
    return OPERATIONS[expression.sign](left, right)


def _quotient(left: Computed, right: Computed) -> Computed:
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(right.value == 0, np.nan, left.value / right.value)
        least = np.maximum(np.abs(right.value) - right.error, 0.0)
        error = np.where(least > 0, (left.error + np.abs(value) * right.error) / least, np.inf)
    return Computed(value, np.where(np.isnan(value), np.nan, error))


OPERATIONS: dict[str, Callable[[Computed, Computed], Computed]] = {
    "+": lambda a, b: Computed(a.value + b.value, a.error + b.error),
    "-": lambda a, b: Computed(a.value - b.value, a.error + b.error),
    "*": lambda a, b: Computed(
        a.value * b.value, np.abs(a.value) * b.error + np.abs(b.value) * a.error + a.error * b.error
    ),
    "/": _quotient,
}
