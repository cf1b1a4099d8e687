"""Path lengths: against the powers of the adjacency matrix."""

import numpy as np

from sdckit.kernels.path_lengths import distances


def by_powers(matrix, radius):
    """The first power of the adjacency matrix in which two nodes are linked."""
    out = np.where(np.eye(len(matrix), dtype=bool), 0, -1)
    reached = np.eye(len(matrix), dtype=int)
    for step in range(1, radius + 1):
        reached = (reached @ matrix > 0).astype(int)
        out[(out < 0) & (reached > 0)] = step
    return out


def test_distances_are_the_first_powers_that_link_two_nodes():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        nodes, radius = int(rng.integers(1, 8)), int(rng.integers(0, 8))
        matrix = np.triu(rng.random((nodes, nodes)) < 0.3, 1).astype(int)
        matrix += matrix.T
        indptr, indices = np.append(0, matrix.sum(axis=1).cumsum()), np.nonzero(matrix)[1]
        sources = rng.permutation(nodes)[: rng.integers(0, nodes + 1)]
        found = distances(indptr, indices, sources, radius)
        assert found.tolist() == by_powers(matrix, radius)[sources].tolist()
