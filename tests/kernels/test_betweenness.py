"""Betweenness is a count of all shortest paths."""

from fractions import Fraction

import numpy as np
import pytest

from sdckit.kernels.adjacency import from_edges
from sdckit.kernels.betweenness import betweenness


def shortest_paths(near, source, target):
    """All of them, grown step by step."""
    paths = [[source]]
    while paths:
        ended = [path for path in paths if path[-1] == target]
        if ended:
            return ended
        paths = [[*path, other] for path in paths for other in near[path[-1]] if other not in path]
    return []


@pytest.mark.parametrize("seed", range(25))
def test_betweenness_is_the_share_of_paths_through_a_node(seed):
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(1, 7))
    one, other = rng.integers(0, nodes, (2, 2 * nodes))
    indptr, indices, _, _ = from_edges(nodes, one, other)
    near = [indices[indptr[node] : indptr[node + 1]].tolist() for node in range(nodes)]
    sources = rng.permutation(nodes)[: rng.integers(0, nodes + 1)]
    expected = [Fraction(0)] * nodes
    for source in sources.tolist():
        for target in range(nodes):
            paths = shortest_paths(near, source, target)
            for path in paths:
                for node in path[1:-1]:
                    expected[node] += Fraction(1, len(paths))
    assert betweenness(indptr, indices, sources) == pytest.approx([float(each) for each in expected])
