"""Adjacency in compressed rows: what sets of pairs say."""

from itertools import pairwise

import numpy as np
import pytest

from sdckit.kernels.adjacency import arcs_of, edge_keys, edges_of, from_arcs, from_edges, has_edge, reversed_arcs

GRAPHS = [(1, 4), (2, 3), (5, 9), (12, 40)]


def pairs(nodes: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(nodes)
    return rng.integers(0, nodes, number), rng.integers(0, nodes, number)


def neighbours(indptr, indices):
    return [indices[start:stop].tolist() for start, stop in pairwise(indptr)]


@pytest.mark.parametrize(("nodes", "number"), GRAPHS)
def test_edges_are_kept_once_at_both_ends_in_order(nodes, number):
    one, other = pairs(nodes, number)
    proper = [(min(pair), max(pair)) for pair in zip(one.tolist(), other.tolist(), strict=True) if pair[0] != pair[1]]
    edges = sorted(set(proper))
    indptr, indices, loops, repeated = from_edges(nodes, one, other)
    assert (loops, repeated) == (number - len(proper), len(proper) - len(edges))
    assert neighbours(indptr, indices) == [
        sorted({a + b - node for a, b in edges if node in (a, b)}) for node in range(nodes)
    ]
    assert list(zip(*(each.tolist() for each in edges_of(indptr, indices)), strict=True)) == edges
    assert edge_keys(indptr, indices).tolist() == [low * nodes + high for low, high in edges]
    for a in range(nodes):
        for b in range(nodes):
            assert has_edge(indptr, indices, a, b) == ((min(a, b), max(a, b)) in edges)


@pytest.mark.parametrize(("nodes", "number"), GRAPHS)
def test_arcs_are_kept_once_at_their_source_in_order(nodes, number):
    source, target = pairs(nodes, number)
    proper = [pair for pair in zip(source.tolist(), target.tolist(), strict=True) if pair[0] != pair[1]]
    arcs = sorted(set(proper))
    indptr, indices, loops, repeated = from_arcs(nodes, source, target)
    assert (loops, repeated) == (number - len(proper), len(proper) - len(arcs))
    assert neighbours(indptr, indices) == [[b for a, b in arcs if a == node] for node in range(nodes)]
    assert list(zip(*(each.tolist() for each in arcs_of(indptr, indices)), strict=True)) == arcs
    assert neighbours(*reversed_arcs(indptr, indices)) == [[a for a, b in arcs if b == node] for node in range(nodes)]


@pytest.mark.parametrize("build", [from_edges, from_arcs])
@pytest.mark.parametrize("nodes", [0, 1, 3])
def test_a_graph_without_edges_has_empty_rows(build, nodes):
    nothing = np.empty(0, dtype=np.int64)
    indptr, indices, loops, repeated = build(nodes, nothing, nothing)
    assert (indptr.tolist(), indices.tolist(), loops, repeated) == ([0] * (nodes + 1), [], 0, 0)
