"""Contradictory edits: linear conditions that no record can satisfy together, found before any work."""

from collections.abc import Sequence

import numpy as np

from sdckit.edit_checks import edit_columns
from sdckit.edits import LinearPart, RecordCondition
from sdckit.errors import SchemaError
from sdckit.microdata import Microdata

MARGIN = 1e-7  # by how much a strict inequality must be satisfiable


def require_consistent_edits(data: Microdata) -> None:
    """Refuse a file whose linear edits contradict each other, naming those that do.

    A record that satisfies all of them is proof enough; only where there is none is a linear program solved.
    """
    edits = tuple(edit for edit in data.edits.among(data.columns) if edit.linear_parts())
    if not edits or _some_record_satisfies(edits, data):
        return
    conflict = contradiction(edits)
    if conflict:
        raise SchemaError(contradiction_message(conflict))


def contradiction(edits: Sequence[RecordCondition]) -> tuple[RecordCondition, ...]:
    """The edits that no record can satisfy together, none of them dispensable; empty where a record can.

    >>> from sdckit.edits import Edits
    >>> [str(edit) for edit in contradiction(tuple(Edits.from_text("a >= 5", "b >= 0", "a + b <= 3")))]
    ['a >= 5', 'b >= 0', 'a + b <= 3']
    """
    conflict = [edit for edit in edits if edit.linear_parts()]
    if not conflict or satisfiable(conflict):
        return ()
    for edit in tuple(conflict):
        rest = [each for each in conflict if each is not edit]
        if not satisfiable(rest):
            conflict = rest
    return tuple(conflict)


def contradiction_message(conflict: Sequence[RecordCondition]) -> str:
    """Contradictory edits in words."""
    if len(conflict) == 1:
        return f"no record can satisfy the edit {conflict[0]}; correct it"
    *first, last = map(str, conflict)
    return f"no record can satisfy the edits {', '.join(first)} and {last} together; correct one of them"


def satisfiable(edits: Sequence[RecordCondition]) -> bool:
    """Whether some numbers satisfy the linear parts of all edits."""
    from scipy.optimize import linprog

    parts = [part for edit in edits for part in edit.linear_parts()]
    names = list(dict.fromkeys(name for part in parts for name in part.terms))
    if not names:
        return True
    rows, limits = zip(*(each for part in parts for each in _rows(part, names)), strict=True) if parts else ((), ())
    if not rows:
        return True
    strict = any(part.strict for part in parts)
    bounds = [(None, None)] * len(names) + [(0, 1)]
    cost = np.zeros(len(names) + 1)
    cost[-1] = -1.0
    solved = linprog(cost, A_ub=np.array(rows), b_ub=np.array(limits), bounds=bounds, method="highs")
    if solved.status not in (0, 2):
        return True  # no proof of a contradiction
    return solved.x is not None and (not strict or float(solved.x[-1]) > MARGIN)


def _rows(part: LinearPart, names: Sequence[str]) -> list[tuple[list[float], float]]:
    """The part as rows · (x, margin) ≤ limit; the margin counts where the inequality is strict."""
    size = max(abs(each) for each in part.terms.values()) or 1.0
    coefficients = [part.terms.get(name, 0.0) / size for name in names]
    margin = 1.0 if part.strict else 0.0
    upper = ([*coefficients, margin], part.high / size)
    lower = ([*(-each for each in coefficients), margin], -part.low / size)
    return [each for each in (upper, lower) if np.isfinite(each[1])]


def _some_record_satisfies(edits: Sequence[RecordCondition], data: Microdata) -> bool:
    names = list(dict.fromkeys(name for edit in edits for name in edit.attributes))
    columns = edit_columns(data, names)
    satisfied = np.ones(len(data.columns[names[0]]), dtype=bool)  # the header of a file has no values to look at
    for name in names:
        satisfied &= ~data.absent(name)
    for edit in edits:
        satisfied &= ~edit.violations(columns, tolerance=0.0)
    return bool(satisfied.any())
