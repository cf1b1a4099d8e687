"""Triangles at every node, and the clustering coefficients that follow from them."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit


def triangles(indptr: NDArray[np.int64], indices: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of triangles that each node is part of."""
    out: NDArray[np.int64] = _triangles(indptr, indices, np.diff(indptr))
    return out


@njit(cache=True)
def _triangles(indptr: NDArray[np.int64], indices: NDArray[np.int64], degrees: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every edge points to its end of higher degree: each triangle is seen once, and hubs have few edges out."""
    nodes = len(degrees)
    count = np.zeros(nodes, dtype=np.int64)
    mark = np.full(nodes, -1, dtype=np.int64)
    for node in range(nodes):
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            if degrees[node] < degrees[other] or (degrees[node] == degrees[other] and node < other):
                mark[other] = node
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            if mark[other] != node:
                continue
            for step in range(indptr[other], indptr[other + 1]):
                third = indices[step]
                above = degrees[other] < degrees[third] or (degrees[other] == degrees[third] and other < third)
                if above and mark[third] == node:
                    count[node] += 1
                    count[other] += 1
                    count[third] += 1
    return count


def clustering(triangle_counts: NDArray[np.int64], degrees: NDArray[np.int64]) -> NDArray[np.float64]:
    """The share of the pairs of each node's neighbours that are linked; 0 for fewer than two neighbours."""
    pairs = degrees * (degrees - 1) // 2
    return np.where(pairs > 0, triangle_counts / np.maximum(pairs, 1), 0.0)


def transitivity(triangle_counts: NDArray[np.int64], degrees: NDArray[np.int64]) -> float:
    """The share of all paths of two edges that are closed."""
    paths = int((degrees * (degrees - 1) // 2).sum())
    return float(triangle_counts.sum() / paths) if paths else 0.0
