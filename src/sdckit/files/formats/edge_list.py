"""Edge list: one edge per line, two labels separated by space, tab or comma; also compressed by gzip.

Lines that begin with # or % are comments. A line with one label is a node, so that isolated nodes have a line too. A
file written here says in its first line how many nodes it has, numbered from 0, and whether a third column is the
probability of each edge.
"""

import gzip
import re
import zlib
from pathlib import Path

import numpy as np

from sdckit.errors import FileError
from sdckit.files.graph_parts import graph_of_labels, graph_of_numbers, refuse_attributes, refuse_microdata, weighted
from sdckit.graph import Graph
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "edge list"
DOMAIN = Graph
SUFFIXES = (".edges", ".edgelist", ".edges.gz", ".edgelist.gz", ".txt.gz")
HEADER = re.compile(rb"# nodes (\d+)( probability)?\s*$", re.MULTILINE)
COMMENT = re.compile(rb"^[ \t]*[#%][^\n]*\n?", re.MULTILINE)
NUMBERS = re.compile(rb"[\d\s]*")


def read(path: Path, schema: Schema) -> Graph:
    """Read an edge list; labels are whole numbers or texts without spaces."""
    content = content_of(path)
    header = HEADER.match(content)
    nodes = int(header[1]) if header else None
    text = COMMENT.sub(b"", content).replace(b",", b" ")
    lines = text.count(b"\n") + (not text.endswith(b"\n") and bool(text.strip()))
    if header and header[2]:
        return _uncertain(path, text, nodes or 0)
    if NUMBERS.fullmatch(text):
        numbers = np.fromstring(text.decode("ascii"), dtype=np.int64, sep=" ")
        width = len(text.partition(b"\n")[0].split())
        if (width == 2 and len(numbers) == 2 * lines) or not len(numbers):
            return graph_of_numbers(numbers[0::2], numbers[1::2], nodes)
    return _by_line(path, text, nodes)


def _by_line(path: Path, text: bytes, nodes: int | None) -> Graph:
    one, other, single = [], [], [str(node) for node in range(nodes or 0)]
    for number, line in enumerate(_decoded(path, text).splitlines(), start=1):
        labels = line.split()
        if len(labels) > 2:
            if len(labels) == 3:
                raise weighted(path)
            raise FileError(f"{path}: edge {number} has {len(labels)} labels; write two, the ends of an edge")
        if len(labels) == 1:
            single.append(labels[0])
        elif labels:
            one.append(labels[0])
            other.append(labels[1])
    return graph_of_labels(one, other, single)


def _uncertain(path: Path, text: bytes, nodes: int) -> Graph:
    try:
        table = np.array([line.split() for line in text.decode("ascii").splitlines() if line.strip()], dtype=np.float64)
        table = table.reshape(-1, 3)
    except ValueError:
        raise FileError(f"{path}: every line needs two nodes and a probability, as its first line says") from None
    return Graph.uncertain(nodes, table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2])


def _decoded(path: Path, text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{path} is not text in UTF-8; save it as UTF-8") from None


def content_of(path: Path) -> bytes:
    """The content of a file, decompressed where its name ends in .gz."""
    if path.suffix.lower() != ".gz":
        return path.read_bytes()
    try:
        with gzip.open(path) as source:
            return source.read()
    except (OSError, EOFError, zlib.error) as problem:
        raise FileError(f"{path} cannot be decompressed: {problem}; check that the file is complete") from None


def bytes_needed(path: Path) -> int:
    """The text, its numbers and the adjacency; compressed text is up to eight times as long."""
    return (48 if path.suffix.lower() == ".gz" else 8) * path.stat().st_size


def write(data: Microdata, path: Path, escape_formulas: bool = False) -> None:
    """Write an edge list of nodes numbered from 0."""
    graph = refuse_microdata(data, "an edge list")
    refuse_attributes(graph, "edge lists")
    low, high = graph.edges
    header = f"# nodes {len(graph)}"
    if graph.probability is not None:
        rows = np.repeat(np.arange(len(graph)), graph.degrees)
        values = graph.probability[rows < graph.indices]
        lines = "".join(
            f"{a} {b} {p:.6g}\n" for a, b, p in zip(low.tolist(), high.tolist(), values.tolist(), strict=True)
        )
        header += " probability"
    else:
        lines = "".join(f"{a} {b}\n" for a, b in zip(low.tolist(), high.tolist(), strict=True))
    write_content(path, f"{header}\n{lines}")


def write_content(path: Path, text: str) -> None:
    """Write a text, compressed where the name of the file ends in .gz."""
    content = text.encode()
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix.lower() == ".gz" else content)
