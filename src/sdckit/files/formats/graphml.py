"""GraphML: nodes with attributes and edges, in XML."""

from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from sdckit.errors import FileError
from sdckit.files.graph_parts import graph_of_labels, one_kind_of_edges
from sdckit.files.graph_xml import (
    by_attribute,
    columns_of,
    elements,
    quoted,
    required,
    typed,
    weight_texts,
    weights_of,
)
from sdckit.graph import Graph
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "GraphML"
DOMAIN = Graph
SUFFIXES = (".graphml",)
NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


def read(path: Path, schema: Schema) -> Graph:
    """Read a GraphML file with one graph; of the data of edges the weight is used."""
    keys: dict[str, tuple[str, str]] = {}
    labels: list[str] = []
    values: list[dict[str, Any]] = []
    data: dict[str, str | None] = {}
    one, other, graphs = [], [], 0
    weights: list[str | None] = []
    kinds: list[str | None] = []
    of_edges: dict[str, str] = {}
    default = "undirected"
    for name, element in elements(path, TITLE):
        given = element.attrib
        if name == "key" and given.get("for", "node") in ("node", "all"):
            keys[given.get("id", "")] = (given.get("attr.name", given.get("id", "")), given.get("attr.type", "string"))
        elif name == "key" and given.get("for") == "edge":
            of_edges[given.get("attr.name", given.get("id", ""))] = given.get("id", "")
        elif name == "data":
            data[given.get("key", "")] = element.text
        elif name == "node":
            labels.append(required(given, "id", path))
            values.append(
                {
                    keys[key][0]: typed(text, keys[key][1], path, keys[key][0])
                    for key, text in data.items()
                    if key in keys
                }
            )
            data = {}
        elif name == "edge":
            kinds.append(given.get("directed"))
            weights.append(data.get(of_edges.get("weight", "weight")))
            one.append(required(given, "source", path))
            other.append(required(given, "target", path))
            data = {}
        elif name == "graph":
            graphs += 1
            default = given.get("edgedefault", default)
        if name in ("node", "edge"):
            element.clear()
    if graphs != 1:
        raise FileError(f"{path} has {graphs} graphs; a file to mask has one")
    directions = {default == "directed" if each is None else each == "true" for each in kinds}
    directed = one_kind_of_edges(path, TITLE, directions or {default == "directed"})
    weight = weights_of(weights, path)
    return graph_of_labels(one, other, labels, by_attribute(values), schema, directed=directed, weight=weight)


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write a GraphML file of nodes numbered from 0 with their attributes."""
    graph, columns = columns_of(data, TITLE)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<graphml xmlns="{NAMESPACE}">']
    for number, (name, (kind, _)) in enumerate(columns.items()):
        lines.append(f'<key id="d{number}" for="node" attr.name={quoted(name)} attr.type="{kind}"/>')
    if graph.weight is not None:
        lines.append('<key id="weight" for="edge" attr.name="weight" attr.type="double"/>')
    lines.append(f'<graph edgedefault="{"directed" if graph.directed else "undirected"}">')
    for node in range(len(graph)):
        inner = "".join(
            f'<data key="d{number}">{escape(str(values[node]))}</data>'
            for number, (_, values) in enumerate(columns.values())
            if values[node] is not None
        )
        lines.append(f'<node id="{node}">{inner}</node>' if inner else f'<node id="{node}"/>')
    low, high = graph.edges
    for a, b, weight in zip(low.tolist(), high.tolist(), weight_texts(graph), strict=True):
        inner = "" if weight is None else f'<data key="weight">{weight}</data>'
        lines.append(
            f'<edge source="{a}" target="{b}">{inner}</edge>' if inner else f'<edge source="{a}" target="{b}"/>'
        )
    path.write_text("\n".join([*lines, "</graph>", "</graphml>", ""]), encoding="utf-8")
