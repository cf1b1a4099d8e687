"""GEXF: nodes with attributes and edges, in the XML of Gephi."""

from pathlib import Path
from typing import Any

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

TITLE = "GEXF"
DOMAIN = Graph
SUFFIXES = (".gexf",)
NAMESPACE = "http://gexf.net/1.3"


def read(path: Path, schema: Schema) -> Graph:
    """Read a GEXF file; of the data of edges the weight is used."""
    keys: dict[str, tuple[str, str]] = {}
    labels: list[str] = []
    values: list[dict[str, Any]] = []
    data: dict[str, str | None] = {}
    one, other = [], []
    weights: list[str | None] = []
    kinds: list[str | None] = []
    default = "undirected"
    for name, element in elements(path, TITLE):
        given = element.attrib
        if name == "attribute":
            keys[given.get("id", "")] = (given.get("title", given.get("id", "")), given.get("type", "string"))
        elif name == "attvalue":
            data[given.get("for", "")] = given.get("value")
        elif name == "node":
            labels.append(given.get("id", str(len(labels))))
            values.append(
                {
                    keys[key][0]: typed(text, keys[key][1], path, keys[key][0])
                    for key, text in data.items()
                    if key in keys
                }
            )
            data = {}
        elif name == "edge":
            kinds.append(given.get("type"))
            weights.append(given.get("weight", "1"))  # the weight of an edge that names none
            one.append(required(given, "source", path))
            other.append(required(given, "target", path))
            data = {}
        elif name == "graph":
            default = given.get("defaultedgetype", default)
    directions = {(each or default) == "directed" for each in kinds} or {default == "directed"}
    directed, weight = one_kind_of_edges(path, TITLE, directions), weights_of(weights, path)
    return graph_of_labels(one, other, labels, by_attribute(values), schema, directed=directed, weight=weight)


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write a GEXF file of nodes numbered from 0 with their attributes."""
    graph, columns = columns_of(data, TITLE)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<gexf xmlns="{NAMESPACE}" version="1.3">']
    lines.append(f'<graph defaultedgetype="{"directed" if graph.directed else "undirected"}">')
    if columns:
        lines.append('<attributes class="node">')
        for number, (name, (kind, _)) in enumerate(columns.items()):
            lines.append(f'<attribute id="{number}" title={quoted(name)} type="{kind}"/>')
        lines.append("</attributes>")
    lines.append("<nodes>")
    for node in range(len(graph)):
        inner = "".join(
            f'<attvalue for="{number}" value={quoted(values[node])}/>'
            for number, (_, values) in enumerate(columns.values())
            if values[node] is not None
        )
        lines.append(f'<node id="{node}"><attvalues>{inner}</attvalues></node>' if inner else f'<node id="{node}"/>')
    lines.append("</nodes><edges>")
    low, high = graph.edges
    ends = zip(low.tolist(), high.tolist(), weight_texts(graph), strict=True)
    for number, (a, b, weight) in enumerate(ends):
        given = "" if weight is None else f' weight="{weight}"'
        lines.append(f'<edge id="{number}" source="{a}" target="{b}"{given}/>')
    path.write_text("\n".join([*lines, "</edges></graph></gexf>", ""]), encoding="utf-8")
