"""Adjacency list: one node per line, followed by its neighbours; an edge may be listed at one end or at both."""

from pathlib import Path

from sdckit.errors import FileError
from sdckit.files.formats.edge_list import COMMENT, content_of, write_content
from sdckit.files.graph_parts import graph_of_labels, refuse_attributes, refuse_microdata
from sdckit.graph import Graph
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "adjacency list"
DOMAIN = Graph
SUFFIXES = (".adjlist", ".adjlist.gz")


def read(path: Path, schema: Schema) -> Graph:
    """Read an adjacency list; an edge that both its ends list is one edge."""
    try:
        lines = COMMENT.sub(b"", content_of(path)).decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise FileError(f"{path} is not text in UTF-8; save it as UTF-8") from None
    if any("," in line or ";" in line for line in lines[:1]):
        raise FileError(f"{path} has commas, so it is no adjacency list; separate the labels by spaces")
    rows = [line.split() for line in lines if line.strip()]
    one = [row[0] for row in rows for _ in row[1:]]
    other = [label for row in rows for label in row[1:]]
    graph = graph_of_labels(one, other, [row[0] for row in rows])
    return graph.without_repetition_note()


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write an adjacency list of nodes numbered from 0, every edge at its smaller end."""
    graph = refuse_microdata(data, "an adjacency list")
    refuse_attributes(graph, "adjacency lists")
    if graph.probability is not None:
        raise FileError("adjacency lists have no room for probabilities of edges; write .edges instead")
    lines = []
    for node in range(len(graph)):
        larger = graph.neighbours(node)
        lines.append(" ".join(map(str, [node, *larger[larger > node].tolist()])))
    write_content(path, "\n".join(lines) + "\n")
