"""Odd graph files through every verb: a figure or a reason in one line, no traceback and no false green light."""

import gzip
import json
import re

import pytest

from sdckit.cli import main
from sdckit.files import formats, write
from sdckit.graph import Graph
from sdckit.testing.graph_files import odd_graphs, ordinary_graph

SUFFIXES = [each.suffixes[0] for each in formats() if each.domain is Graph and each.write] + [".txt.gz"]
TEXTS = {
    "nothing at all": "",
    "a comment": "# no edge\n",
    "a self-loop": "a a\n",
    "self-loops": "0 0\n1 1\n",
    "self-loops and multi-edges": "a b\nb a\na b\na a\nb c\nc d\nd a\n",
}
GRAPHS = {label: graph for label, graph in odd_graphs().items() if graph.weight is None or not graph.directed}
HOLDS_WEIGHTS = [suffix for suffix in SUFFIXES if "adj" not in suffix]
FILES = [
    *((label, suffix) for label in TEXTS for suffix in (".edges", ".txt.gz")),
    *(
        (label, suffix)
        for label, graph in GRAPHS.items()
        for suffix in (SUFFIXES if graph.weight is None else HOLDS_WEIGHTS)
    ),
    ("attributes", ".graphml"),
]
ODD = re.compile(r"Traceback|internal error|\bnan\b|\binf\b|\bNone\b|-0\.0?%")
SMALL = 20  # nodes of a graph that goes through the verbs at once
EMPTY = ("nothing at all", "a comment")
METHOD = "edge-randomisation:share=0.3"
RELEASE = ("--recipe", "recipe.toml", "--key", "key.json")
POLICY = '[[rules]]\nmeasure = "informed-graph-intruder"\nmax = {limit}\n'
VERBS = {
    "describe": ("describe", "{graph}"),
    "protect": (
        "protect",
        "{graph}",
        "safe{suffix}",
        "--method",
        METHOD,
        "--shuffle-rows",
        "--recipe-out",
        "recipe.toml",
    ),
    "attack": ("attack", "{graph}", "safe{suffix}", *RELEASE),
    "gate": ("gate", "safe{suffix}", "--original", "{graph}", "--policy", "policy.toml", *RELEASE),
    "sweep": (
        "sweep",
        "{graph}",
        "--methods",
        "edge-switching",
        "--seeds",
        "1",
        "--workers",
        "1",
        "--measure",
        "degree-attack",
        "--measure",
        "edge-loss",
    ),
}
LONG_VERBS = {
    "assess": ("assess", "{graph}", "safe{suffix}", *RELEASE),
    "publish": (
        "publish",
        "safe{suffix}",
        "--original",
        "{graph}",
        "--policy",
        "policy.toml",
        "--out",
        "published",
        *RELEASE,
    ),
    "report": ("report", "{graph}", "safe{suffix}", "report.html", *RELEASE),
}


def written(label, suffix):
    """The odd file in this folder."""
    name = f"graph{suffix}"
    if label in TEXTS:
        opened = gzip.open if suffix.endswith(".gz") else open
        with opened(name, "wt", encoding="utf-8") as target:
            target.write(TEXTS[label])
    else:
        write(ordinary_graph() if label == "attributes" else GRAPHS[label], name)
    return name


def run(capsys, verb, label, suffix):
    arguments = [each.format(graph=f"graph{suffix}", suffix=suffix) for each in (VERBS | LONG_VERBS)[verb]]
    extra = ["--key-out", "key.json"] if verb == "protect" else []
    code = main([*arguments, *extra])
    out, err = capsys.readouterr()
    assert code in (0, 1, 2), (label, suffix, verb, err)
    assert not ODD.search(out + err), (label, suffix, verb, ODD.search(out + err), out + err)
    assert code != 2 or err.splitlines()[-1].startswith("error: ") or "error: " in err, (label, suffix, verb, err)
    return code, out, err


@pytest.fixture(autouse=True)
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.toml").write_text(POLICY.format(limit=0.1))


def through_every_verb(capsys, label, suffix, verbs):
    written(label, suffix)
    codes = {}
    for verb in verbs:
        codes[verb], _, err = run(capsys, verb, label, suffix)
        if label in EMPTY and verb in ("protect", "sweep"):
            assert "no nodes" in err
        if codes.get("protect", 0) == 2:
            break
    assert codes["describe"] == 0
    assert (codes["protect"] == 2) == (label in EMPTY)
    return codes


@pytest.mark.slow
@pytest.mark.parametrize("label", [*TEXTS, *(label for label, graph in GRAPHS.items() if len(graph) <= SMALL)])
def test_an_odd_graph_is_masked_attacked_and_judged(capsys, label):
    codes = through_every_verb(capsys, label, ".edges", VERBS)
    if label in EMPTY:
        assert main(["sweep", "graph.edges"]) == 2
        assert "no nodes" in capsys.readouterr().err
    elif label in ("a self-loop", "one node", "two nodes, one edge"):
        assert codes["gate"] == 1  # somebody in a group of one or two is found by a guess


@pytest.mark.slow
@pytest.mark.parametrize(("label", "suffix"), FILES)
def test_an_odd_graph_goes_through_every_verb_in_every_format(capsys, tmp_path, label, suffix):
    codes = through_every_verb(capsys, label, suffix, VERBS | LONG_VERBS)
    if label in EMPTY:
        return
    assert codes["assess"] == codes["report"] == 0
    assert codes["publish"] == codes["gate"]
    assert (tmp_path / "published").exists() == (codes["gate"] == 0)
    assert not ODD.search(re.sub(r"<(script|style).*?</\1>", "", (tmp_path / "report.html").read_text(), flags=re.S))


@pytest.mark.parametrize(("label", "cure"), [("directed edges", "drop-directions"), ("weighted edges", "drop-weights")])
@pytest.mark.parametrize(
    ("method", "parameters", "suffix"),
    [
        ("k-degree-anonymity", ":group_size=2", ".edges"),
        ("k-neighbourhood-anonymity", ":group_size=2", ".edges"),
        ("graph-generalisation", ":group_size=2", ".graphml"),
        ("uncertain-graph", "", ".edges"),
    ],
)
def test_edges_that_a_method_does_not_mask_are_refused_with_the_cure(capsys, label, cure, method, parameters, suffix):
    written(label, ".graphml")
    assert main(["protect", "graph.graphml", f"safe{suffix}", "--method", method]) == 2
    assert cure in capsys.readouterr().err
    steps = ["--method", cure, "--method", method + parameters]
    assert main(["protect", "graph.graphml", f"safe{suffix}", *steps]) == 0


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_is_masked_into_the_same_format(capsys, suffix):
    written("no attributes", suffix)
    assert run(capsys, "protect", "no attributes", suffix)[0] == 0
    capsys.readouterr()
    assert main(["describe", f"safe{suffix}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] == 40
