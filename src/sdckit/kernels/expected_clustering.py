"""Clustering of an uncertain graph, whose edges exist independently: the expectation over all worlds, not a draw."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Floats = NDArray[np.float64]
POINTS = 64  # of Gauss–Legendre quadrature: exact for nodes of up to 129 neighbours


def expected_clustering(indptr: NDArray[np.int64], indices: NDArray[np.int64], probability: Floats) -> Floats:
    r"""The expected clustering coefficient of each node, which is 0 in a world with fewer than two neighbours.

    Two linked neighbours close one of $\binom{2 + D}{2}$ pairs, $D$ the number of other neighbours that exist. Since
    $1 / \binom{2 + D}{2} = 2 \int_0^1 (1 - t) t^D dt$, its expectation is an integral over a product of $1 - p + p t$.
    """
    at, share = np.polynomial.legendre.leggauss(POINTS)
    at = (at + 1) / 2
    out: Floats = _expected_clustering(indptr, indices, probability, at, share * (1 - at))
    return out


@njit(cache=True)
def _expected_clustering(
    indptr: NDArray[np.int64], indices: NDArray[np.int64], probability: Floats, at: Floats, share: Floats
) -> Floats:
    nodes = len(indptr) - 1
    entry = np.full(nodes, -1, dtype=np.int64)  # of each neighbour of the node in question
    out = np.zeros(nodes)
    for node in range(nodes):
        first, last = indptr[node], indptr[node + 1]
        neighbours = indices[first:last]
        ratio = np.empty((len(neighbours), len(at)))
        every = share.copy()
        for edge in range(first, last):
            entry[indices[edge]] = edge
            factor = 1 - probability[edge] + probability[edge] * at
            every *= factor
            ratio[edge - first] = probability[edge] / factor
        for edge in range(first, last):
            other = indices[edge]
            for step in range(indptr[other], indptr[other + 1]):
                third = entry[indices[step]]
                if third > edge:
                    out[node] += probability[step] * (every * ratio[edge - first] * ratio[third - first]).sum()
        for other in neighbours:
            entry[other] = -1
    return out


def expected_transitivity(indptr: NDArray[np.int64], indices: NDArray[np.int64], probability: Floats) -> float:
    """The expected number of closed paths of two edges as a share of the expected number of all."""
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    degrees, squares = (
        np.bincount(rows, weights=values, minlength=len(indptr) - 1) for values in (probability, probability**2)
    )
    paths = float((degrees**2 - squares).sum() / 2)
    return _expected_closed(indptr, indices, probability) / paths if paths > 0 else 0.0


@njit(cache=True)
def _expected_closed(indptr: NDArray[np.int64], indices: NDArray[np.int64], probability: Floats) -> float:
    nodes = len(indptr) - 1
    linked = np.zeros(nodes)
    total = 0.0
    for node in range(nodes):
        for edge in range(indptr[node], indptr[node + 1]):
            linked[indices[edge]] = probability[edge]
        for edge in range(indptr[node], indptr[node + 1]):
            other = indices[edge]
            for step in range(indptr[other], indptr[other + 1]):
                if indices[step] > other:
                    total += probability[edge] * probability[step] * linked[indices[step]]
        for edge in range(indptr[node], indptr[node + 1]):
            linked[indices[edge]] = 0.0
    return total
