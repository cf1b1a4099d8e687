"""Graph: the adjacency, its subgraphs and digests, and node attributes as microdata."""

import pickle

import numpy as np
import pytest

from sdckit.digest import content_digest
from sdckit.errors import SchemaError
from sdckit.graph import Graph
from sdckit.microdata import Role
from sdckit.release import protect
from sdckit.testing.graph_files import a_graph, ordinary_graph


def dense(graph):
    matrix = np.zeros((len(graph), len(graph)), dtype=int)
    rows = np.repeat(np.arange(len(graph)), graph.degrees)
    matrix[rows, graph.indices] = 1
    return matrix


def test_self_loops_and_repeated_edges_are_left_out_with_a_note():
    graph = Graph.from_edges(4, [0, 1, 1, 2, 2], [1, 0, 2, 2, 1])
    assert graph.edge_count == 2
    assert graph.cleaned.notes() == ("1 self-loop left out", "2 repeated edges left out")
    assert graph.neighbours(1).tolist() == [0, 2]


@pytest.mark.parametrize("nodes", [0, 1, 5])
def test_a_graph_without_edges(nodes):
    graph = Graph.from_edges(nodes, [], [])
    assert (len(graph), graph.edge_count, graph.degrees.tolist()) == (nodes, 0, [0] * nodes)


def test_an_edge_to_no_node_is_refused():
    with pytest.raises(SchemaError, match="node 7"):
        Graph.from_edges(4, [0], [7])


def test_a_subgraph_has_the_edges_among_its_nodes_in_their_order():
    graph, rows = a_graph(30, 80), np.array([7, 3, 22, 11, 0])
    assert np.array_equal(dense(graph.take(rows)), dense(graph)[np.ix_(rows, rows)])
    assert graph.take(rows).lineage.tolist() == rows.tolist()


def test_labels_are_an_identifier_and_plain_numbers_are_no_labels():
    labelled = Graph.from_edges(2, [0], [1], labels=["ann", "bob"])
    assert labelled.names(role=Role.IDENTIFIER) == ("node",)
    assert Graph.from_edges(2, [0], [1], labels=[0, 1]).attributes == ()
    assert Graph.from_edges(2, [0], [1], labels=[10, 20]).values("node").tolist() == [10, 20]


def test_an_attribute_needs_a_value_for_each_node():
    with pytest.raises(SchemaError, match="one value for each node"):
        Graph.from_edges(3, [0], [1], attributes=ordinary_graph().only(("age",)))


def test_a_digest_sees_the_edges_and_not_their_order_where_none_is_asked_for():
    graph = a_graph(40, 90)
    order = np.random.default_rng(1).permutation(40)
    shuffled = graph.take(order)
    other = graph.with_keys(graph.edge_keys[1:])
    assert content_digest(graph, ordered=False) == content_digest(shuffled, ordered=False)
    assert content_digest(graph, ordered=True) != content_digest(shuffled, ordered=True)
    assert content_digest(graph, ordered=False) != content_digest(other, ordered=False)


def test_a_graph_survives_pickling():
    graph = pickle.loads(pickle.dumps(ordinary_graph()))
    assert np.array_equal(graph.edge_keys, ordinary_graph().edge_keys)
    assert [each.name for each in graph.attributes] == ["node", "age", "town"]


def test_its_text_shows_no_edge():
    assert repr(ordinary_graph()).startswith(f"Graph(60 nodes, {ordinary_graph().edge_count} edges: node")


def test_attributes_and_edges_are_masked_in_one_recipe():
    graph = ordinary_graph()
    release = protect(graph, ["k-degree-anonymity:group_size=3", "mdav:group_size=4"], seed=1)
    assert isinstance(release.masked, Graph)
    assert [step.attributes for step in release.recipe.steps] == [(), ("age",)]
    assert np.unique(release.masked.degrees, return_counts=True)[1].min() >= 3
    assert np.unique(release.masked.columns["age"], return_counts=True)[1].min() >= 4
    assert "node" not in release.masked
