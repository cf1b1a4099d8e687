"""Graphs from and to networkx, igraph, scipy and edge frames; each library is imported only where it is used."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from sdckit.errors import ParameterError, SchemaError
from sdckit.graph import Graph
from sdckit.microdata import Microdata, Role
from sdckit.schema import Schema


def from_networkx(graph: Any, *, schema: Schema | None = None) -> Graph:
    """The graph of a `networkx.Graph` or `DiGraph`; the attributes of its nodes become microdata.

    The attribute `weight` of edges, if any has it, is their weight.
    """
    nodes = list(graph.nodes)
    number = {node: index for index, node in enumerate(nodes)}
    ends = [(number[one], number[other]) for one, other, *_ in graph.edges]
    given = [values.get("weight") for *_, values in graph.edges(data=True)]
    weights = (
        [1.0 if each is None else float(each) for each in given] if any(each is not None for each in given) else None
    )
    names = dict.fromkeys(name for _, values in graph.nodes(data=True) for name in values)
    attributes = {name: [values.get(name) for _, values in graph.nodes(data=True)] for name in names}
    return _made(ends, nodes, attributes, schema, directed=graph.is_directed(), weight=weights)


def from_igraph(graph: Any, *, schema: Schema | None = None) -> Graph:
    """The graph of an `igraph.Graph`; `name` is the label of a node, other attributes become microdata.

    The attribute `weight` of edges, if there is one, is their weight.
    """
    attributes = {name: graph.vs[name] for name in graph.vs.attributes() if name != "name"}
    labels = graph.vs["name"] if "name" in graph.vs.attributes() else list(range(graph.vcount()))
    weights = graph.es["weight"] if "weight" in graph.es.attributes() else None
    return _made(graph.get_edgelist(), labels, attributes, schema, directed=graph.is_directed(), weight=weights)


def from_scipy(matrix: Any) -> Graph:
    """The graph of a sparse adjacency matrix: directed where it is not symmetric, with other values for weights."""
    from scipy.sparse import coo_array

    adjacency = coo_array(matrix)
    if adjacency.shape[0] != adjacency.shape[1]:
        raise SchemaError(
            f"the adjacency has {adjacency.shape[0]} rows and {adjacency.shape[1]} columns; give a square one"
        )
    directed = bool(abs(adjacency - adjacency.T).sum() > 0)
    there = (adjacency.data != 0) & (directed | (adjacency.row <= adjacency.col))
    values = np.asarray(adjacency.data[there], dtype=np.float64)
    weights = None if (values == 1).all() else values
    ends = adjacency.row[there], adjacency.col[there]
    return Graph.from_edges(adjacency.shape[0], *ends, directed=directed, weight=weights)


def from_edge_frame(
    frame: Any,
    one: str,
    other: str,
    *,
    nodes: Any = None,
    schema: Schema | None = None,
    weight: str | None = None,
    directed: bool = False,
) -> Graph:
    """The graph of a pandas, polars or pyarrow frame with an edge in each row; labels are in two columns.

    `weight` names the column of the weights of edges; directed edges lead from `one` to `other`.
    """
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True)
    for name in (one, other, *([] if weight is None else [weight])):
        if name not in table.columns:
            raise ParameterError(f"the frame has no column {name!r}; it has {', '.join(table.columns)}")
    ends = [table[name].to_list() for name in (one, other)]
    labels = sorted({*ends[0], *ends[1], *(nodes or ())}, key=lambda label: (isinstance(label, str), label))
    number = {label: index for index, label in enumerate(labels)}
    pairs = [(number[a], number[b]) for a, b in zip(*ends, strict=True)]
    weights = None if weight is None else table[weight].to_list()
    return _made(pairs, labels, {}, schema, directed=directed, weight=weights)


def _made(
    ends: Any,
    labels: list[Any],
    attributes: Mapping[str, list[Any]],
    schema: Schema | None,
    *,
    directed: bool,
    weight: Any,
) -> Graph:
    import polars as pl

    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    file = Microdata.from_frame(pl.DataFrame(attributes, strict=False), schema=schema) if attributes else None
    ends = pairs[:, 0], pairs[:, 1]
    return Graph.from_edges(len(labels), *ends, attributes=file, labels=labels, directed=directed, weight=weight)


def to_networkx(graph: Graph) -> Any:
    """A `networkx.Graph` with the nodes numbered from 0 and their attributes, without labels."""
    import networkx

    out = networkx.DiGraph() if graph.directed else networkx.Graph()
    out.add_nodes_from(range(len(graph)))
    low, high = graph.edges
    if graph.weight is None:
        out.add_edges_from(zip(low.tolist(), high.tolist(), strict=True))
    else:
        weights = graph.of_edges(graph.weight).tolist()
        out.add_weighted_edges_from(zip(low.tolist(), high.tolist(), weights, strict=True))
    for name in graph.names(role=[each for each in Role if each is not Role.IDENTIFIER]):
        networkx.set_node_attributes(out, dict(enumerate(graph.values(name).tolist())), name)
    return out


def to_igraph(graph: Graph) -> Any:
    """An `igraph.Graph` with the nodes numbered from 0 and their attributes, without labels."""
    import igraph

    low, high = graph.edges
    out = igraph.Graph(n=len(graph), edges=np.column_stack([low, high]).tolist(), directed=graph.directed)
    if graph.weight is not None:
        out.es["weight"] = graph.of_edges(graph.weight).tolist()
    for name in graph.names(role=[each for each in Role if each is not Role.IDENTIFIER]):
        out.vs[name] = graph.values(name).tolist()
    return out


def to_edge_frame(graph: Graph, backend: Literal["polars", "pandas", "pyarrow"] = "polars") -> Any:
    """A frame with an edge in each row: columns `one` and `other`, the numbers of its ends, and its weight if any."""
    import narwhals as nw

    low, high = graph.edges
    weights = {} if graph.weight is None else {"weight": graph.of_edges(graph.weight)}
    return nw.from_dict({"one": low, "other": high, **weights}, backend=backend).to_native()
