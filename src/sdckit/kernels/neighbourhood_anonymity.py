"""Neighbourhood anonymity (Zhou and Pei 2008): edges are added until every ego network occurs several times."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.adjacency import edges_of, from_edges
from sdckit.kernels.ego_networks import ego_signatures
from sdckit.kernels.triangles import triangles

ROUNDS = 5  # of refinement inside an ego network
STEPS_PER_NODE = 20  # groups that are made alike, for each node, before the graph becomes complete

Neighbours = list[set[int]]


def anonymous_neighbourhoods(
    indptr: NDArray[np.int64], indices: NDArray[np.int64], group_size: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Sorted edges low · nodes + high with which every ego network occurs `group_size` times; none is deleted.

    The node of the largest neighbourhood that is not anonymous is grouped with those whose neighbourhoods are most
    similar, and all of them get the links that one of them has, position by position from the best linked neighbour.
    """
    nodes = len(indptr) - 1
    for _ in range(STEPS_PER_NODE * nodes):
        signature = ego_signatures(indptr, indices, ROUNDS)
        _, of, times = np.unique(signature, return_inverse=True, return_counts=True)
        open_nodes = np.flatnonzero(times[of] < group_size)
        if not len(open_nodes):
            return _keys(indptr, indices)
        degrees, inside = np.diff(indptr), triangles(indptr, indices)
        near = [set(indices[indptr[node] : indptr[node + 1]].tolist()) for node in range(nodes)]
        first = open_nodes[np.lexsort((rng.random(len(open_nodes)), -inside[open_nodes], -degrees[open_nodes]))[0]]
        others = np.delete(np.arange(nodes), first)
        gap = np.abs(degrees[others] - degrees[first]) + 0.5 * np.abs(inside[others] - inside[first])
        gap = gap + np.where(times[of[others]] < group_size, 0.0, 1.0)
        group = [int(first), *others[np.lexsort((rng.random(len(others)), gap))[: group_size - 1]].tolist()]
        if not _made_alike(near, group, rng):
            _completed(near, group)
        ends = np.array([(a, b) for a in range(nodes) for b in near[a] if a < b], dtype=np.int64).reshape(-1, 2)
        indptr, indices, _, _ = from_edges(nodes, ends[:, 0], ends[:, 1])
    low, high = np.triu_indices(nodes, 1)
    return np.asarray(low * nodes + high, dtype=np.int64)


def _made_alike(near: Neighbours, group: list[int], rng: np.random.Generator) -> bool:
    """Give all members of a group the links that one of them has among its neighbours; whether any was added."""
    size = max(len(near[node]) for node in group)
    added = False
    for node in group:
        free = [other for other in range(len(near)) if other != node and other not in near[node]]
        free.sort(key=lambda other: (other in group, len(near[other])))
        while len(near[node]) < size and free:
            added |= _join(near, node, free.pop(0))
    ordered = [sorted(near[node], key=lambda each: (-len(near[each] & near[node]), each)) for node in group]
    for one in range(size):
        for other in range(one):
            pairs = [(each[one], each[other]) for each in ordered if len(each) > one]
            if any(b in near[a] for a, b in pairs):
                for a, b in pairs:
                    added |= _join(near, a, b)
    return added


def _completed(near: Neighbours, group: list[int]) -> None:
    """Link all neighbours of every member of a group with each other, or one more node where they are linked."""
    added = False
    for node in group:
        members = sorted(near[node])
        for position, a in enumerate(members):
            for b in members[:position]:
                added |= _join(near, a, b)
    if not added:
        for node in group:
            free = next((other for other in range(len(near)) if other != node and other not in near[node]), None)
            if free is not None:
                _join(near, node, free)


def _join(near: Neighbours, one: int, other: int) -> bool:
    if one == other or other in near[one]:
        return False
    near[one].add(other)
    near[other].add(one)
    return True


def _keys(indptr: NDArray[np.int64], indices: NDArray[np.int64]) -> NDArray[np.int64]:
    low, high = edges_of(indptr, indices)
    return np.asarray(low * (len(indptr) - 1) + high, dtype=np.int64)
