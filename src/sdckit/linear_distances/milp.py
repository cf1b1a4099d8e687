"""The mixed-integer program of worst-case linkage: fewest lost records, rows generated when violated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.conflicts import Conflicts
from sdckit.linear_distances.highs import minimise
from sdckit.linear_distances.search import Search

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MARGIN = 1e-4  # of a unit row, the largest parameter being at most 1
MOST_ROWS = 40_000  # beyond it not even the first relaxation is solved in time


def big_enough(search: Search, rows: Array) -> Array:
    """For each row a constant that no allowed parameters exceed in violating it."""
    if search.linkage.model.monotone:  # parameters in [0, 1]
        return np.asarray(MARGIN + np.maximum(-rows, 0).sum(axis=1))
    return np.asarray(MARGIN + np.abs(rows).sum(axis=1))


def fewest_lost(conflicts: Conflicts, left: Callable[[], float]) -> int | None:
    """An upper bound on the records that parameters with the margin can link; better parameters met are offered.

    None when the rule is not strict (without a margin the program has nothing to hold on to) or the rows too many.
    """
    from scipy.sparse import csr_array, hstack, vstack

    search = conflicts.search
    if not search.linkage.strict or len(search.rows.values) > MOST_ROWS:
        return None
    bound: int | None = None
    while left() > 0.2:
        rows, owners, size = search.rows.values, search.rows.owners, search.size
        members, place = np.unique(owners, return_inverse=True)
        if not len(members):
            return bound
        lost = csr_array((big_enough(search, rows), (np.arange(len(rows)), place)), shape=(len(rows), len(members)))
        together, at_least = conflicts.constraints(members)
        fences = csr_array(search.fences)
        matrix = vstack([
            hstack([csr_array(rows), lost]),
            hstack([csr_array((together.shape[0], size)), together]),
            hstack([fences, csr_array((fences.shape[0], len(members)))]),
        ]).tocsr()  # fmt: skip
        least = np.concatenate([
            np.full(len(rows), MARGIN), at_least, np.zeros(fences.shape[0])
        ])  # fmt: skip
        point = search.best / np.abs(search.best).max()
        solution = minimise(
            np.concatenate([np.zeros(size), np.ones(len(members))]),
            np.concatenate([np.full(size, 0.0 if search.linkage.model.monotone else -1.0), np.zeros(len(members))]),
            np.ones(size + len(members)),
            matrix, least, left(),
            integral=np.arange(size + len(members)) >= size,
            begin=np.concatenate([point, ~search.rows.linked(point, MARGIN)[members]]),
        )  # fmt: skip
        always = int((~search.rows.impossible).sum()) - len(members)
        if np.isfinite(solution.bound):
            proven = always + len(members) - int(np.ceil(solution.bound - 1e-6))
            bound = proven if bound is None else min(bound, proven)
        known, fences_known = len(search.rows.values), len(search.fences)
        if len(solution.x) and solution.x[:size].any():
            search.offer(search.inside(solution.x[:size]), "mixed-integer program")
        nothing_new = len(search.rows.values) == known and len(search.fences) == fences_known
        if nothing_new or (bound is not None and bound <= search.found):
            return bound
    return bound
