"""Graphs from and to networkx, igraph, scipy and edge frames; each library is imported only where it is used."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from sdckit.errors import ParameterError, SchemaError
from sdckit.graph import Graph
from sdckit.microdata import Microdata, Role
from sdckit.schema import Schema


def from_networkx(graph: Any, *, schema: Schema | None = None) -> Graph:
    """The graph of a `networkx.Graph`; the attributes of its nodes become microdata."""
    if graph.is_directed():
        raise SchemaError("the graph is directed; give graph.to_undirected()")
    nodes = list(graph.nodes)
    number = {node: index for index, node in enumerate(nodes)}
    ends = [(number[one], number[other]) for one, other, *_ in graph.edges]
    names = dict.fromkeys(name for _, values in graph.nodes(data=True) for name in values)
    attributes = {name: [values.get(name) for _, values in graph.nodes(data=True)] for name in names}
    return _made(ends, nodes, attributes, schema)


def from_igraph(graph: Any, *, schema: Schema | None = None) -> Graph:
    """The graph of an `igraph.Graph`; `name` is the label of a node, other attributes become microdata."""
    if graph.is_directed():
        raise SchemaError("the graph is directed; give graph.as_undirected()")
    attributes = {name: graph.vs[name] for name in graph.vs.attributes() if name != "name"}
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else list(range(graph.vcount()))
    return _made(graph.get_edgelist(), labels, attributes, schema)


def from_scipy(matrix: Any) -> Graph:
    """The graph of a symmetric sparse adjacency matrix of zeros and ones."""
    from scipy.sparse import coo_array

    adjacency = coo_array(matrix)
    if adjacency.shape[0] != adjacency.shape[1]:
        raise SchemaError(
            f"the adjacency has {adjacency.shape[0]} rows and {adjacency.shape[1]} columns; give a square one"
        )
    if abs(adjacency - adjacency.T).sum() > 0:
        raise SchemaError("the adjacency is not symmetric: the graph is directed; give the sum with its transpose")
    there = adjacency.data != 0
    if not np.isin(adjacency.data[there], (0, 1)).all():
        raise SchemaError("the adjacency has weights; give a matrix of zeros and ones")
    return Graph.from_edges(adjacency.shape[0], adjacency.row[there], adjacency.col[there]).without_repetition_note()


def from_edge_frame(frame: Any, one: str, other: str, *, nodes: Any = None, schema: Schema | None = None) -> Graph:
    """The graph of a pandas, polars or pyarrow frame with an edge in each row; labels are in two columns."""
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True)
    for name in (one, other):
        if name not in table.columns:
            raise ParameterError(f"the frame has no column {name!r}; it has {', '.join(table.columns)}")
    ends = [table[name].to_list() for name in (one, other)]
    labels = sorted({*ends[0], *ends[1], *(nodes or ())}, key=lambda label: (isinstance(label, str), label))
    number = {label: index for index, label in enumerate(labels)}
    pairs = [(number[a], number[b]) for a, b in zip(*ends, strict=True)]
    return _made(pairs, labels, {}, schema)


def _made(ends: Any, labels: list[Any], attributes: Mapping[str, list[Any]], schema: Schema | None) -> Graph:
    import polars as pl

    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    file = Microdata.from_frame(pl.DataFrame(attributes, strict=False), schema=schema) if attributes else None
    return Graph.from_edges(len(labels), pairs[:, 0], pairs[:, 1], attributes=file, labels=labels)


def to_networkx(graph: Graph) -> Any:
    """A `networkx.Graph` with the nodes numbered from 0 and their attributes, without labels."""
    import networkx

    out = networkx.Graph()
    out.add_nodes_from(range(len(graph)))
    low, high = graph.edges
    out.add_edges_from(zip(low.tolist(), high.tolist(), strict=True))
    for name in graph.names(role=[each for each in Role if each is not Role.IDENTIFIER]):
        networkx.set_node_attributes(out, dict(enumerate(graph.values(name).tolist())), name)
    return out


def to_igraph(graph: Graph) -> Any:
    """An `igraph.Graph` with the nodes numbered from 0 and their attributes, without labels."""
    import igraph

    low, high = graph.edges
    out = igraph.Graph(n=len(graph), edges=np.column_stack([low, high]).tolist())
    for name in graph.names(role=[each for each in Role if each is not Role.IDENTIFIER]):
        out.vs[name] = graph.values(name).tolist()
    return out


def to_edge_frame(graph: Graph, backend: Literal["polars", "pandas", "pyarrow"] = "polars") -> Any:
    """A frame with an edge in each row: columns `one` and `other`, the numbers of its ends."""
    import narwhals as nw

    low, high = graph.edges
    return nw.from_dict({"one": low, "other": high}, backend=backend).to_native()
