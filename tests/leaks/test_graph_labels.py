"""No file of a masked graph names a node of the original: for every masking, every format, and a published folder."""

import gzip
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from sdckit import protect
from sdckit.catalogue import Entry, entries
from sdckit.cli import main
from sdckit.errors import FileError
from sdckit.files import formats, write
from sdckit.graph import Graph

SECRET = 11**40
NODES = 40
WRITTEN = [suffix for each in formats() if each.write and each.domain is Graph for suffix in each.suffixes]
MASKINGS = entries("masking", Graph)


def labelled() -> Graph:
    """A graph whose nodes have names that can be recognised."""
    rng = np.random.default_rng(1)
    ends = rng.integers(0, NODES, (120, 2))
    return Graph.from_edges(NODES, ends[:, 0], ends[:, 1], labels=[f"MARK{each}" for each in range(NODES)])


def content(path: Path) -> bytes:
    stored = path.read_bytes()
    return gzip.decompress(stored) if stored[:2] == b"\x1f\x8b" else stored


@pytest.mark.parametrize("entry", MASKINGS, ids=lambda entry: entry.name)
def test_no_written_graph_names_a_node(entry: Entry, tmp_path: Path) -> None:
    release = protect(labelled(), entry.build(), seed=SECRET)
    written = []
    for suffix in WRITTEN:
        path = tmp_path / f"graph{suffix}"
        with suppress(FileError):  # a format without room for attributes or probabilities
            write(release.masked, path)
            written.append(suffix)
            assert b"MARK" not in content(path), suffix
    assert written


def test_the_labels_would_be_recognised_in_every_format(tmp_path: Path) -> None:
    """Written as an attribute that is no identifier, they are in the file: the search above sees what it looks for."""
    graph = labelled()
    shown = graph.with_roles(node="other")
    for suffix in WRITTEN:
        path = tmp_path / f"graph{suffix}"
        with suppress(FileError):  # a format without room for attributes
            write(shown, path)
            assert b"MARK" in content(path), suffix
    assert (tmp_path / "graph.graphml").exists()


@pytest.mark.slow
@pytest.mark.parametrize("entry", MASKINGS, ids=lambda entry: entry.name)
def test_nothing_published_names_a_node(entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    ends = rng.integers(0, NODES, (120, 2))
    lines = [f"MARK{a} MARK{b}\n" for a, b in ends if a != b]
    Path("graph.edges").write_text("".join(lines), encoding="utf-8")
    Path("policy.toml").write_text('[[rules]]\nmeasure = "edge-loss"\nmax = 1\noptional = true\n', encoding="utf-8")
    made = ("--recipe-out", "recipe.toml", "--key-out", "graph.key", "--shuffle-rows", "--quiet")
    safe = "safe.edges"
    if main(["protect", "graph.edges", safe, "--method", entry.name, *made]) == 2:  # no room for attributes of nodes
        safe = "safe.graphml"
        assert main(["protect", "graph.edges", safe, "--method", entry.name, *made]) == 0
    given = ("--original", "graph.edges", "--policy", "policy.toml", "--recipe", "recipe.toml", "--key", "graph.key")
    assert main(["publish", safe, *given, "--out", "out", "--quiet"]) == 0
    published = [path for path in Path("out").rglob("*") if path.is_file()]
    assert published
    assert not [path for path in published if b"MARK" in content(path)]
