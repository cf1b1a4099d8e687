"""Triangles, clustering and transitivity: what all triples of nodes say."""

from itertools import combinations

import numpy as np
import pytest

from sdckit.kernels.adjacency import from_edges
from sdckit.kernels.triangles import clustering, transitivity, triangles


def graph(nodes: int, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    joined = np.triu(np.random.default_rng(nodes).random((nodes, nodes)) < share, 1)
    indptr, indices, _, _ = from_edges(nodes, *np.nonzero(joined))
    return indptr, indices, joined | joined.T


@pytest.mark.parametrize("nodes", [1, 2, 3, 6, 12])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 1.0])
def test_every_triple_of_nodes_is_counted(nodes, share):
    indptr, indices, joined = graph(nodes, share)
    degrees = np.diff(indptr)
    counts, paths, closed = np.zeros(nodes, dtype=int), 0, 0
    for triple in combinations(range(nodes), 3):
        links = sum(joined[pair] for pair in combinations(triple, 2))
        counts[list(triple)] += links == 3
        paths += {2: 1, 3: 3}.get(int(links), 0)
        closed += 3 * (links == 3)
    assert triangles(indptr, indices).tolist() == counts.tolist()
    shares = []
    for node in range(nodes):
        pairs = list(combinations(np.flatnonzero(joined[node]).tolist(), 2))
        shares.append(sum(joined[pair] for pair in pairs) / len(pairs) if pairs else 0.0)
    assert clustering(counts, degrees) == pytest.approx(shares)
    assert transitivity(counts, degrees) == pytest.approx(closed / paths if paths else 0.0)
