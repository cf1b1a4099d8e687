"""Clustering of an uncertain graph is a mean over all worlds."""

from itertools import combinations, product

import numpy as np
import pytest

from sdckit.kernels.expected_clustering import expected_clustering, expected_transitivity


@pytest.mark.parametrize("seed", range(16))
def test_it_is_the_mean_over_all_worlds(seed):
    rng = np.random.default_rng(seed)
    nodes = 3 + seed % 3
    edges = [pair for pair in combinations(range(nodes), 2) if rng.random() < 0.75]
    chance = {edge: float(rng.choice([0.2, 0.5, 0.9, 1.0])) for edge in edges}
    near = [[other for other in range(nodes) if (min(node, other), max(node, other)) in edges] for node in range(nodes)]
    indptr = np.cumsum([0, *map(len, near)]).astype(np.int64)
    indices = np.array([other for line in near for other in line], dtype=np.int64)
    probability = np.array([chance[min(a, b), max(a, b)] for a, line in enumerate(near) for b in line])
    expected, closed, paths = np.zeros(nodes), 0.0, 0.0
    for world in product([False, True], repeat=len(edges)):
        there = {edge for edge, exists in zip(edges, world, strict=True) if exists}
        share = np.prod([chance[edge] if edge in there else 1 - chance[edge] for edge in edges])
        for node in range(nodes):
            mine = [other for other in near[node] if (min(node, other), max(node, other)) in there]
            pairs = list(combinations(mine, 2))
            linked = sum(pair in there for pair in pairs)
            closed, paths = closed + share * linked, paths + share * len(pairs)
            expected[node] += share * linked / len(pairs) if pairs else 0.0
    found = expected_clustering(indptr, indices, probability)
    assert found == pytest.approx(expected, abs=1e-12)
    assert expected_transitivity(indptr, indices, probability) == pytest.approx(closed / paths if paths else 0.0)
