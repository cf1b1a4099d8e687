"""Problems of edits with the columns of a file: contradictions, and conditions that no value of a column can meet."""

from collections.abc import Iterator

import numpy as np

from sdckit.edit_arithmetic import columns_in
from sdckit.edit_checks import edit_columns
from sdckit.edit_conditions import (
    FALSE,
    TRUE,
    Atom,
    CategoryComparison,
    Comparison,
    Condition,
    Every,
    LinearComparison,
    Not,
    Rule,
    Some,
    Truth,
    category_text,
    reads_as_number,
)
from sdckit.edit_feasibility import contradiction, contradiction_message
from sdckit.edits import CategoryColumn, EditColumns, RecordCondition, numbers_of
from sdckit.errors import near_miss
from sdckit.microdata import Microdata


def edit_problems(data: Microdata) -> tuple[str, ...]:
    """What is wrong with the edits of a file, one sentence each; nothing where all can be checked and satisfied."""
    edits = tuple(data.edits.among(data.columns))
    problems = [f"the edit {edit}: {problem}" for edit in edits for problem in _misuses(edit, data)]
    conflict = contradiction(edits)
    return (*problems, contradiction_message(conflict)) if conflict else tuple(problems)


def atoms(condition: Condition) -> Iterator[Atom]:
    """The comparisons that a condition is made of."""
    if isinstance(condition, Not):
        yield from atoms(condition.condition)
    elif isinstance(condition, Every | Some):
        for each in condition.conditions:
            yield from atoms(each)
    else:
        yield condition


def _misuses(edit: RecordCondition, data: Microdata) -> Iterator[str]:
    columns = edit_columns(data, edit.attributes)
    parts = atoms(edit.condition) if isinstance(edit, Rule) else list(edit.linear_parts())
    for part in parts:
        if isinstance(part, CategoryComparison):
            yield from _unknown_categories(part, columns)
        elif isinstance(part, Truth):
            yield from _neither_true_nor_false(part, columns)
        else:
            yield from _no_numbers(_computed_with(part), columns)


def _computed_with(part: object) -> tuple[str, ...]:
    if isinstance(part, LinearComparison):
        return part.edit.attributes
    if isinstance(part, Comparison):
        return tuple(dict.fromkeys([*columns_in(part.left), *columns_in(part.right)]))
    return tuple(getattr(part, "terms", ()))


def _no_numbers(names: tuple[str, ...], columns: EditColumns) -> Iterator[str]:
    for name in names:
        column = columns[name]
        if isinstance(column, CategoryColumn) and column.categories and bool(np.isnan(numbers_of(column)).all()):
            example = column.categories[0]
            yield f"{name!r} has categories such as {example!r}, which are no numbers, so that it is never checked"


def _neither_true_nor_false(part: Truth, columns: EditColumns) -> Iterator[str]:
    column = columns[part.name]
    if isinstance(column, CategoryColumn):
        other = [each for each in column.categories if category_text(each).casefold() not in TRUE | FALSE]
    else:
        values = numbers_of(column)
        other = [f"{value:g}" for value in np.unique(values[~np.isnan(values)])[:3] if value not in (0, 1)]
    if other:
        yield f"{part.name!r} has the value {other[0]!r}, which is neither true nor false; compare it with a value"


def _unknown_categories(part: CategoryComparison, columns: EditColumns) -> Iterator[str]:
    column = columns[part.name]
    if not isinstance(column, CategoryColumn):
        text = next((value for value in part.values if not reads_as_number(value)), None)
        if text is not None:
            cure = f"if {text!r} is a column, write it in backquotes"
            yield f"{part.name!r} is a column of numbers and is compared with the text {text!r}; {cure}"
        elif part.sign != "in":
            yield f"{part.name!r} is a column of numbers; write {part.values[0]} without quotes"
        return
    if part.sign != "in" and not column.ordered:
        yield f"the categories of {part.name!r} have no order; declare one in the schema, or write in {{…}}"
    known = [category_text(category) for category in column.categories]
    for value in part.values:
        if value not in known:
            yield f"{part.name!r} has no category {value!r}{near_miss(value, known)}"
