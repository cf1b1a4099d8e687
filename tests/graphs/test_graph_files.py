"""Graph files: what is written is read again, and what no graph file may be is refused in one line."""

import gzip

import numpy as np
import pytest

from sdckit.errors import FileError
from sdckit.files import formats, read, write
from sdckit.graph import Graph
from sdckit.testing.graph_files import a_directed_graph, a_graph, ordinary_graph, same_edges, with_some_weights

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
        ("graph.edges", b"0 1 0.5 7\n", "4 columns"),
        ("graph.edges", b"ann bob heavy\n", "no weight.*number"),
        ("graph.edges", b"a b 2\nb c\n", "edge 2 has no weight"),
        ("graph.edges", b"0 1 2 3\n", "4 columns"),
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
            '<graphml><graph edgedefault="directed"><edge source="a" target="b"/>'
            '<edge source="b" target="c" directed="false"/></graph></graphml>',
            "some edges have a direction",
        ),
        (
            "g.gexf",
            '<gexf><graph><edge source="a" target="b" type="directed"/><edge source="b" target="c"/></graph></gexf>',
            "some edges have a direction",
        ),
        (
            "g.gexf",
            '<gexf><graph><edge source="a" target="b" weight="heavy"/></graph></gexf>',
            "number",
        ),
        ("g.graphml", '<!DOCTYPE g [<!ENTITY a "b">]><graphml/>', "document type"),
        ("g.graphml", "<graphml><graph>", "not a readable"),
        ("g.graphml", "<graphml/>", "0 graphs"),
    ],
)
def test_what_is_no_graph_of_one_kind_is_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(FileError, match=message):
        read(tmp_path / name)


def directed_and_weighted():
    """Four kinds of edges, and one graph with both directions of an edge."""
    directed = a_directed_graph(20, 50)
    return {
        "plain": a_graph(20, 40),
        "directed": directed,
        "weighted": with_some_weights(a_graph(20, 40)),
        "both": directed.with_weights(np.linspace(-2, 3, directed.edge_count)),
    }


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", directed_and_weighted())
def test_directions_and_weights_are_written_and_read(tmp_path, suffix, kind):
    graph = directed_and_weighted()[kind]
    path = tmp_path / f"graph{suffix}"
    if suffix.startswith(".adjlist") and graph.weight is not None:
        with pytest.raises(FileError, match=r"weights.*\.edges"):
            write(graph, path)
        return
    write(graph, path)
    assert same_edges(read(path), graph)


@pytest.mark.parametrize("comment", ["# Directed graph (each pair is saved once): x.txt", "% asym unweighted"])
def test_a_comment_says_that_edges_have_directions(tmp_path, comment):
    (tmp_path / "graph.edges").write_text(f"{comment}\n5 9\n9 5\n5 2\n")
    graph = read(tmp_path / "graph.edges")
    assert graph.directed
    assert graph.values("node").tolist() == [2, 5, 9]
    assert graph.degrees_by_direction.tolist() == [[0, 1], [2, 1], [1, 1]]
    (tmp_path / "graph.edges").write_text("# Undirected graph\n5 9\n9 5\n")
    assert not read(tmp_path / "graph.edges").directed


def test_weights_of_repeated_edges_are_added_up(tmp_path):
    (tmp_path / "graph.edges").write_text("0 1 2\n1 0 3.5\n1 2 1\n2 2 9\n")
    graph = read(tmp_path / "graph.edges")
    assert graph.of_edges(graph.weight).tolist() == [5.5, 1.0]


def test_numbers_with_leading_zeros_are_names(tmp_path):
    (tmp_path / "graph.edges").write_text("007 7\n7 010\n")
    assert read(tmp_path / "graph.edges").values("node").tolist() == ["007", "7", "010"]


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_names_may_contain_spaces_between_other_separators(tmp_path, separator):
    lines = [("Ann Lee", "Zoë"), ("Zoë", "李 四")]
    (tmp_path / "graph.edges").write_text("\n".join(map(separator.join, lines)), encoding="utf-8")
    assert read(tmp_path / "graph.edges").values("node").tolist() == ["Ann Lee", "Zoë", "李 四"]


@pytest.mark.parametrize("text", ["source,target\nann,bob\n", "From To\nann bob\n", "user_a\tuser_b\n3\t4\n"])
def test_names_of_columns_are_no_edge(tmp_path, text):
    (tmp_path / "graph.edges").write_text(text)
    graph = read(tmp_path / "graph.edges")
    assert (len(graph), graph.edge_count) == (2, 1)


def test_edges_as_networkx_writes_them(tmp_path):
    (tmp_path / "graph.edges").write_text("a b {'weight': 2.5}\nb c {'weight': 4, 'since': 1999}\n")
    graph = read(tmp_path / "graph.edges")
    assert graph.of_edges(graph.weight).tolist() == [2.5, 4.0]
    (tmp_path / "graph.edges").write_text("0 1 {}\n1 2 {}\n")
    assert read(tmp_path / "graph.edges").weight is None


@pytest.mark.parametrize("suffix", [each.suffixes[0] for each in formats() if each.domain is not Graph and each.write])
def test_no_table_takes_a_graph_and_loses_its_edges(tmp_path, suffix):
    with pytest.raises(FileError, match=r"would be lost; write .*graphml"):
        write(a_graph(30, 70), tmp_path / f"graph{suffix}")
    assert not [*tmp_path.iterdir()]
