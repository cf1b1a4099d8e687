"""Graphs of other libraries: in and out without loss, with directions and weights."""

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_array

from sdckit.errors import SchemaError
from sdckit.frames.networks import (
    from_edge_frame,
    from_igraph,
    from_networkx,
    from_scipy,
    to_edge_frame,
    to_igraph,
    to_networkx,
)
from sdckit.testing.graph_files import a_directed_graph, a_graph, ordinary_graph, same_edges, with_some_weights

KINDS = (
    a_directed_graph(20, 50),
    with_some_weights(a_graph(20, 40)),
    with_some_weights(a_directed_graph(20, 50)),
)


def test_networkx_and_back():
    pytest.importorskip("networkx")
    back = from_networkx(to_networkx(ordinary_graph()))
    assert same_edges(back, ordinary_graph())
    assert back.values("town").tolist() == ordinary_graph().values("town").tolist()
    assert all(same_edges(from_networkx(to_networkx(graph)), graph) for graph in KINDS)


def test_igraph_and_back():
    pytest.importorskip("igraph")
    assert all(same_edges(from_igraph(to_igraph(graph)), graph) for graph in (ordinary_graph(), *KINDS))


def test_scipy_and_back():
    assert all(same_edges(from_scipy(graph.to_scipy()), graph) for graph in (ordinary_graph(), *KINDS))
    with pytest.raises(SchemaError, match="square"):
        from_scipy(csr_array(np.array([[0, 1]])))


def test_parallel_edges_add_up_their_weights():
    networkx = pytest.importorskip("networkx")
    many = networkx.MultiGraph()
    many.add_edge("a", "b", weight=2)
    many.add_edge("b", "a", weight=3)
    many.add_edge("b", "c")
    graph = from_networkx(many)
    assert graph.of_edges(graph.weight).tolist() == [5.0, 1.0]


def test_an_edge_frame_and_back():
    frame = to_edge_frame(ordinary_graph())
    assert same_edges(from_edge_frame(frame, "one", "other", nodes=range(60)), ordinary_graph())
    named = from_edge_frame(pl.DataFrame({"a": ["x", "y"], "b": ["y", "z"]}), "a", "b")
    assert named.values("node").tolist() == ["x", "y", "z"]
    both = with_some_weights(a_directed_graph(20, 50))
    again = from_edge_frame(to_edge_frame(both), "one", "other", nodes=range(20), weight="weight", directed=True)
    assert same_edges(again, both)
