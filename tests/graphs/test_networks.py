"""Graphs of other libraries: in and out without loss, directions and weights refused with the cure."""

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
from sdckit.testing.graph_files import ordinary_graph, same_edges


def test_networkx_and_back():
    networkx = pytest.importorskip("networkx")
    back = from_networkx(to_networkx(ordinary_graph()))
    assert same_edges(back, ordinary_graph())
    assert back.values("town").tolist() == ordinary_graph().values("town").tolist()
    with pytest.raises(SchemaError, match="to_undirected"):
        from_networkx(networkx.DiGraph([(0, 1)]))


def test_igraph_and_back():
    pytest.importorskip("igraph")
    assert same_edges(from_igraph(to_igraph(ordinary_graph())), ordinary_graph())


def test_scipy_and_back():
    assert same_edges(from_scipy(ordinary_graph().to_scipy()), ordinary_graph())
    for matrix, cure in (([[0, 1], [0, 0]], "transpose"), ([[0, 2], [2, 0]], "zeros and ones"), ([[0, 1]], "square")):
        with pytest.raises(SchemaError, match=cure):
            from_scipy(csr_array(np.array(matrix)))


def test_an_edge_frame_and_back():
    frame = to_edge_frame(ordinary_graph())
    assert same_edges(from_edge_frame(frame, "one", "other", nodes=range(60)), ordinary_graph())
    named = from_edge_frame(pl.DataFrame({"a": ["x", "y"], "b": ["y", "z"]}), "a", "b")
    assert named.values("node").tolist() == ["x", "y", "z"]
