"""Edges between near nodes of a map: every node is joined to near ones that still need edges."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.edge_table import drawn_below, edge_key, edge_table, holds, insert, random_state, remove

TRIALS = 200  # edges tried to correct a surplus one: the shortest correction is taken


@njit(cache=True)
def join_near(
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    near: NDArray[np.int64],
    free: NDArray[np.int64],
    table: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
) -> int:
    """Join every node in order to its nearest free ones, listed by node; how many edges were made."""
    nodes, made = len(free), 0
    for node in order:
        for position in range(starts[node], starts[node + 1]):
            if not free[node]:
                break
            other = near[position]
            if other == node or not free[other]:
                continue
            key = edge_key(nodes, node, other)
            if holds(table, key):
                continue
            insert(table, key)
            low[made], high[made] = node, other
            made += 1
            free[node] -= 1
            free[other] -= 1
    return made


@njit(cache=True)
def correct_surplus(
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    made: int,
    table: NDArray[np.int64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    state: NDArray[np.uint64],
) -> bool:
    """Exchange the loops and repeated edges from position `made` on with edges nearby; whether all could be."""
    nodes = len(x)
    for at in range(made, len(low)):
        u, v = low[at], high[at]
        if u != v and not holds(table, edge_key(nodes, u, v)):
            insert(table, edge_key(nodes, u, v))
            continue
        best, best_length, tried = np.int64(-1), np.inf, 0
        flipped = False
        for step in range(TRIALS + 20 * at):
            if not at:
                break
            other = drawn_below(state, at)
            flip = drawn_below(state, 2) == 1
            a, b = (high[other], low[other]) if flip else (low[other], high[other])
            if u == a or v == b:
                continue
            one, second = edge_key(nodes, u, a), edge_key(nodes, v, b)
            if one == second or holds(table, one) or holds(table, second):
                continue
            length = np.hypot(x[u] - x[a], y[u] - y[a]) + np.hypot(x[v] - x[b], y[v] - y[b])
            length -= np.hypot(x[a] - x[b], y[a] - y[b])
            tried += 1
            if length < best_length:
                best, best_length, flipped = other, length, flip
            if tried >= TRIALS or (step >= TRIALS and best >= 0):
                break
        if best < 0:
            return False
        a, b = (high[best], low[best]) if flipped else (low[best], high[best])
        remove(table, edge_key(nodes, a, b))
        insert(table, edge_key(nodes, u, a))
        insert(table, edge_key(nodes, v, b))
        low[best], high[best] = u, a
        low[at], high[at] = v, b
    return True


def spatial_edges(
    degrees: NDArray[np.int64],
    positions: NDArray[np.float64],
    reach: float,
    rng: np.random.Generator,
) -> NDArray[np.int64] | None:
    """Edges of exactly these degrees between near nodes, sorted; None where surplus edges could not be corrected.

    Nodes of high degree come first. A distance is multiplied by a random factor exp(reach · z), so that with `reach` 0
    the nearest free node is taken.
    """
    from scipy.spatial import cKDTree

    nodes, edges = len(degrees), int(degrees.sum()) // 2
    order = np.argsort(-degrees, kind="stable").astype(np.int64)
    asked = np.minimum(3 * degrees + 8, nodes)
    starts = np.concatenate([[0], np.cumsum(asked)]).astype(np.int64)
    near = np.empty(starts[-1], dtype=np.int64)
    tree = cKDTree(positions)
    for count in np.unique(asked):
        mine = np.flatnonzero(asked == count)
        queried = tree.query(positions[mine], k=int(count))
        distance, found = (np.asarray(each).reshape(len(mine), -1) for each in queried)
        if reach:
            distance = distance * np.exp(reach * rng.standard_normal(distance.shape))
            found = np.take_along_axis(found, np.argsort(distance, axis=1, kind="stable"), 1)
        near[(starts[mine][:, None] + np.arange(count)).ravel()] = found.ravel()
    free = degrees.astype(np.int64).copy()
    low, high = np.empty(edges, dtype=np.int64), np.empty(edges, dtype=np.int64)
    table, state = edge_table(np.zeros(0, dtype=np.int64), edges), random_state(rng)
    made = int(join_near(order, starts, near, free, table, low, high))
    ends = rng.permutation(np.repeat(np.arange(nodes), free))
    low[made:], high[made:] = ends[0::2], ends[1::2]
    x, y = np.ascontiguousarray(positions[:, 0]), np.ascontiguousarray(positions[:, 1])
    if not correct_surplus(low, high, made, table, x, y, state):
        return None
    keys = np.minimum(low, high) * nodes + np.maximum(low, high)
    keys.sort()
    return keys
