"""Graphs in XML: what GraphML and GEXF share. Entities are refused, since they may expand without end."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import FileError
from sdckit.files.document_type import DeclaresDocumentType, refuse_document_type
from sdckit.files.graph_parts import refuse_microdata, used_weights
from sdckit.graph import Graph
from sdckit.microdata import Microdata
from sdckit.node_labels import NODE

NUMBERS = {"int": int, "integer": int, "long": int, "float": float, "double": float}
UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # what XML cannot hold, however written
TRUTH = {"true": True, "1": True, "false": False, "0": False}


def elements(path: Path, title: str) -> Iterator[tuple[str, ElementTree.Element]]:
    """The elements of a document as they end, by name without namespace."""
    try:
        with path.open("rb") as file:
            refuse_document_type(file)
    except DeclaresDocumentType:
        raise FileError(
            f"{path} declares a document type, which {title} files do not need; remove the declaration"
        ) from None
    try:
        for _, element in ElementTree.iterparse(path):
            yield element.tag.rpartition("}")[2], element
    except (ElementTree.ParseError, UnicodeDecodeError, LookupError, ValueError) as problem:
        raise FileError(f"{path} is not a readable {title} file: {problem}") from None


def typed(text: str | None, kind: str, path: Path, name: str) -> Any:
    """A value of the type that the file declares."""
    if text is None:
        return None
    try:
        if kind in NUMBERS:
            return NUMBERS[kind](text)
        return TRUTH[text.strip().lower()] if kind == "boolean" else text
    except (ValueError, KeyError):
        raise FileError(f"{path}: a value of {name!r} is not of the declared type {kind!r}") from None


def required(attributes: Mapping[str, str], name: str, path: Path) -> str:
    """What a node or an edge must have: its name, or one of its ends."""
    if name not in attributes:
        raise FileError(f"{path}: a node or an edge has no {name!r}; write one for each")
    return attributes[name]


def by_attribute(values: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The values of nodes by attribute; a node that has none gets None."""
    names = dict.fromkeys(name for each in values for name in each if name != NODE)
    return {name: [each.get(name) for each in values] for name in names}


def weights_of(values: Sequence[str | None], path: Path) -> NDArray[np.float64] | None:
    """The weights of edges; None where no edge has one."""
    if all(each is None for each in values):
        return None
    without = sum(each is None for each in values)
    if without:
        raise FileError(f"{path}: {without:,} of {len(values):,} edges have no weight; give each edge one, or none")
    try:
        return used_weights([float(each) for each in values if each is not None])
    except ValueError:
        raise FileError(
            f"{path}: a weight of an edge is not a number; write numbers, or leave the weights out"
        ) from None


def weight_texts(graph: Graph) -> list[str | None]:
    """The weight of each edge as it is written; None where edges have none."""
    if graph.weight is None:
        return [None] * graph.edge_count
    return [f"{weight!r}".removesuffix(".0") for weight in graph.of_edges(graph.weight).tolist()]


def columns_of(data: Microdata, title: str) -> tuple[Graph, dict[str, tuple[str, list[Any]]]]:
    """The graph to write, and its attributes: the type and the values of each."""
    graph = refuse_microdata(data, f"a {title} file")
    if graph.probability is not None:
        raise FileError(f"{title} files are written with certain edges; write .edges for an uncertain graph")
    columns = {}
    for each in graph.attributes:
        values = graph.values(each.name).tolist()
        if not each.coded:
            kind = "long" if each.integral else "double"
            values = [None if value != value else int(value) if each.integral else value for value in values]
        else:
            kind = "string"
        columns[each.name] = (kind, values)
    return graph, columns


def loses(text: str) -> bool:
    """Whether a text has a character that makes XML unreadable."""
    return UNFIT.search(text) is not None


def quoted(value: Any) -> str:
    """A value as a quoted XML attribute."""
    return quoteattr(str(value))
