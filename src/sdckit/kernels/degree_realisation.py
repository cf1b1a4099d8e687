"""Realisation of a degree sequence: near a given graph, or as a random simple graph with exactly these degrees."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.degree_sequences import realised
from sdckit.kernels.edge_switching import switched
from sdckit.kernels.edge_table import drawn_below, edge_key, edge_table, holds, insert, random_state, remove

TRIALS = 400  # edges tried to attach an end that no free node can take: bounds the time
SWITCHES_PER_EDGE = 10  # after which a realisation that was not random counts as random


def extended(
    nodes: int, keys: NDArray[np.int64], missing: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64] | None:
    """The edges with some more, so that every node gets as many as it misses; None where that was not found.

    Nodes that miss most are joined first, to those that miss most. Where the nodes left over are joined already, an
    edge of the graph is opened between them: (x, y) becomes (u, x), (v, y).
    """
    total = int(missing.sum())
    if total % 2:
        return None
    if not total:
        return keys.copy()
    low, high = np.empty(len(keys) + total, dtype=np.int64), np.empty(len(keys) + total, dtype=np.int64)
    low[: len(keys)], high[: len(keys)] = keys // nodes, keys % nodes
    table, state = edge_table(keys, total), random_state(rng)
    edges = _extend(nodes, low, high, len(keys), table, state, missing.astype(np.int64).copy())
    if edges < 0:
        return None
    changed = np.minimum(low[:edges], high[:edges]) * nodes + np.maximum(low[:edges], high[:edges])
    changed.sort()
    return changed


@njit(cache=True)
def _extend(
    nodes: int,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    edges: int,
    table: NDArray[np.int64],
    state: NDArray[np.uint64],
    missing: NDArray[np.int64],
) -> int:
    order = np.argsort(-missing)
    count = 0
    while count < nodes and missing[order[count]] > 0:
        count += 1
    following = np.arange(1, count + 1)  # the next node in the order that may still miss an edge
    for start in range(count):
        top, before, position = order[start], start, following[start]
        while missing[top] > 0 and position < count:
            other = order[position]
            if missing[other] == 0:
                following[before] = following[position]
            else:
                key = edge_key(nodes, top, other)
                if not holds(table, key):
                    insert(table, key)
                    low[edges], high[edges] = top, other
                    edges += 1
                    missing[top] -= 1
                    missing[other] -= 1
                before = position
            position = following[position]
    while True:
        # Those who still miss an edge are joined to each other: open an edge for two of them, or twice for one.
        top = second = -1
        for start in range(count):
            if missing[order[start]] > 0 and top < 0:
                top = order[start]
            elif missing[order[start]] > 0:
                second = order[start]
                break
        if top < 0:
            return edges
        if second < 0:
            second = top
        if second == top and missing[top] < 2:
            return -1
        placed = False
        for _ in range(TRIALS + 4 * edges):
            if not edges:
                return -1
            at = drawn_below(state, edges)
            x, y = low[at], high[at]
            if drawn_below(state, 2):
                x, y = y, x
            if x in (top, second) or y in (top, second):
                continue
            one, other_key = edge_key(nodes, top, x), edge_key(nodes, second, y)
            if holds(table, one) or holds(table, other_key):
                continue
            remove(table, edge_key(nodes, x, y))
            insert(table, one)
            insert(table, other_key)
            low[at], high[at] = top, x
            low[edges], high[edges] = second, y
            edges += 1
            missing[top] -= 1
            missing[second] -= 1
            placed = True
            break
        if not placed:
            return -1


def random_realisation(degrees: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """The edges of a random simple graph with exactly these degrees, which must be graphic, sorted.

    Ends are paired at random (configuration model); loops and repeated edges are exchanged with random other edges.
    Where that does not succeed, as in dense graphs, an arbitrary realisation is switched at random.
    """
    nodes = len(degrees)
    ends = np.repeat(np.arange(nodes), degrees)
    rng.shuffle(ends)
    low, high = ends[0::2].copy(), ends[1::2].copy()
    if simplified(nodes, low, high, rng):
        keys = np.minimum(low, high) * nodes + np.maximum(low, high)
        keys.sort()
        return keys
    keys = realised(degrees)
    return switched(nodes, keys, SWITCHES_PER_EDGE * len(keys), rng)[0]


def simplified(nodes: int, low: NDArray[np.int64], high: NDArray[np.int64], rng: np.random.Generator) -> bool:
    """Exchange loops and repeated edges with random other edges, in place; whether all could be."""
    keys = np.minimum(low, high) * nodes + np.maximum(low, high)
    order = np.argsort(keys, kind="stable")
    surplus = low == high
    surplus[order[1:]] |= keys[order[1:]] == keys[order[:-1]]
    table, state = edge_table(keys[~surplus], int(surplus.sum())), random_state(rng)
    return bool(_simplify(nodes, low, high, table, state, np.flatnonzero(surplus), surplus))


@njit(cache=True)
def _simplify(
    nodes: int,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    table: NDArray[np.int64],
    state: NDArray[np.uint64],
    wrong: NDArray[np.int64],
    surplus: NDArray[np.bool_],
) -> bool:
    edges = len(low)
    for at in wrong:
        u, v = low[at], high[at]
        fixed = False
        for _ in range(TRIALS + 4 * edges):
            other = drawn_below(state, edges)
            if surplus[other]:
                continue
            x, y = low[other], high[other]
            if drawn_below(state, 2):
                x, y = y, x
            if u == x or v == y:
                continue
            one, second = edge_key(nodes, u, x), edge_key(nodes, v, y)
            if one == second or holds(table, one) or holds(table, second):
                continue
            remove(table, edge_key(nodes, x, y))
            insert(table, one)
            insert(table, second)
            low[at], high[at] = u, x
            low[other], high[other] = v, y
            surplus[at] = False
            fixed = True
            break
        if not fixed:
            return False
    return True
