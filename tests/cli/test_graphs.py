"""Every verb understands a graph file."""

import pytest
from tests.cli.graph_release import RELEASE, printed

from sdckit.cli import main
from sdckit.files import read, write
from sdckit.graph import Graph
from sdckit.testing.graph_files import a_graph, ordinary_graph


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A graph, its masked version, the recipe and the key."""
    folder = tmp_path_factory.mktemp("graphs")
    write(a_graph(60, 180), folder / "graph.edges")
    options = ["--method", "edge-switching:share=0.2", "--recipe-out", "recipe.toml", "--key-out", "key.json"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["protect", "graph.edges", "safe.edges", "--shuffle-rows", "--seed", "1", *options]) == 0
    return folder


@pytest.fixture(autouse=True)
def inside(folder, monkeypatch):
    monkeypatch.chdir(folder)


def test_describe_shows_who_is_unique(capsys):
    code, found = printed(capsys, "describe", "graph.edges")
    assert code == 0
    assert (found["nodes"], set(found["unique"])) == (60, {"H1", "H2", "H3"})
    assert main(["describe", "graph.edges"]) == 0
    assert "unique by degree" in capsys.readouterr().out


def test_describe_shows_edges_and_attributes_of_nodes(capsys, tmp_path):
    write(ordinary_graph(), tmp_path / "people.graphml")
    assert main(["describe", str(tmp_path / "people.graphml")]) == 0
    shown = capsys.readouterr().out
    assert "60 nodes" in shown and "town" in shown


def test_the_masked_graph_has_the_degrees_of_the_original(folder):
    safe, graph = read(folder / "safe.edges"), read(folder / "graph.edges")
    assert isinstance(safe, Graph)
    assert sorted(safe.degrees) == sorted(graph.degrees)


def test_assess_measures_the_graph_and_nothing_else(capsys):
    code, found = printed(capsys, "assess", "graph.edges", "safe.edges", *RELEASE)
    names = {score["name"] for score in found["scores"]}
    assert code == 0
    assert {"informed-graph-intruder", "refinement-attack", "edge-loss"} <= names
    assert not names & {"uniqueness", "il1s"}


def test_attack_has_both_intruders(capsys):
    code, found = printed(capsys, "attack", "graph.edges", "safe.edges", *RELEASE)
    assert code == 0
    assert found["informed"]["name"] == "informed-graph-intruder"
    assert main(["attack", "graph.edges", "safe.edges", *RELEASE]) == 0
    shown = capsys.readouterr().out
    assert "the links of the original" in shown
    assert "60 nodes" in " ".join(shown.split()) and "record" not in shown


def test_a_shuffled_graph_is_not_assessed_without_its_key(capsys):
    assert main(["assess", "graph.edges", "safe.edges", "--recipe", "recipe.toml"]) == 2
    assert "--key" in capsys.readouterr().err


def test_gate_bounds_a_graph_risk(capsys, tmp_path):
    for limit, code in ((1.0, 0), (0.0, 1)):
        (tmp_path / "policy.toml").write_text(f'[[rules]]\nmeasure = "degree-attack"\nmax = {limit}\n')
        policy = ["--policy", str(tmp_path / "policy.toml")]
        assert main(["gate", "safe.edges", "--original", "graph.edges", *policy, *RELEASE]) == code
    capsys.readouterr()


@pytest.mark.slow
def test_report_shows_the_graph(capsys, tmp_path):
    assert main(["report", "graph.edges", "safe.edges", str(tmp_path / "report.html"), *RELEASE]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "The original graph, nodes by risk" in page and "Largest eigenvalues" in page
    assert "60 nodes ·" in page and "60 records" not in page and "100 records" not in page
    assert "Most exposed nodes" in page and "share of nodes" in page and "risk of the node" in page
    assert not any(text in page for text in ("xposed records", "hare of records", "of the record", "over the records"))


def test_sweep_maps_graph_methods_only(capsys):
    code, found = printed(
        capsys,
        *("sweep", "graph.edges", "--methods", "edge-switching,configuration-graph", "--seeds", "1", "--workers", "1"),
        *("--measure", "degree-attack", "--measure", "edge-loss"),
    )
    assert code == 0
    assert {point["method"] for point in found["points"]} == {
        *("edge-switching", "configuration-graph"),
        *("untouched", "shuffled", "constant"),
    }


def test_a_method_for_records_is_refused_for_a_graph_without_attributes(capsys, tmp_path):
    assert main(["protect", "graph.edges", str(tmp_path / "out.edges"), "--method", "mdav"]) == 2
    assert "has no key" in capsys.readouterr().err


def test_a_method_for_graphs_is_refused_for_records(capsys, tmp_path):
    (tmp_path / "people.csv").write_text("age,income\n31,2100\n44,3900\n52,4100\n")
    arguments = ["protect", str(tmp_path / "people.csv"), str(tmp_path / "out.csv"), "--method", "edge-switching"]
    assert main(arguments) == 2
    assert "edge list" in capsys.readouterr().err
