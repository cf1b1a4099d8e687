"""Communities: blocks of nodes with many edges inside, by greedy gain of modularity (Louvain)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
PASSES = 20


def communities(indptr: Indices, indices: Indices) -> Indices:
    """The community of each node, numbered from 0."""
    from scipy.sparse import coo_array, csr_array

    nodes = len(indptr) - 1
    matrix = csr_array((np.ones(len(indices)), indices.copy(), indptr.copy()), shape=(nodes, nodes))
    of = np.arange(nodes)
    for _ in range(PASSES):
        degrees: Floats = np.asarray(matrix.sum(axis=1), dtype=np.float64).ravel()
        label = _local_moves(
            matrix.indptr.astype(np.int64),
            matrix.indices.astype(np.int64),
            matrix.data.astype(np.float64),
            degrees,
            matrix.shape[0],
        )
        numbers, label = np.unique(label, return_inverse=True)
        if len(numbers) == matrix.shape[0]:
            break
        of = label[of]
        whole = coo_array(matrix)
        pairs = (whole.data, (label[whole.row], label[whole.col]))
        matrix = csr_array(coo_array(pairs, shape=(len(numbers), len(numbers))))
        matrix.sum_duplicates()
    return of


@njit(cache=True)
def _local_moves(indptr: Indices, indices: Indices, weights: Floats, degrees: Floats, nodes: int) -> Indices:
    """Move nodes to the neighbouring community of highest gain until none gains."""
    total = degrees.sum()
    label = np.arange(nodes)
    mass = degrees.copy()
    linked = np.zeros(nodes)
    if total == 0:
        return label
    for _ in range(PASSES):
        moved = 0
        for node in range(nodes):
            own = label[node]
            for edge in range(indptr[node], indptr[node + 1]):
                if indices[edge] != node:
                    linked[label[indices[edge]]] += weights[edge]
            mass[own] -= degrees[node]
            best, best_gain = own, linked[own] - degrees[node] * mass[own] / total
            for edge in range(indptr[node], indptr[node + 1]):
                other = label[indices[edge]]
                gain = linked[other] - degrees[node] * mass[other] / total
                if gain > best_gain + 1e-12:
                    best, best_gain = other, gain
            for edge in range(indptr[node], indptr[node + 1]):
                linked[label[indices[edge]]] = 0.0
            mass[best] += degrees[node]
            if best != own:
                label[node] = best
                moved += 1
        if not moved:
            break
    return label


def modularity(indptr: Indices, indices: Indices, community: Indices) -> float:
    """The share of edges inside communities beyond that of a random graph with the same degrees."""
    if not len(indices):
        return 0.0
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    inside = float((community[rows] == community[indices]).mean())
    mass = np.bincount(community, weights=np.diff(indptr)) / len(indices)
    return inside - float((np.sort(mass) ** 2).sum())
