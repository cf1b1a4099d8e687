"""Promises: values that the published recipe makes impossible for a record, as blocks of the law."""

from collections.abc import Sequence

import numpy as np

from sdckit.candidates import Candidates, Groups
from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import distinct_flags
from sdckit.kernels.row_constraints import present_values
from sdckit.laws.blocks import Block, Intervals, Table
from sdckit.laws.release_law import RowClasses
from sdckit.row_sets import Constraints


def promised(view: AttackerView, rows: RowClasses, names: Sequence[str]) -> list[Block]:
    """What the recipe makes impossible of some attributes: values outside an interval or a set of categories."""
    if not view.exact:
        return []
    known = Candidates.known(view.known, view.attributes, complete=view.everyone, original=view.original)
    possible = view.published_recipe.candidates(known, view.released)
    if possible is None:
        return []
    possible = possible.promised().only(names)
    constraints = Constraints.of(possible, view.released)
    values = present_values(constraints.values, constraints.missing_fits)[rows.first]
    numbers = tuple(name for name in possible.lower if name in view.released)
    sides = constraints.lower, constraints.upper, values
    blocks: list[Block] = [
        Intervals((name,), *(each[:, [index]] for each in sides)) for index, name in enumerate(numbers)
    ]
    blocks += [_promised_runs(group, rows, names) for group in possible.groups if _in_runs(group)]
    return blocks + [
        _promised_categories(view, name, possible, rows) for name in possible.allowed if name in view.released
    ]


def _in_runs(group: Groups) -> bool:
    """Whether the groups of every record are consecutive, as along an axis."""
    within = np.ones(len(group.listed), bool)
    within[group.starts[:-1][np.diff(group.starts) > 0]] = False
    return bool((np.diff(group.listed, prepend=0)[within] == 1).all())


def _promised_runs(group: Groups, rows: RowClasses, names: Sequence[str]) -> Intervals:
    """Classes of rows none of whose groups is in the run of the record are impossible."""
    least, most = np.full(len(rows.sizes), np.inf), np.full(len(rows.sizes), -np.inf)
    np.minimum.at(least, rows.of, group.of_row)
    np.maximum.at(most, rows.of, group.of_row)
    filled = np.diff(group.starts) > 0
    first, last = np.full(len(filled), np.inf), np.full(len(filled), -np.inf)
    first[filled] = group.listed[group.starts[:-1][filled]]
    last[filled] = group.listed[group.starts[1:][filled] - 1]
    open_end = np.full(len(filled), np.inf)
    return Intervals(
        tuple(names),
        np.column_stack([-open_end, first]),
        np.column_stack([last, open_end]),
        np.column_stack([least, most]),
    )


def _promised_categories(view: AttackerView, name: str, possible: Candidates, rows: RowClasses) -> Table:
    """The categories that a record can have: impossible ones, and a hole where none can be."""
    patterns, of_record = distinct_flags(possible.allowed[name])
    released = view.released.columns[name].astype(np.int64)[rows.first]
    columns = max(len(view.released.attribute(name).categories or ()), patterns.shape[1])
    entries = np.full((len(patterns), columns + 1), -np.inf)
    entries[:, : patterns.shape[1]][patterns] = 0.0
    entries[:, columns] = np.where(patterns.all(axis=1) | (name in possible.may_be_missing), 0.0, -np.inf)
    return Table((name,), entries, of_record, np.where(released < 0, columns, released))
