"""Alternatives of an edit: the ways to satisfy it, each a list of comparisons that hold together.

`if married then age >= 16` has two, `not married` and `age >= 16`. The records that satisfy the same one by
linear comparisons form a convex set, so that their mean satisfies it as well.
"""

from itertools import product

from sdckit.edit_conditions import (
    Comparison,
    Condition,
    Every,
    LinearComparison,
    Not,
    Rule,
    Some,
)
from sdckit.edits import Edit, RecordCondition

MOST = 16  # alternatives: an edit with more is only checked
OPPOSITE = {"<=": (">",), ">=": ("<",), "<": (">=",), ">": ("<=",), "==": ("<", ">")}

Alternative = tuple[Condition, ...]  # comparisons, and `Not` of comparisons of categories


def alternatives(edit: RecordCondition) -> tuple[Alternative, ...]:
    """The ways to satisfy an edit; empty where there are too many.

    >>> from sdckit.edits import Edits
    >>> (rule,) = Edits.from_text("if a > 3 then b >= 0 and c == 1")
    >>> [len(each) for each in alternatives(rule)]
    [1, 2]
    """
    if isinstance(edit, Edit):
        return ((LinearComparison(edit),),)
    found = _satisfying(edit.condition) if isinstance(edit, Rule) else ()
    return found if len(found) <= MOST else ()


def _satisfying(condition: Condition) -> tuple[Alternative, ...]:
    if isinstance(condition, Not):
        return _failing(condition.condition)
    if isinstance(condition, Every):
        return _together([_satisfying(each) for each in condition.conditions])
    if isinstance(condition, Some):
        return tuple(each for part in condition.conditions for each in _satisfying(part))
    return ((condition,),)


def _failing(condition: Condition) -> tuple[Alternative, ...]:
    if isinstance(condition, Not):
        return _satisfying(condition.condition)
    if isinstance(condition, Every):
        return tuple(each for part in condition.conditions for each in _failing(part))
    if isinstance(condition, Some):
        return _together([_failing(each) for each in condition.conditions])
    if isinstance(condition, LinearComparison):
        edit, strict = condition.edit, not condition.strict
        below, above = Edit(edit.terms, high=edit.low), Edit(edit.terms, low=edit.high)
        sides = (below, abs(edit.low)), (above, abs(edit.high))
        return tuple((LinearComparison(side, strict),) for side, end in sides if end != float("inf"))
    if isinstance(condition, Comparison) and not condition.tolerance and not condition.share:
        return tuple((Comparison(condition.left, sign, condition.right),) for sign in OPPOSITE[condition.sign])
    return ((Not(condition),),)


def _together(parts: list[tuple[Alternative, ...]]) -> tuple[Alternative, ...]:
    """Every choice of one alternative from each part, unless these are too many."""
    joined: tuple[Alternative, ...] = ((),)
    for part in parts:
        joined = tuple((*first, *second) for first, second in product(joined, part))
        if len(joined) > MOST:
            return ((),) * (MOST + 1)
    return joined
