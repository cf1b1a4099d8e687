"""What the formats of graphs share: labels to numbers, attributes of nodes, and what no graph file may be."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import FileError
from sdckit.graph import Graph
from sdckit.microdata import Microdata, Role
from sdckit.schema import Schema


def graph_of_labels(
    one: Sequence[Any],
    other: Sequence[Any],
    nodes: Sequence[Any] = (),
    attributes: Mapping[str, Sequence[Any]] | None = None,
    schema: Schema | None = None,
) -> Graph:
    """The graph of edges between labelled nodes; `nodes` lists all, in the order of the attributes, or some of them.

    Nodes with whole numbers for labels are ordered by them, others as they first appear.
    """
    labels = list(dict.fromkeys([*nodes, *one, *other]))
    if not attributes and all(
        isinstance(label, str) and label.isdecimal() and str(int(label)) == label for label in labels
    ):
        labels.sort(key=int)
    number = {label: index for index, label in enumerate(labels)}
    ends = [np.fromiter((number[label] for label in end), dtype=np.int64, count=len(end)) for end in (one, other)]
    file = attribute_file(attributes, len(labels), schema) if attributes else None
    return Graph.from_edges(len(labels), *ends, attributes=file, labels=labels)


def graph_of_numbers(one: NDArray[np.int64], other: NDArray[np.int64], nodes: int | None) -> Graph:
    """The graph of edges between numbered nodes: 0 to `nodes` − 1, or else the numbers that occur."""
    highest = int(max(one.max(initial=-1), other.max(initial=-1)))
    if nodes is not None and highest < nodes:
        return Graph.from_edges(nodes, one, other)
    occurring = np.unique(np.concatenate([one, other]))
    if len(occurring) == highest + 1:
        return Graph.from_edges(len(occurring), one, other)
    ends = (np.searchsorted(occurring, end) for end in (one, other))
    return Graph.from_edges(len(occurring), *ends, labels=occurring.tolist())


def attribute_file(attributes: Mapping[str, Sequence[Any]], nodes: int, schema: Schema | None) -> Microdata:
    """The attributes of nodes as microdata; a node that a list is too short for has none."""
    import polars as pl

    columns = {name: [*values, *[None] * (nodes - len(values))] for name, values in attributes.items()}
    return Microdata.from_frame(pl.DataFrame(columns, strict=False), schema=schema or Schema())


def refuse_attributes(graph: Graph, title: str) -> None:
    """Refuse to write attributes of nodes in a format that has room for edges alone."""
    named = [each.name for each in graph.attributes if each.role is not Role.IDENTIFIER]
    if named:
        raise FileError(f"{title} have no room for attributes of nodes such as {named[0]!r}; write .graphml instead")


def refuse_microdata(data: Any, title: str) -> Graph:
    """The graph to write; an error where it is a file without edges."""
    if not isinstance(data, Graph):
        raise FileError(f"a file without edges cannot be written as {title}; write .csv or .parquet")
    return data


def directed(path: object, title: str) -> FileError:
    """The error for a directed graph, with its cure."""
    return FileError(
        f"{path} is a directed {title} graph, and directions are not supported yet; write every edge once as undirected"
    )


def weighted(path: object) -> FileError:
    """The error for a weighted graph, with its cure."""
    return FileError(
        f"{path} has weights of edges, which are not supported yet; keep the two columns of ends, or the edges above "
        "a weight"
    )
