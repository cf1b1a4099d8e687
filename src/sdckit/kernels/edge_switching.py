"""Edge switching: exchange the ends of two edges, so that every degree stays; also within equal degrees (dK-2)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.edge_table import drawn_below, edge_key, edge_table, holds, insert, random_state, remove

TRIALS_PER_SWITCH = 100  # after which a graph counts as one that has no more switches, such as a star


def switched(
    nodes: int,
    keys: NDArray[np.int64],
    switches: int,
    rng: np.random.Generator,
    classes: NDArray[np.int64] | None = None,
    trials: int | None = None,
    directed: bool = False,
) -> tuple[NDArray[np.int64], int]:
    """The edges after this number of successful switches, sorted, and how many succeeded.

    (a, b), (c, d) become (a, d), (c, b) where the four ends differ and neither new edge exists. With `classes`, such as
    degrees, a and c or b and d must be of one class, so that the number of edges between any two classes stays.
    Where edges are directed, from a to b and from c to d, so are the new ones: the edges from and to every node stay as
    many.
    """
    if len(keys) < 2 or switches <= 0:
        return keys.copy(), 0
    low, high = keys // nodes, keys % nodes
    table, state = edge_table(keys), random_state(rng)
    limit = TRIALS_PER_SWITCH * switches if trials is None else trials
    labels = np.zeros(0, dtype=np.int64) if classes is None else classes.astype(np.int64)
    done = _switch(nodes, low, high, table, state, switches, limit, labels, directed)
    changed = low * nodes + high if directed else np.minimum(low, high) * nodes + np.maximum(low, high)
    changed.sort()
    return changed, int(done)


@njit(cache=True)
def _switch(
    nodes: int,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    table: NDArray[np.int64],
    state: NDArray[np.uint64],
    switches: int,
    trials: int,
    classes: NDArray[np.int64],
    directed: bool,
) -> int:
    edges, done = len(low), 0
    for _ in range(trials):
        first = drawn_below(state, edges)
        second = drawn_below(state, edges)
        if first == second:
            continue
        a, b, c, d = low[first], high[first], low[second], high[second]
        if not directed and drawn_below(state, 2):
            c, d = d, c
        if a in (c, d) or b in (c, d):
            continue
        if len(classes) and classes[a] != classes[c] and classes[b] != classes[d]:
            continue
        if directed:
            one, other, first_key, second_key = a * nodes + d, c * nodes + b, a * nodes + b, c * nodes + d
        else:
            one, other = edge_key(nodes, a, d), edge_key(nodes, c, b)
            first_key, second_key = edge_key(nodes, a, b), edge_key(nodes, c, d)
        if holds(table, one) or holds(table, other):
            continue
        remove(table, first_key)
        remove(table, second_key)
        insert(table, one)
        insert(table, other)
        low[first], high[first] = a, d
        low[second], high[second] = c, b
        done += 1
        if done >= switches:
            break
    return done
