"""What the formats of graphs share: labels to numbers, attributes of nodes, and what no graph file may be."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import FileError, SchemaError, private
from sdckit.graph import Graph
from sdckit.microdata import Microdata, Role
from sdckit.node_labels import NODE
from sdckit.schema import Schema

SPARSE = 10  # times as many numbers as edges, up to which those that occur are marked in an array


def graph_of_labels(
    one: Sequence[Any],
    other: Sequence[Any],
    nodes: Sequence[Any] = (),
    attributes: Mapping[str, Sequence[Any]] | None = None,
    schema: Schema | None = None,
    *,
    directed: bool = False,
    weight: Any = None,
) -> Graph:
    """The graph of edges between labelled nodes; `nodes` lists all, in the order of the attributes, or some of them.

    Nodes with whole numbers for labels are ordered by them, others as they first appear.
    """
    labels = list(dict.fromkeys([*nodes, *one, *other]))
    if attributes and len(set(nodes)) < len(nodes):
        twice = next(label for label, times in Counter(nodes).items() if times > 1)
        raise SchemaError(
            f"the node {private(twice)} appears twice, so that its attributes are ambiguous; list each node once"
        )
    if not attributes and all(
        isinstance(label, str) and label.isdecimal() and str(int(label)) == label for label in labels
    ):
        labels.sort(key=int)
    number = {label: index for index, label in enumerate(labels)}
    ends = [np.fromiter((number[label] for label in end), dtype=np.int64, count=len(end)) for end in (one, other)]
    file = attribute_file(attributes, len(labels), schema) if attributes else None
    return Graph.from_edges(len(labels), *ends, attributes=file, labels=labels, directed=directed, weight=weight)


def graph_of_numbers(
    one: NDArray[np.int64],
    other: NDArray[np.int64],
    nodes: int | None,
    *,
    directed: bool = False,
    weight: NDArray[np.float64] | None = None,
) -> Graph:
    """The graph of edges between numbered nodes: 0 to `nodes` − 1, or else the numbers that occur."""
    highest = int(max(one.max(initial=-1), other.max(initial=-1)))
    if nodes is not None and highest < nodes:
        return Graph.from_edges(nodes, one, other, directed=directed, weight=weight)
    if highest < SPARSE * (len(one) + 1):
        seen = np.zeros(highest + 1, dtype=bool)
        seen[one] = seen[other] = True
        occurring = np.flatnonzero(seen)
    else:
        occurring = np.unique(np.concatenate([one, other]))
    if len(occurring) == highest + 1:
        return Graph.from_edges(len(occurring), one, other, directed=directed, weight=weight)
    ends = (np.searchsorted(occurring, end) for end in (one, other))
    return Graph.from_edges(len(occurring), *ends, labels=occurring, directed=directed, weight=weight)


def used_weights(values: Any) -> NDArray[np.float64] | None:
    """The weights of edges; None where all are 1, as some programs write for edges that have none."""
    weights = np.asarray(values, dtype=np.float64)
    return None if (weights == 1).all() else weights


def attribute_file(attributes: Mapping[str, Sequence[Any]], nodes: int, schema: Schema | None) -> Microdata:
    """The attributes of nodes as microdata; a node that a list is too short for has none."""
    import polars as pl

    columns = {name: [*values, *[None] * (nodes - len(values))] for name, values in attributes.items()}
    return Microdata.from_frame(pl.DataFrame(columns, strict=False), schema=_without_labels(schema or Schema()))


def _without_labels(schema: Schema) -> Schema:
    """A schema for the attributes of nodes: their labels are an identifier, whatever it says of them."""
    return replace(schema, attributes={name: each for name, each in schema.attributes.items() if name != NODE})


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


def one_kind_of_edges(path: object, title: str, kinds: set[bool]) -> bool:
    """Whether the edges of a file are directed; an error where some are and others are not."""
    if len(kinds) > 1:
        raise FileError(
            f"{path} is a {title} graph in which some edges have a direction and others have none; write each edge "
            "without direction as two directed ones, or all without"
        )
    return True in kinds
