"""Every verb understands a small directed, weighted graph, and says in one line what is wrong with a bad one."""

import pytest
from tests.cli.graph_release import RELEASE, printed

from sdckit.cli import main
from sdckit.evaluation.sweep import plan
from sdckit.files import read, write
from sdckit.testing.graph_files import a_directed_graph, a_graph, with_some_weights

NODES = """<node id="Ann Lee"><data key="age">31</data></node><node id="O'Brien"><data key="age">44</data></node>
<node id="&lt;b&gt;"><data key="age">31</data></node><node id=""><data key="age">52</data></node>"""
EDGES = """<edge source="Ann Lee" target="O'Brien"><data key="w">3</data></edge>
<edge source="Ann Lee" target="O'Brien"><data key="w">4</data></edge>
<edge source="" target="&lt;b&gt;"><data key="w">2</data></edge>
<edge source="" target=""><data key="w">9</data></edge>"""


def graphml(nodes: str, edges: str) -> str:
    keys = '<key id="w" for="edge" attr.name="weight" attr.type="double"/><key id="age" for="node" attr.type="int"/>'
    return f'<graphml>{keys}<graph edgedefault="directed">{nodes}{edges}</graph></graphml>'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A directed, weighted graph, its masked version, the recipe, the key and a policy."""
    folder = tmp_path_factory.mktemp("directed")
    write(with_some_weights(a_directed_graph(20, 50)), folder / "calls.edges")
    write(a_graph(20, 40), folder / "friends.edges")
    (folder / "people.graphml").write_text(graphml(NODES, EDGES), encoding="utf-8")
    (folder / "policy.toml").write_text('[[rules]]\nmeasure = "strength-loss"\nmax = 0.9\n')
    options = ["--method", "edge-switching:share=0.2", "--recipe-out", "recipe.toml", "--key-out", "key.json"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["protect", "calls.edges", "safe.edges", "--shuffle-rows", *options]) == 0
    return folder


@pytest.fixture(autouse=True)
def inside(folder, monkeypatch):
    monkeypatch.chdir(folder)


def refused(capsys, *arguments):
    assert main([*arguments]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    return line


def test_attack_says_what_the_intruder_knows(capsys):
    assert main(["attack", "calls.edges", "safe.edges", *RELEASE]) == 0
    assert "the directed, weighted links of the original" in " ".join(capsys.readouterr().out.split())


def test_switching_moves_no_degree_and_the_figures_are_not_cut_short(capsys):
    measures = ["--measure", "degree-distribution-loss", "--measure", "refinement-attack"]
    assert main(["assess", "calls.edges", "safe.edges", *RELEASE, *measures]) == 0
    shown = capsys.readouterr().out
    assert "…" not in shown
    (line,) = [line for line in shown.splitlines() if line.strip().startswith("degree-distribution-loss")]
    assert line.split()[1] == "0"


@pytest.mark.slow
def test_gate_and_publish_follow_the_policy(capsys, tmp_path):
    release = ["safe.edges", "--original", "calls.edges", "--policy", "policy.toml", *RELEASE]
    assert main(["gate", *release]) == 0
    assert main(["publish", *release, "--out", str(tmp_path / "release")]) == 0
    assert (tmp_path / "release" / "data.edges").read_text().startswith("# nodes 20 directed weight\n")
    capsys.readouterr()


@pytest.mark.slow
def test_report_names_the_kind_of_edges_and_no_measure_of_records(tmp_path, capsys):
    assert main(["report", "calls.edges", "safe.edges", str(tmp_path / "report.html"), *RELEASE]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "directed, weighted edges" in page and "the directed, weighted links" in page
    assert "suda2" not in page[page.index("What was not tested") :]
    capsys.readouterr()


def test_sweep_leaves_out_what_would_change_nothing():
    recipes, skipped = plan(a_graph(20, 40))
    idle = {"drop-directions", "drop-weights", "edge-weight-noise"}
    assert idle <= set(skipped) and not idle & {str(recipe).partition("(")[0] for recipe in recipes}
    recipes, skipped = plan(with_some_weights(a_directed_graph(20, 50)))
    assert not idle & set(skipped)


def test_sweep_tries_what_suits_the_edges_and_what_is_named(capsys):
    measures = ("--measure", "degree-attack", "--measure", "edge-loss")
    options = ("--seeds", "1", "--workers", "1", *measures)
    _, directed = printed(capsys, "sweep", "calls.edges", *options)
    dropped = [point for point in directed["points"] if point["method"] == "drop-directions"]
    assert dropped and "drop-directions" in directed["skipped"]["k-degree-anonymity"]
    _, named = printed(capsys, "sweep", "friends.edges", *options, "--methods", "drop-weights")
    assert {point["method"] for point in named["points"]} >= {"drop-weights"}


def test_tune_bounds_the_risk(capsys):
    arguments = ("--trials", "2", "--draws", "1", "--workers", "1", "--methods", "drop-weights", "--loss", "edge-loss")
    risk = ("--risk", "degree-attack", "--max-risk")
    assert main(["tune", "calls.edges", *arguments, *risk, "1"]) == 0
    assert main(["tune", "calls.edges", *arguments, *risk, "0"]) == 1
    capsys.readouterr()


def test_a_step_that_has_nothing_to_mask_says_so(capsys, tmp_path):
    for method, lacking in (("drop-directions", "directions"), ("edge-weight-noise", "weights")):
        assert main(["protect", "friends.edges", str(tmp_path / f"{method}.edges"), "--method", method]) == 0
        said = capsys.readouterr()
        assert f"{method} changed nothing: the edges have no {lacking}" in " ".join((said.out + said.err).split())


def test_labels_of_nodes_are_identifiers_and_not_shown(capsys):
    code, found = printed(capsys, "describe", "people.graphml")
    assert (code, found["nodes"], found["edges"], found["keys"]) == (0, 4, 2, ["age"])
    assert found["notes"] == ["1 self-loop left out", "1 repeated edge added up to one weight"]
    assert main(["describe", "people.graphml"]) == 0
    assert "O'Brien" not in capsys.readouterr().out


def test_the_schema_that_describe_writes_is_accepted_by_protect(capsys, tmp_path):
    schema, out = str(tmp_path / "schema.toml"), str(tmp_path / "safe.graphml")
    assert main(["describe", "people.graphml", "--schema-out", schema]) == 0
    methods = ["--method", "edge-switching", "--method", "mdav:group_size=2"]
    assert main(["protect", "people.graphml", out, "--schema", schema, *methods]) == 0
    capsys.readouterr()


def test_a_table_of_edges_is_recognised(capsys, tmp_path):
    (tmp_path / "calls.csv").write_text("source,target,weight\nAnn,Bob,3\nBob,Cid,4\n")
    assert main(["describe", str(tmp_path / "calls.csv")]) == 0
    said = capsys.readouterr()
    assert "calls.edges" in said.out + said.err


@pytest.mark.parametrize(
    ("name", "content", "cure"),
    [
        ("empty.edges", "", "has no nodes"),
        ("nan.edges", "0 1 nan\n1 2 3\n", "nan.edges: a weight of an edge is missing"),
        ("timed.edges", "0 1 3 1234567\n", "has 4 columns; write two"),
        ("named.edges", "Ann Lee Bob\n", "separate labels that contain spaces by tabs"),
        ("part.graphml", graphml("", EDGES + '<edge source="a" target="b"/>'), "1 of 5 edges have no weight"),
        ("twice.graphml", graphml(NODES + NODES, EDGES), "appears twice"),
        ("end.gexf", '<gexf><graph><edges><edge source="1"/></edges></graph></gexf>', "has no 'target'"),
    ],
)
def test_a_bad_graph_is_refused_in_one_line(capsys, tmp_path, name, content, cure):
    (tmp_path / name).write_text(content, encoding="utf-8")
    out = str(tmp_path / f"out.{name.rpartition('.')[2]}")
    line = refused(capsys, "protect", str(tmp_path / name), out, "--method", "edge-switching")
    assert cure in line
    assert "Bob" not in line and "Brien" not in line


def test_an_edge_of_a_gexf_file_that_names_no_weight_has_weight_1(tmp_path):
    edges = '<edge source="a" target="b" weight="3"/><edge source="b" target="c"/>'
    (tmp_path / "calls.gexf").write_text(f"<gexf><graph><edges>{edges}</edges></graph></gexf>")
    graph = read(tmp_path / "calls.gexf")
    assert graph.of_edges(graph.weight).tolist() == [3, 1]


def test_a_graph_without_attributes_has_no_schema_to_write(capsys, tmp_path):
    line = refused(capsys, "describe", "calls.edges", "--schema-out", str(tmp_path / "schema.toml"))
    assert "no attributes" in line
