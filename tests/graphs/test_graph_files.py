"""Graph files: what is written is read again, and what no graph file may be is refused in one line."""

import gzip

import numpy as np
import pytest

from sdckit.errors import FileError
from sdckit.files import formats, read, write
from sdckit.graph import Graph
from sdckit.testing.graph_files import a_graph, ordinary_graph, same_edges

SUFFIXES = [suffix for each in formats() if each.domain is Graph and each.write for suffix in each.suffixes]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("nodes", "edges"), [(30, 70), (5, 0), (1, 0)])
def test_what_is_written_is_read_again(tmp_path, suffix, nodes, edges):
    graph = a_graph(nodes, edges) if edges else Graph.from_edges(nodes, [], [])
    write(graph, tmp_path / f"graph{suffix}")
    again = read(tmp_path / f"graph{suffix}")
    assert isinstance(again, Graph)
    assert same_edges(graph, again)
    assert again.cleaned.notes() == ()


@pytest.mark.parametrize("text", ["# a comment\nann bob\nbob\tcat\n", "ann,bob\nbob,cat", "% konect\nann bob\nbob cat"])
def test_labels_are_ordered_as_they_appear(tmp_path, text):
    (tmp_path / "graph.edges").write_text(text)
    graph = read(tmp_path / "graph.edges")
    assert graph.values("node").tolist() == ["ann", "bob", "cat"]
    assert graph.degrees.tolist() == [1, 2, 1]


def test_numbers_with_gaps_are_labels_in_their_order(tmp_path):
    (tmp_path / "graph.edges").write_text("30 4\n4 7\n")
    graph = read(tmp_path / "graph.edges")
    assert graph.values("node").tolist() == [4, 7, 30]
    assert graph.degrees.tolist() == [2, 1, 1]


def test_a_line_with_one_label_is_an_isolated_node(tmp_path):
    (tmp_path / "graph.edges").write_text("0 1\n2\n")
    assert read(tmp_path / "graph.edges").degrees.tolist() == [1, 1, 0]


def test_loops_and_both_directions_are_cleaned_with_a_note(tmp_path):
    with gzip.open(tmp_path / "graph.txt.gz", "wt") as target:
        target.write("0 1\n1 0\n2 2\n1 2\n")
    graph = read(tmp_path / "graph.txt.gz")
    assert graph.edge_count == 2
    assert graph.cleaned.notes() == ("1 self-loop left out", "1 repeated edge left out")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("graph.edges", b"0 1 0.5\n", "weights"),
        ("graph.edges", b"0 1 2 3\n", "4 labels"),
        ("graph.edges", b"\xff\xfe\x00 b\n", "UTF-8"),
        ("graph.edges.gz", b"no gzip", "decompressed"),
        ("graph.adjlist", b"a,b\n", "commas"),
    ],
)
def test_what_is_no_simple_graph_is_refused_with_the_cure(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=message):
        read(tmp_path / name)


def test_attributes_are_not_lost_silently(tmp_path):
    with pytest.raises(FileError, match=r"'age'.*graphml"):
        write(ordinary_graph(), tmp_path / "graph.edges")


def test_a_file_without_edges_is_not_written_as_a_graph(tmp_path):
    from sdckit.datasets import simulate_survey

    with pytest.raises(FileError, match="without edges"):
        write(simulate_survey(20, seed=1), tmp_path / "graph.edges")


def test_probabilities_of_edges_are_written_and_read(tmp_path):
    graph = Graph.uncertain(4, [2, 0], [3, 1], [0.25, 0.75])
    write(graph, tmp_path / "graph.edges")
    again = read(tmp_path / "graph.edges")
    assert np.array_equal(again.probability, graph.probability)
    assert again.to_scipy()[2, 3] == 0.25


@pytest.mark.parametrize("suffix", [".graphml", ".gexf"])
def test_attributes_of_nodes_survive_with_their_types(tmp_path, suffix):
    write(ordinary_graph(), tmp_path / f"graph{suffix}")
    again = read(tmp_path / f"graph{suffix}")
    assert same_edges(again, ordinary_graph())
    assert again.columns["age"].tolist() == ordinary_graph().columns["age"].tolist()
    assert again.values("town").tolist() == ordinary_graph().values("town").tolist()
    assert "node" not in again


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "g.graphml",
            '<graphml><graph edgedefault="directed"><edge source="a" target="b"/></graph></graphml>',
            "directed",
        ),
        ("g.gexf", '<gexf><graph defaultedgetype="directed"><edge source="a" target="b"/></graph></gexf>', "directed"),
        ("g.graphml", '<!DOCTYPE g [<!ENTITY a "b">]><graphml/>', "document type"),
        ("g.graphml", "<graphml><graph>", "not a readable"),
        ("g.graphml", "<graphml/>", "0 graphs"),
    ],
)
def test_what_is_no_undirected_graph_is_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(FileError, match=message):
        read(tmp_path / name)
