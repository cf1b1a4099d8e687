"""Betweenness: how many shortest paths from some nodes pass through each node (Brandes)."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit


@njit(cache=True)
def betweenness(
    indptr: NDArray[np.int64], indices: NDArray[np.int64], sources: NDArray[np.int64]
) -> NDArray[np.float64]:
    """For each node the sum over the sources of the share of shortest paths to all others that pass through it."""
    nodes = len(indptr) - 1
    total = np.zeros(nodes)
    for source in sources:
        distance = np.full(nodes, -1, dtype=np.int64)
        paths, dependency = np.zeros(nodes), np.zeros(nodes)
        order = np.empty(nodes, dtype=np.int64)
        order[0] = source
        distance[source], paths[source] = 0, 1.0
        first, last = 0, 1
        while first < last:
            node = order[first]
            first += 1
            for edge in range(indptr[node], indptr[node + 1]):
                other = indices[edge]
                if distance[other] < 0:
                    distance[other] = distance[node] + 1
                    order[last] = other
                    last += 1
                if distance[other] == distance[node] + 1:
                    paths[other] += paths[node]
        for position in range(last - 1, 0, -1):
            node = order[position]
            for edge in range(indptr[node], indptr[node + 1]):
                before = indices[edge]
                if distance[before] == distance[node] - 1:
                    dependency[before] += paths[before] / paths[node] * (1.0 + dependency[node])
            total[node] += dependency[node]
    return total
