"""Edits as text: `total == net + tax`, `0 <= age <= 130`, `price == units * unit_price`, `if married then age >= 16`.

    edit        condition | if condition then condition
    condition   comparisons joined by and, or, not and brackets; a column by itself means that it is true
    comparison  sum (== | != | < | <= | > | >=) sum …  [within number [%]]   |   column [not] in {value, …}
    sum         numbers and columns with + - * / and brackets

A column whose name is not a plain word is written in backquotes: `` `gross income` >= 0 ``. Quotes do as well, except
to the right of a comparison with a single column: there a quoted text is a category, as in `sex == "female"`. The text
is read by the functions below and by nothing else: no part of it is ever executed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sdckit.edit_arithmetic import Column, Expression, Number, Operation, columns_in, linear_form, plus
from sdckit.edit_conditions import (
    CategoryComparison,
    Comparison,
    Condition,
    Every,
    LinearComparison,
    Not,
    Rule,
    Some,
    Truth,
)
from sdckit.edit_tokens import Token, TokenReader
from sdckit.edits import Edit
from sdckit.errors import SchemaError

COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
DEEPEST = 50  # brackets within brackets


def parse_edit(text: str) -> Edit | Rule:
    """The edit that a text describes: a linear one where it is, else a rule.

    >>> parse_edit("0 <= age <= 130")
    Edit(terms={'age': 1.0}, low=0.0, high=130.0, text='0 <= age <= 130')
    >>> parse_edit("if married then age >= 16").attributes
    ('married', 'age')
    """
    condition = _Parser(text).parse()
    text = text.strip()
    together = condition.conditions if isinstance(condition, Every) else (condition,)
    linear = [each.edit for each in together if isinstance(each, LinearComparison) and not each.strict]
    if len(linear) == len(together) and all(each.terms == linear[0].terms for each in linear):
        low, high = max(each.low for each in linear), min(each.high for each in linear)
        if low > high:
            raise SchemaError(f"the edit {text!r} can never hold: its low end is above its high end")
        return Edit(linear[0].terms, low, high, text)
    return Rule(text, condition)


@dataclass(frozen=True)
class _Quoted:
    """A quoted text: a column or a category, which only what is beside it shows."""

    text: str


@dataclass(frozen=True)
class _Tolerance:
    """How far two sides may differ: by a number, or by a share of the larger one."""

    number: float = 0.0
    share: float = 0.0


_Operand = Expression | _Quoted | bool


class _Parser(TokenReader):
    """Reads a text from left to right, one function for each line of the grammar."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth = 0

    def parse(self) -> Condition:
        """The condition of the whole text."""
        if self.takes("if"):
            governing = self.condition()
            self.expect("then")
            condition: Condition = Some((Not(governing), self.condition()))
        else:
            condition = self.condition()
        if self.word.kind != "end":
            raise self.error(f"expected the end, and, or, or a comparison, not {self.word.shown}")
        return condition

    # Conditions

    def condition(self) -> Condition:
        start = self.word
        return self.as_condition(self.any_of(), start)

    def any_of(self) -> Condition | _Operand:
        return self.joined("or", self.all_of, Some)

    def all_of(self) -> Condition | _Operand:
        return self.joined("and", self.negation, Every)

    def joined(
        self, word: str, part: Callable[[], "Condition | _Operand"], join: type[Every] | type[Some]
    ) -> Condition | _Operand:
        start = self.word
        first = part()
        if not (self.word.kind == "keyword" and self.word.text == word):
            return first
        parts = [self.as_condition(first, start)]
        while self.takes(word):
            start = self.word
            parts.append(self.as_condition(part(), start))
        return join(tuple(each for part in parts for each in _flat(part, join)))

    def negation(self) -> Condition | _Operand:
        if not self.takes("not"):
            return self.comparison()
        start = self.word
        return Not(self.as_condition(self.deeper(self.negation), start))

    def comparison(self) -> Condition | _Operand:
        starts = [self.word]
        operands: list[_Operand] = []
        first = self.sum()
        if isinstance(first, Condition):
            return first
        operands.append(first)
        if self.word.text in ("in", "not") and self.word.kind == "keyword":
            return self.membership(first, starts[0])
        signs = []
        while sign := self.takes(*COMPARISONS):
            signs.append(sign)
            starts.append(self.word)
            operands.append(self.operand())
        if not signs:
            return first
        tolerance = self.tolerance()
        parts = list(self.pairs(operands, signs, starts, tolerance))
        return parts[0] if len(parts) == 1 else Every(tuple(parts))

    def tolerance(self) -> _Tolerance:
        if not self.takes("within"):
            return _Tolerance()
        if self.word.kind != "number":
            raise self.error(f"expected a number after within, not {self.word.shown}")
        self.next += 1
        number = float(self.words[self.next - 1].text)
        return _Tolerance(share=number / 100) if self.takes("%") else _Tolerance(number)

    def pairs(
        self, operands: list[_Operand], signs: list[str], starts: list[Token], tolerance: _Tolerance
    ) -> Iterator[Condition]:
        """The comparison of each operand with the next one."""
        for (left, right), sign, start in zip(pairwise(operands), signs, starts, strict=False):
            first = self.single_column(left) if len(signs) == 1 else None
            if first is not None and isinstance(right, bool):
                if sign not in ("==", "!="):
                    raise self.error(f"true and false have no order; write == instead of {sign}", start)
                yield Truth(first) if right == (sign == "==") else Not(Truth(first))
            elif first is not None and isinstance(right, _Quoted):
                yield _category_comparison(first, sign, right.text)
            else:
                yield self.compared(self.arithmetic(left, start), sign, self.arithmetic(right, start), start, tolerance)

    def compared(
        self, left: Expression, sign: str, right: Expression, start: Token, tolerance: _Tolerance
    ) -> Condition:
        if not [*columns_in(left), *columns_in(right)]:
            raise self.error("two numbers are compared; name a column", start)
        if sign == "!=":
            return Not(self.compared(left, "==", right, start, tolerance))
        one, other = linear_form(left), linear_form(right)
        if one is None or other is None or tolerance.share:
            return Comparison(left, sign, right, tolerance.number, tolerance.share)
        terms, constant = plus(one, other, -1.0)
        if not terms:
            raise self.error("both sides are the same sum of columns; nothing is left to compare", start)
        low = -constant - tolerance.number if sign in ("==", ">=", ">") else -np.inf
        high = -constant + tolerance.number if sign in ("==", "<=", "<") else np.inf
        if next(iter(terms.values())) < 0:  # one way to write an edit, whichever side its columns are on
            terms, low, high = {name: -each for name, each in terms.items()}, -high, -low
        return LinearComparison(Edit(terms, low + 0.0, high + 0.0), strict=sign in "<>")

    def membership(self, operand: _Operand, start: Token) -> Condition:
        negated = bool(self.takes("not"))
        self.expect("in")
        name = self.single_column(operand)
        if name is None:
            raise self.error("only a single column can be in a set", start)
        self.expect("{")
        values = [self.member()]
        while self.takes(","):
            values.append(self.member())
        self.expect("}")
        condition = CategoryComparison(name, "in", tuple(values))
        return Not(condition) if negated else condition

    def member(self) -> str:
        minus = self.takes("-")
        word = self.word
        plain = word.kind == "number" or (not minus and word.kind in ("name", "quoted", "column"))
        if not plain and not (word.kind == "keyword" and word.text in ("true", "false")):
            raise self.error(f"expected a value of the set, not {word.shown}")
        self.next += 1
        if word.kind == "number":
            return f"{minus}{float(word.text):g}" if float(word.text) % 1 else f"{minus}{int(float(word.text))}"
        return word.text

    # Arithmetic

    def sum(self) -> Condition | _Operand:
        return self.operation(("+", "-"), self.product)

    def product(self) -> Condition | _Operand:
        return self.operation(("*", "/"), self.unary)

    def operation(self, signs: tuple[str, str], part: Callable[[], "Condition | _Operand"]) -> Condition | _Operand:
        start = self.word
        total = part()
        while sign := self.takes(*signs):
            after = self.word
            total = Operation(sign, self.arithmetic(total, start), self.arithmetic(part(), after))
        return total

    def unary(self) -> Condition | _Operand:
        if self.takes("+"):
            start = self.word
            return self.arithmetic(self.deeper(self.unary), start)
        if self.takes("-"):
            start = self.word
            value = self.arithmetic(self.deeper(self.unary), start)
            return Number(-value.value) if isinstance(value, Number) else Operation("*", Number(-1.0), value)
        return self.primary()

    def primary(self) -> Condition | _Operand:
        word = self.word
        if self.takes("("):
            inner = self.deeper(self.any_of)
            self.expect(")")
            return self.arithmetic(inner, word) if isinstance(inner, _Quoted) else inner
        if word.kind not in ("number", "name", "column", "quoted") and word.text not in ("true", "false"):
            raise self.error(f"expected a column or a number, not {word.shown}")
        self.next += 1
        if word.kind == self.word.kind == "name":
            name = f"{word.text} {self.word.text}"
            raise self.error(
                f"expected the end, and, or, or a comparison, not {self.word.shown}; a column whose name has spaces is "
                f"written in backquotes: `{name}`"
            )
        if word.kind == "number":
            return Number(float(word.text))
        if word.kind == "keyword":
            return word.text == "true"
        return _Quoted(word.text) if word.kind == "quoted" else Column(word.text)

    def operand(self) -> _Operand:
        start = self.word
        operand = self.sum()
        if isinstance(operand, Condition):
            raise self.error("a condition cannot be compared; join conditions by and, or", start)
        return operand

    def deeper(self, part: Callable[[], "Condition | _Operand"]) -> Condition | _Operand:
        """A part within brackets, of which there are not too many."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"more than {DEEPEST} brackets or signs lie within each other")
        inner = part()
        self.depth -= 1
        return inner

    # What an operand is

    def arithmetic(self, operand: Condition | _Operand, start: Token) -> Expression:
        if isinstance(operand, _Quoted):
            return Column(operand.text)
        if isinstance(operand, bool):
            raise self.error("true and false can only be compared with a single column", start)
        if isinstance(operand, Number | Column | Operation):
            return operand
        raise self.error("a condition cannot be computed with", start)

    def as_condition(self, operand: Condition | _Operand, start: Token) -> Condition:
        if isinstance(operand, Column | _Quoted):
            return Truth(operand.name if isinstance(operand, Column) else operand.text)
        if isinstance(operand, bool | Number | Operation):
            raise self.error("a condition is expected here; compare it with something, as in age >= 16", start)
        return operand

    def single_column(self, operand: _Operand) -> str | None:
        if isinstance(operand, _Quoted):
            return operand.text
        return operand.name if isinstance(operand, Column) else None


def _flat(part: Condition, join: type[Every] | type[Some]) -> tuple[Condition, ...]:
    return part.conditions if isinstance(part, join) else (part,)


def _category_comparison(name: str, sign: str, value: str) -> Condition:
    if sign in ("==", "!="):
        condition = CategoryComparison(name, "in", (value,))
        return condition if sign == "==" else Not(condition)
    return CategoryComparison(name, sign, (value,))
