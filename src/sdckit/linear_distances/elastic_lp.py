"""The elastic linear program: force the link of one lost record with the least violation of the others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.highs import minimise
from sdckit.linear_distances.line_search import EQUAL
from sdckit.linear_distances.search import Search

Array = NDArray[np.float64]

FORCED = 1e-3  # margin required of the rows
NEAR = 0.05  # rows farther from 0 than this are left out until violated
ROUNDS = 6  # of adding violated rows
MAX_ROWS = 40_000  # with more, one program takes as long as hundreds of line searches


def force(search: Search, record: int, begin: Array, seconds: float) -> Array | None:
    """Parameters that link the record, with the least total shortfall of the records linked at `begin`."""
    from scipy.sparse import csr_array, hstack, vstack

    rows, owners = search.rows.values, search.rows.owners
    linked = search.rows.linked(begin)
    relevant = linked[owners] | (owners == record)
    active = relevant & ((rows @ begin < NEAR) | (owners == record))
    size = rows.shape[1]
    lower = -1.0 if not search.linkage.model.monotone else 0.0
    for _ in range(ROUNDS):
        chosen = np.flatnonzero(active)
        relaxed, relaxed_index = np.unique(owners[chosen[owners[chosen] != record]], return_inverse=True)
        shortfall = csr_array(
            (np.ones(len(relaxed_index)), (np.flatnonzero(owners[chosen] != record), relaxed_index)),
            shape=(len(chosen), len(relaxed)),
        )
        inequalities = csr_array(search.inequalities)
        matrix = vstack([
            hstack([csr_array(rows[chosen]), shortfall]),
            hstack([inequalities, csr_array((inequalities.shape[0], len(relaxed)))]),
        ]).tocsr()  # fmt: skip
        required = np.concatenate([np.full(len(chosen), FORCED), np.zeros(len(search.inequalities))])
        solution = minimise(
            np.concatenate([np.zeros(size), search.linkage.weights[relaxed]]),
            np.concatenate([np.full(size, lower), np.zeros(len(relaxed))]),
            np.concatenate([np.ones(size), np.full(len(relaxed), np.inf)]),
            matrix, required, seconds,
        )  # fmt: skip
        if not len(solution.x) or not solution.x[:size].any():
            return None
        point = solution.x[:size]
        violated = relevant & ~active & (rows @ point < FORCED / 2)
        if not violated.any():
            break
        active |= violated
    return point


def force_lost_records(search: Search, over: Callable[[], bool], left: Callable[[], float]) -> None:
    """Force each lost record once, in random order, from the best parameters; start again after each gain."""
    if len(search.rows.values) > MAX_ROWS:
        return
    begin, found = search.best, search.found
    for record in search.rng.permutation(np.flatnonzero(~search.linked & ~search.rows.impossible)):
        if over():
            return
        point = force(search, int(record), begin, left())
        if point is None:
            continue
        count = search.offer(search.inside(point), "elastic program")
        if count > found + EQUAL:
            force_lost_records(search, over, left)
            return
