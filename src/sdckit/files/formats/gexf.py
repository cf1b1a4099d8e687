"""GEXF: nodes with attributes and edges, in the XML of Gephi."""

from pathlib import Path
from typing import Any

from sdckit.files.graph_parts import directed, graph_of_labels
from sdckit.files.graph_xml import by_attribute, columns_of, elements, quoted, typed
from sdckit.graph import Graph
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "GEXF"
DOMAIN = Graph
SUFFIXES = (".gexf",)
NAMESPACE = "http://gexf.net/1.3"


def read(path: Path, schema: Schema) -> Graph:
    """Read a GEXF file with an undirected graph; data of edges is left out."""
    keys: dict[str, tuple[str, str]] = {}
    labels: list[str] = []
    values: list[dict[str, Any]] = []
    data: dict[str, str | None] = {}
    one, other = [], []
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
            if given.get("type") == "directed":
                raise directed(path, TITLE)
            one.append(given.get("source", ""))
            other.append(given.get("target", ""))
            data = {}
        elif name == "graph" and given.get("defaultedgetype") == "directed" and one:
            raise directed(path, TITLE)
    return graph_of_labels(one, other, labels, by_attribute(values), schema)


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write a GEXF file of nodes numbered from 0 with their attributes."""
    graph, columns = columns_of(data, TITLE)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<gexf xmlns="{NAMESPACE}" version="1.3">']
    lines.append('<graph defaultedgetype="undirected">')
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
    lines += [
        f'<edge id="{number}" source="{a}" target="{b}"/>'
        for number, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True))
    ]
    path.write_text("\n".join([*lines, "</edges></graph></gexf>", ""]), encoding="utf-8")
