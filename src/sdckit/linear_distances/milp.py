"""The mixed-integer program of worst-case linkage: fewest lost records, with row generation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.conflicts import TOLERANCE, Conflicts, most_without
from sdckit.linear_distances.highs import minimise
from sdckit.linear_distances.search import Search

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MARGIN = 1e-4  # of a unit row, the largest parameter being at most 1
MAX_ROWS = 40_000  # with more, not even the first relaxation is solved in time


def big_enough(search: Search, rows: Array) -> Array:
    """For each row a big-M constant: the largest violation by allowed parameters."""
    if search.linkage.model.monotone:  # parameters in [0, 1]
        return np.asarray(MARGIN + np.maximum(-rows, 0).sum(axis=1))
    return np.asarray(MARGIN + np.abs(rows).sum(axis=1))


def fewest_lost(conflicts: Conflicts, left: Callable[[], float]) -> float | None:
    """An upper bound on the records that parameters with the margin can link; better parameters met are offered.

    None if there are too many rows.
    """
    from scipy.sparse import csr_array, hstack, vstack

    search = conflicts.search
    if len(search.rows.values) > MAX_ROWS:
        return None
    bound: float | None = None
    weights = search.linkage.weights
    while left() > 0.2:
        rows, owners, size = search.rows.values, search.rows.owners, search.size
        members, column = np.unique(owners, return_inverse=True)
        if not len(members):
            return bound
        lost = csr_array((big_enough(search, rows), (np.arange(len(rows)), column)), shape=(len(rows), len(members)))
        together, at_least = conflicts.constraints(members)
        inequalities = csr_array(search.inequalities)
        matrix = vstack([
            hstack([csr_array(rows), lost]),
            hstack([csr_array((together.shape[0], size)), together]),
            hstack([inequalities, csr_array((inequalities.shape[0], len(members)))]),
        ]).tocsr()  # fmt: skip
        required = np.concatenate([
            np.full(len(rows), MARGIN), at_least, np.zeros(inequalities.shape[0])
        ])  # fmt: skip
        point = search.best / np.abs(search.best).max()
        solution = minimise(
            np.concatenate([np.zeros(size), weights[members]]),
            np.concatenate([np.full(size, 0.0 if search.linkage.model.monotone else -1.0), np.zeros(len(members))]),
            np.ones(size + len(members)),
            matrix, required, left(),
            integral=np.arange(size + len(members)) >= size,
            start=np.concatenate([point, ~search.rows.linked(point, MARGIN)[members]]),
        )  # fmt: skip
        if np.isfinite(solution.bound):
            proven = most_without(weights[~search.rows.impossible], solution.bound)
            bound = proven if bound is None else min(bound, proven)
        known, inequalities_known = len(search.rows.values), len(search.inequalities)
        if len(solution.x) and solution.x[:size].any():
            search.offer(search.inside(solution.x[:size]), "mixed-integer program")
        nothing_new = len(search.rows.values) == known and len(search.inequalities) == inequalities_known
        if nothing_new or (bound is not None and bound <= search.found + 2 * TOLERANCE):
            return bound
    return bound
