"""Signatures of ego networks: the pattern of links among the neighbours of each node."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit
from sdckit.kernels.neighbourhood_refinement import mixed


@njit(cache=True)
def ego_signatures(indptr: NDArray[np.int64], indices: NDArray[np.int64], rounds: int) -> NDArray[np.uint64]:
    """A number for each node: equal for isomorphic ego networks, and different where refinement distinguishes them.

    The ego network is the subgraph of the neighbours, without the node itself. Refinement distinguishes all graphs
    of up to five nodes, and nearly all larger ones; it never distinguishes what is isomorphic.
    """
    nodes = len(indptr) - 1
    out = np.empty(nodes, dtype=np.uint64)
    inside = np.full(nodes, -1, dtype=np.int64)
    colour = np.zeros(nodes, dtype=np.uint64)
    fresh = np.zeros(nodes, dtype=np.uint64)
    for node in range(nodes):
        start, end = indptr[node], indptr[node + 1]
        for edge in range(start, end):
            inside[indices[edge]] = node
            colour[indices[edge]] = np.uint64(1)
        for _ in range(rounds):
            for edge in range(start, end):
                member = indices[edge]
                total = np.uint64(0)
                for step in range(indptr[member], indptr[member + 1]):
                    if inside[indices[step]] == node:
                        total += mixed(colour[indices[step]])
                fresh[member] = mixed(total + np.uint64(3) * mixed(colour[member]))
            for edge in range(start, end):
                colour[indices[edge]] = fresh[indices[edge]]
        total = np.uint64(end - start)
        for edge in range(start, end):
            total += mixed(colour[indices[edge]])
        out[node] = mixed(total)
    return out
