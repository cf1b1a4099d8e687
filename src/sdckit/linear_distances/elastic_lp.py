"""The elastic linear program: force one lost record's link and let the others give way as little as possible."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.highs import minimise
from sdckit.linear_distances.search import Search

Array = NDArray[np.float64]

FORCED = 1e-3  # margin asked of the rows
NEAR = 0.05  # rows farther from 0 than this are left out until violated
ROUNDS = 6  # of adding violated rows
MOST_ROWS = 40_000  # beyond it one program takes as long as hundreds of line searches


def force(search: Search, record: int, begin: Array, seconds: float) -> Array | None:
    """Parameters that link the record, with least total shortfall of those linked at `begin`."""
    from scipy.sparse import csr_array, hstack, vstack

    rows, owners = search.rows.values, search.rows.owners
    linked = search.rows.linked(begin)
    relevant = linked[owners] | (owners == record)
    looked_at = relevant & ((rows @ begin < NEAR) | (owners == record))
    size = rows.shape[1]
    box = -1.0 if not search.linkage.model.monotone else 0.0
    for _ in range(ROUNDS):
        chosen = np.flatnonzero(looked_at)
        givers, give = np.unique(owners[chosen[owners[chosen] != record]], return_inverse=True)
        shortfall = csr_array(
            (np.ones(len(give)), (np.flatnonzero(owners[chosen] != record), give)), shape=(len(chosen), len(givers))
        )
        fences = csr_array(search.fences)
        matrix = vstack([
            hstack([csr_array(rows[chosen]), shortfall]),
            hstack([fences, csr_array((fences.shape[0], len(givers)))]),
        ]).tocsr()  # fmt: skip
        least = np.concatenate([np.full(len(chosen), FORCED), np.zeros(len(search.fences))])
        solution = minimise(
            np.concatenate([np.zeros(size), np.ones(len(givers))]),
            np.concatenate([np.full(size, box), np.zeros(len(givers))]),
            np.concatenate([np.ones(size), np.full(len(givers), np.inf)]),
            matrix, least, seconds,
        )  # fmt: skip
        if not len(solution.x) or not solution.x[:size].any():
            return None
        point = solution.x[:size]
        lacking = relevant & ~looked_at & (rows @ point < FORCED / 2)
        if not lacking.any():
            break
        looked_at |= lacking
    return point


def force_lost_records(search: Search, over: Callable[[], bool], left: Callable[[], float]) -> None:
    """Force each lost record once, in random order, from the best parameters; each gain begins anew."""
    if len(search.rows.values) > MOST_ROWS:
        return
    begin, found = search.best, search.found
    for record in search.rng.permutation(np.flatnonzero(~search.linked & ~search.rows.impossible)):
        if over():
            return
        point = force(search, int(record), begin, left())
        if point is None:
            continue
        count = search.offer(search.inside(point), "elastic program")
        if count > found:
            force_lost_records(search, over, left)
            return
