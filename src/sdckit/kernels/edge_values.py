"""Values of edges, such as weights: one for each edge, or one for each entry of an adjacency, which has both ends."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.adjacency import arcs_of

Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


def summed_by_edge(edge_keys: Indices, nodes: int, one: Indices, other: Indices, values: Floats) -> Floats:
    """The sum of the values of each edge, in the order of the keys; those of self-loops are left out."""
    proper = one != other
    at = np.searchsorted(edge_keys, (one * nodes + other)[proper])
    return np.bincount(at, weights=values[proper], minlength=len(edge_keys)).astype(np.float64)


def at_both_ends(indptr: Indices, indices: Indices, edge_keys: Indices, values: Floats) -> Floats:
    """Values of edges without directions, in the order of the keys, as those of entries."""
    rows, others = arcs_of(indptr, indices)
    keys = np.minimum(rows, others) * (len(indptr) - 1) + np.maximum(rows, others)
    return values[np.searchsorted(edge_keys, keys)]


def at_one_end(indptr: Indices, indices: Indices, values: Floats) -> Floats:
    """Values of entries as those of edges without directions."""
    rows, others = arcs_of(indptr, indices)
    return values[rows < others]
