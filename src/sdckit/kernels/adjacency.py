"""Adjacency of simple graphs in compressed sparse rows.

The neighbours of node v are indices[indptr[v]:indptr[v + 1]], sorted. An edge without
direction appears twice, once for each end; a directed one, an arc, at its source alone.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.sorted_positions import first_from

Indices = NDArray[np.int64]


def from_edges(nodes: int, one: Indices, other: Indices) -> tuple[Indices, Indices, int, int]:
    """Row pointers and neighbours of these edges, and how many self-loops and repeated edges were left out."""
    one, other = np.asarray(one, dtype=np.int64), np.asarray(other, dtype=np.int64)
    proper = one != other
    low, high = np.minimum(one, other)[proper], np.maximum(one, other)[proper]
    keys = low * nodes + high
    keys.sort()
    fresh = np.ones(len(keys), dtype=bool)
    fresh[1:] = keys[1:] != keys[:-1]
    keys = keys[fresh]
    indptr, indices = _filled(nodes, keys // max(nodes, 1), keys % max(nodes, 1))
    return indptr, indices, int((~proper).sum()), int((~fresh).sum())


@njit(cache=True)
def _filled(nodes: int, low: NDArray[np.int64], high: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    indptr = np.zeros(nodes + 1, dtype=np.int64)
    for edge in range(len(low)):
        indptr[low[edge] + 1] += 1
        indptr[high[edge] + 1] += 1
    for node in range(nodes):
        indptr[node + 1] += indptr[node]
    at = indptr[:-1].copy()
    indices = np.empty(2 * len(low), dtype=np.int64)
    # Edges are sorted by (low, high): all smaller neighbours of a node come before its larger ones, each in order.
    for edge in range(len(low)):
        indices[at[high[edge]]] = low[edge]
        at[high[edge]] += 1
    for edge in range(len(low)):
        indices[at[low[edge]]] = high[edge]
        at[low[edge]] += 1
    return indptr, indices


def edges_of(indptr: Indices, indices: Indices) -> tuple[Indices, Indices]:
    """The two ends of every edge, the smaller number first, in order."""
    low = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    once = low < indices
    return low[once], indices[once]


def edge_keys(indptr: Indices, indices: Indices) -> Indices:
    """A number for every edge, sorted: low · nodes + high."""
    low, high = edges_of(indptr, indices)
    return low * (len(indptr) - 1) + high


def from_arcs(nodes: int, source: Indices, target: Indices) -> tuple[Indices, Indices, int, int]:
    """Row pointers and targets of these arcs, and how many self-loops and repeated arcs were left out."""
    source, target = np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64)
    proper = source != target
    keys = source[proper] * nodes + target[proper]
    keys.sort()
    fresh = np.ones(len(keys), dtype=bool)
    fresh[1:] = keys[1:] != keys[:-1]
    keys = keys[fresh]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(keys // max(nodes, 1), minlength=nodes))]).astype(np.int64)
    return indptr, keys % max(nodes, 1), int((~proper).sum()), int((~fresh).sum())


def arcs_of(indptr: Indices, indices: Indices) -> tuple[Indices, Indices]:
    """The row and the neighbour of every entry, in order."""
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)), indices


def reversed_arcs(indptr: Indices, indices: Indices) -> tuple[Indices, Indices]:
    """Row pointers and sources of arcs by their targets."""
    nodes = len(indptr) - 1
    starts = np.concatenate([[0], np.cumsum(np.bincount(indices, minlength=nodes))]).astype(np.int64)
    source, _ = arcs_of(indptr, indices)
    return starts, source[np.argsort(indices, kind="stable")]


@njit(cache=True)
def has_edge(indptr: NDArray[np.int64], indices: NDArray[np.int64], one: int, other: int) -> bool:
    """Whether two nodes are joined."""
    position = first_from(indices, indptr[one], indptr[one + 1], other)
    return bool(position < indptr[one + 1] and indices[position] == other)
