"""Edge list: one edge per line, two labels separated by tab, comma, semicolon or space; also compressed by gzip.

Lines that begin with # or % are comments. A line with one label is a node, so that isolated nodes have a line too. A
third column is the weight of each edge. A comment that begins with "directed" (or KONECT's "asym") says that edges lead
from the first node to the second. A file written here says in its first line how many nodes it has, numbered from 0,
whether edges have directions, and whether a third column is their weight or their probability.
"""

import gzip
import io
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import FileError
from sdckit.files.edge_lines import edges_by_line
from sdckit.files.graph_parts import (
    graph_of_labels,
    graph_of_numbers,
    refuse_attributes,
    refuse_microdata,
    used_weights,
)
from sdckit.graph import Graph
from sdckit.microdata import Microdata
from sdckit.schema import Schema

TITLE = "edge list"
DOMAIN = Graph
SUFFIXES = (".edges", ".edgelist", ".edges.gz", ".edgelist.gz", ".txt.gz")
HEADER = re.compile(rb"# nodes (\d+)((?: directed| weight| probability)*)\s*$", re.MULTILINE)
COMMENT = re.compile(rb"^[ \t]*[#%][^\n]*(?:\n|$)", re.MULTILINE)
LEADING = re.compile(rb"(?:[ \t]*[#%][^\n]*(?:\n|$))*")
DIRECTED = re.compile(rb"^[ \t]*[#%][ \t]*(?:directed|asym)\b", re.MULTILINE | re.IGNORECASE)
LEADING_ZERO = re.compile(rb"(?<![\d.eE+-])0\d")
WHOLE, DECIMAL = b"0123456789", b"0123456789.eE+-"
BETWEEN = b" \t\r\n,;"
SPACES = bytes.maketrans(b",;\t", b"   ")


def read(path: Path, schema: Schema) -> Graph:
    """Read an edge list; labels are whole numbers or texts."""
    content = content_of(path)
    header = HEADER.match(content)
    nodes = int(header[1]) if header else None
    says = header[2].split() if header else []
    comments = LEADING.match(content)
    start = comments.end() if comments else 0
    directed = b"directed" in says or bool(DIRECTED.search(content[:start]))
    text = content[start:].rstrip()
    del content
    if b"#" in text or b"%" in text:
        text = COMMENT.sub(b"", text)
    if b"probability" in says:
        return _uncertain(path, text, nodes or 0)
    table = _numbers(text)
    if table is not None:
        weight = used_weights(table[:, 2]) if table.shape[1] == 3 else None
        one, other = (table[:, number].astype(np.int64, copy=False) for number in (0, 1))
        return graph_of_numbers(one, other, nodes, directed=directed, weight=weight)
    found = edges_by_line(path, _decoded(path, text))
    return graph_of_labels(
        found.one,
        found.other,
        [*map(str, range(nodes or 0)), *found.single],
        directed=directed,
        weight=None if found.weight is None else used_weights(found.weight),
    )


def _numbers(text: bytes) -> NDArray[Any] | None:
    """The edges of a text of whole numbers, and perhaps a weight, as a table; None where a label is none."""
    first = text.partition(b"\n")[0].translate(SPACES).split()
    lines = text.count(b"\n") + bool(text)
    whole = len(first) == 2
    if not whole and len(first) != 3:
        return np.zeros((0, 2), dtype=np.int64) if not text else None
    if text.translate(None, (WHOLE if whole else DECIMAL) + BETWEEN) or LEADING_ZERO.search(text):
        return None
    if any(re.search(rb"[^\d]", label) for label in first[:2]):
        return None
    try:
        read = np.fromstring(text.translate(SPACES).decode("ascii"), dtype=np.int64 if whole else np.float64, sep=" ")
    except (ValueError, DeprecationWarning):
        return None
    if len(read) != len(first) * lines:
        return None
    table = read.reshape(lines, len(first))
    ends = table[:, :2]
    return table if whole or (np.isfinite(table).all() and (ends >= 0).all() and (ends % 1 == 0).all()) else None


def _uncertain(path: Path, text: bytes, nodes: int) -> Graph:
    try:
        table = np.array([line.split() for line in text.decode("ascii").splitlines() if line.strip()], dtype=np.float64)
        table = table.reshape(-1, 3)
    except ValueError:
        raise FileError(f"{path}: every line needs two nodes and a probability, as its first line says") from None
    return Graph.uncertain(nodes, table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2])


def _decoded(path: Path, text: bytes) -> str:
    try:
        return text.decode("utf-8-sig")
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
    import polars as pl

    graph = refuse_microdata(data, "an edge list")
    refuse_attributes(graph, "edge lists")
    header = f"# nodes {len(graph)}" + (" directed" if graph.directed else "")
    low, high = graph.edges
    columns: dict[str, NDArray[Any]] = {"one": low, "other": high}
    if graph.probability is not None:
        header += " probability"
        columns["probability"] = graph.of_edges(graph.probability).round(6)
    elif graph.weight is not None:
        weights = graph.of_edges(graph.weight)
        whole = bool((weights == np.round(weights)).all() and (np.abs(weights) < 2**53).all())
        header += " weight"
        columns["weight"] = weights.astype(np.int64) if whole else weights
    lines = io.BytesIO()
    pl.DataFrame(columns).write_csv(lines, include_header=False, separator=" ")
    write_content(path, f"{header}\n".encode() + lines.getvalue())


def write_content(path: Path, content: bytes) -> None:
    """Write a text, compressed where the name of the file ends in .gz."""
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix.lower() == ".gz" else content)
