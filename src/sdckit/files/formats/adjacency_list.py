"""Adjacency list: one node per line, followed by its neighbours; an edge may be listed at one end or at both.

A comment that begins with "directed" says that edges lead from the first node of a line to the others.
"""

from pathlib import Path

from sdckit.errors import FileError
from sdckit.files.formats.edge_list import COMMENT, DIRECTED, LEADING, content_of, write_content
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
        content = content_of(path)
        comments = LEADING.match(content)
        directed = bool(comments and DIRECTED.search(comments[0]))
        lines = COMMENT.sub(b"", content).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise FileError(f"{path} is not text in UTF-8; save it as UTF-8") from None
    if any("," in line or ";" in line for line in lines[:1]):
        raise FileError(f"{path} has commas, so it is no adjacency list; separate the labels by spaces")
    tabs = any("\t" in line for line in lines)
    rows = [[each.strip() for each in line.split("\t" if tabs else None)] for line in lines if line.strip()]
    one = [row[0] for row in rows for _ in row[1:]]
    other = [label for row in rows for label in row[1:]]
    graph = graph_of_labels(one, other, [row[0] for row in rows], directed=directed)
    return graph if directed else graph.without_repetition_note()


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write an adjacency list of nodes numbered from 0, every edge at its smaller end, or where directed its first."""
    graph = refuse_microdata(data, "an adjacency list")
    refuse_attributes(graph, "adjacency lists")
    if graph.probability is not None:
        raise FileError("adjacency lists have no room for probabilities of edges; write .edges instead")
    if graph.weight is not None:
        raise FileError("adjacency lists have no room for weights of edges; write .edges instead")
    lines = ["# directed"] if graph.directed else []
    for node in range(len(graph)):
        others = graph.neighbours(node)
        others = others if graph.directed else others[others > node]
        lines.append(" ".join(map(str, [node, *others.tolist()])))
    write_content(path, ("\n".join(lines) + "\n").encode())
