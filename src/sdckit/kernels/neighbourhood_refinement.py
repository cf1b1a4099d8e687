"""Neighbourhood refinement (Hay et al. 2008): H₁ is the degree, Hᵢ the multiset of the Hᵢ₋₁ of a node's neighbours.

A multiset is represented by the sum of 64-bit hashes of its members, so equal multisets have equal numbers and
different ones differ but for a probability of about n² / 2⁶⁴. Numbers depend on the structure alone: they can be
compared between two graphs.
"""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.compiled import njit

Hashes = NDArray[np.uint64]


@njit(cache=True)
def mixed(value: np.uint64) -> np.uint64:
    """A 64-bit hash of a 64-bit number (splitmix64)."""
    value = np.uint64(value) + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@njit(cache=True)
def _round(
    indptr: NDArray[np.int64], indices: NDArray[np.int64], hashes: NDArray[np.uint64], keep_own: bool
) -> NDArray[np.uint64]:
    nodes = len(indptr) - 1
    scrambled = np.empty(nodes, dtype=np.uint64)
    for node in range(nodes):
        scrambled[node] = mixed(hashes[node])
    out = np.empty(nodes, dtype=np.uint64)
    for node in range(nodes):
        total = np.uint64(0)
        for edge in range(indptr[node], indptr[node + 1]):
            total += scrambled[indices[edge]]
        out[node] = mixed(total + scrambled[node] * np.uint64(3)) if keep_own else mixed(total)
    return out


def refined(
    indptr: NDArray[np.int64], indices: NDArray[np.int64], rounds: int, start: Hashes | None = None
) -> list[Hashes]:
    """H₁ to H of the number of rounds, each as one number per node; `start` are the numbers of attributes, if known.

    Where attributes are known each round keeps the node's own number, so that none is forgotten.
    """
    nodes = len(indptr) - 1
    hashes = np.zeros(nodes, dtype=np.uint64) if start is None else start
    found = []
    for _ in range(rounds):
        hashes = _round(indptr, indices, hashes, start is not None)
        found.append(hashes)
    return found


@njit(cache=True)
def mixed_all(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The hash of each number."""
    out = np.empty(len(values), dtype=np.uint64)
    for at in range(len(values)):
        out[at] = mixed(values[at])
    return out


def refined_by_direction(
    adjacencies: tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...], rounds: int
) -> list[Hashes]:
    """H₁ to H of the number of rounds where edges have directions: the multisets of both kinds of neighbours."""
    if len(adjacencies) == 1:
        return refined(*adjacencies[0], rounds)
    hashes = np.zeros(len(adjacencies[0][0]) - 1, dtype=np.uint64)
    found = []
    for _ in range(rounds):
        total = np.zeros(len(hashes), dtype=np.uint64)
        for number, (indptr, indices) in enumerate(adjacencies):
            total += mixed_all(_round(indptr, indices, hashes, False) + np.uint64(number))
        hashes = mixed_all(total)
        found.append(hashes)
    return found
