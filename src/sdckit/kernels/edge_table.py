"""A set of edges that kernels can ask, add to and remove from in constant time, and the numbers that they draw.

An edge is the number low · nodes + high. The table is open addressing with linear probing; removing shifts back what
follows, so that no marks of removed edges slow down a long run.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.hashing import SEED, mixed

EMPTY = -1
ROOM = 2.5  # slots for each edge: with more memory fewer keys collide


def edge_table(keys: NDArray[np.int64], more: int = 0) -> NDArray[np.int64]:
    """The table of these edges, with room for some more."""
    size = 1 << int(np.ceil(np.log2(max(ROOM * (len(keys) + more), 16.0))))
    table = np.full(size, EMPTY, dtype=np.int64)
    _fill(table, keys)
    return table


@njit(cache=True, inline="always")
def _slot(table: NDArray[np.int64], key: int) -> np.int64:
    return np.int64(mixed(SEED, key) & np.uint64(len(table) - 1))


@njit(cache=True)
def holds(table: NDArray[np.int64], key: int) -> bool:
    """Whether an edge is in the table."""
    at = _slot(table, key)
    while table[at] != EMPTY:
        if table[at] == key:
            return True
        at = (at + 1) & (len(table) - 1)
    return False


@njit(cache=True)
def insert(table: NDArray[np.int64], key: int) -> None:
    """Add an edge that is not in the table."""
    at = _slot(table, key)
    while table[at] != EMPTY:
        at = (at + 1) & (len(table) - 1)
    table[at] = key


@njit(cache=True)
def remove(table: NDArray[np.int64], key: int) -> None:
    """Remove an edge that is in the table."""
    last = len(table) - 1
    hole = _slot(table, key)
    while table[hole] != key:
        hole = (hole + 1) & last
    at = hole
    while True:
        at = (at + 1) & last
        if table[at] == EMPTY:
            break
        home = _slot(table, table[at])
        if ((at - home) & last) >= ((at - hole) & last):
            table[hole] = table[at]
            hole = at
    table[hole] = EMPTY


@njit(cache=True)
def _fill(table: NDArray[np.int64], keys: NDArray[np.int64]) -> None:
    for key in keys:
        insert(table, key)


@njit(cache=True, inline="always")
def edge_key(nodes: int, one: int, other: int) -> int:
    """The number of an edge."""
    return min(one, other) * nodes + max(one, other)


@njit(cache=True, inline="always")
def drawn_below(state: NDArray[np.uint64], limit: int) -> np.int64:
    """A random whole number from 0 to below the limit; `state` holds the 64 bits of a splitmix64 generator."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    value = state[0]
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value = value ^ (value >> np.uint64(31))
    return np.int64((value >> np.uint64(1)) % np.uint64(limit))


def random_state(rng: np.random.Generator) -> NDArray[np.uint64]:
    """The state of the generator that kernels draw from."""
    return rng.integers(0, 2**64, size=1, dtype=np.uint64)
