"""Signatures of ego networks by hand: the links among the neighbours, without the node itself."""

from functools import cache

import numpy as np
import pytest

from sdckit.kernels.ego_networks import ego_signatures

nx = pytest.importorskip("networkx")
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def signatures(graph, rounds=3):
    matrix = nx.to_scipy_sparse_array(graph, nodelist=sorted(graph), format="csr")
    return ego_signatures(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), rounds).tolist()


@cache
def all_structures():
    """One graph of each structure of up to seven nodes."""
    return nx.graph_atlas_g()


def test_nodes_with_as_many_neighbours_differ_by_the_links_among_them():
    """Node 0 of a triangle has two neighbours that are joined, node 1 of a path two that are not."""
    triangle, path = signatures(nx.complete_graph(3)), signatures(nx.path_graph(3))
    assert len(set(triangle)) == 1 and triangle[0] != path[1]
    assert path[0] == path[2] != path[1]
    assert signatures(nx.complete_graph(4))[0] not in (*triangle, *path)


def test_a_node_without_neighbours_is_like_any_other_such_node():
    graph = nx.empty_graph(3)
    graph.add_edge(1, 2)
    found = signatures(graph)
    assert found[0] == signatures(nx.empty_graph(1))[0] != found[1] == found[2]


@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_two_ego_networks_have_one_signature_if_and_only_if_they_are_isomorphic(nodes):
    """A new node joined to all nodes of any graph of up to four has that graph as its ego network."""
    graphs = [graph for graph in all_structures() if len(graph) == nodes]
    found = []
    for graph in graphs:
        around = graph.copy()
        around.add_edges_from((nodes, node) for node in range(nodes))
        found.append(signatures(around)[nodes])
    assert len(set(found)) == len(graphs)


def test_links_of_one_node_say_nothing_of_the_next():
    """Two stars and a triangle side by side have the signatures that they have alone."""
    parts = [nx.star_graph(3), nx.complete_graph(3), nx.star_graph(3)]
    together = signatures(nx.disjoint_union_all(parts))
    assert together == [each for part in parts for each in signatures(part)]
