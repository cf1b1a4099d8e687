"""An intruder who knows links and attributes of nodes uses both at once: against brute force, and where it is shown."""

from itertools import permutations

import numpy as np
import pytest

from sdckit.evaluation.assess import assess
from sdckit.evaluation.gate import Policy, gate
from sdckit.evaluation.verdict import headline_risk
from sdckit.graph import Graph
from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.risk.graph import node_attributes
from sdckit.risk.graph.fitted_graph_law import recipe_law
from sdckit.risk.graph.judged_rounds import Trial
from sdckit.risk.graph.large_graphs import ListedPairs
from sdckit.risk.graph.neighbour_refinement import AllPairs, rounds_from
from sdckit.risk.graph.node_attributes import NodeAttributes
from sdckit.risks import InformedGraphIntruder, InformedIntruder, OrdinaryGraphIntruder, OrdinaryIntruder
from sdckit.testing.graph_files import a_graph
from tests.graphs.test_graph_attacks import all_graphs, one_of_each_structure

LINKS_ALONE = Intruder(attributes=())
INTRUDERS = [(InformedGraphIntruder(), InformedIntruder()), (OrdinaryGraphIntruder(), OrdinaryIntruder())]


def people(nodes, edges, seed, towns=4):
    """A graph whose nodes have an age and a town."""
    rng = np.random.default_rng(seed)
    file = Microdata(
        (
            Attribute("age", Kind.DISCRETE, Role.KEY, integral=True),
            Attribute("town", Kind.UNORDERED, Role.KEY, categories=tuple("abcdef"[:towns])),
        ),
        {"age": rng.integers(18, 90, nodes).astype(float), "town": rng.integers(0, towns, nodes)},
    )
    return Graph.from_edges(nodes, *a_graph(nodes, edges, seed=seed).edges, attributes=file)


def masked(graph, *steps, seed=1):
    return protect(graph, Recipe.of(steps), seed=seed)


def attributes_of(release):
    view = Intruder().view(release)
    law = informed_law(view, np.random.default_rng(0))
    return NodeAttributes.of_view(view, law, len(release.original))


def every_matching(count):
    return np.array(list(permutations(range(count))))


def posterior_of(weight, every):
    """The posterior of each row for each node by the weights of all ways to match them."""
    nodes = range(every.shape[1])
    return np.array([[weight[every[:, node] == row].sum() for row in nodes] for node in nodes]) / weight.sum()


def of_attributes(release):
    """The log-likelihood of every pair by the law of the attributes, written out."""
    law = informed_law(Intruder().view(release), np.random.default_rng(0))
    count = len(release.original)
    one, other = (each.ravel() for each in np.indices((count, count)))
    return sum(law.of_pairs(one, law.rows.of[other]).values()).reshape(count, count)


@pytest.mark.parametrize("seed", range(6))
def test_where_degrees_are_all_that_links_say_the_posterior_is_that_of_brute_force(seed):
    release = masked(people(6, 8, seed).only(["town"]), "configuration-graph", "pram:stay=0.6", seed=seed)
    known, released = release.original.degrees, release.masked.degrees
    by_pair = np.where(known[:, None] == released[None, :], of_attributes(release), -np.inf)
    every = every_matching(6)
    exact = posterior_of(np.exp(by_pair[np.arange(6), every].sum(axis=1)), every)
    score = InformedGraphIntruder().measure(release)
    assert score.details["expected_found"] == pytest.approx(exact.max(axis=1).mean(), abs=1e-3)
    assert score.details["posterior_of_true_row"] == pytest.approx(exact.diagonal().mean(), abs=1e-3)


def bayes(release, share):
    """What the best intruder finds: by how many edges each matching deletes, and by the attributes."""
    known, released = (each.to_scipy().toarray() > 0 for each in (release.original, release.masked))
    deleted = round(share * release.original.edge_count)
    every, by_pair = every_matching(len(known)), of_attributes(release)
    fits = np.array([(known & ~released[np.ix_(each, each)]).sum() // 2 == deleted for each in every])
    posterior = posterior_of(np.exp(by_pair[np.arange(len(known)), every].sum(axis=1)) * fits, every)
    tied = posterior >= posterior.max(axis=1, keepdims=True) * (1 - 1e-9)
    return float((tied.diagonal() / tied.sum(axis=1)).mean())


@pytest.mark.parametrize("step", ["pram:stay=0.6", "additive-noise:variance_share=1"])
def test_on_small_graphs_as_many_are_found_as_the_best_intruder_finds(step):
    names = ["town"] if step.startswith("pram") else ["age"]
    for seed in range(10):
        release = masked(people(6, 9, seed).only(names), "edge-randomisation:share=0.2", step, seed=seed)
        score = InformedGraphIntruder().measure(release)
        assert score.value == pytest.approx(bayes(release, 0.2))


def assert_brute_force_finds_as_much(graphs):
    """Links alone: every graph released as it is, and with a third of its edges replaced."""
    for graph in graphs:
        for share in (0.0, 0.34):
            if graph.edge_count:
                release = masked(graph, f"edge-randomisation:share={share}")
                score = InformedGraphIntruder().measure(release)
                assert score.value == pytest.approx(found_by_links(release))
                assert score.details["expected_found_is_bound"]


@pytest.mark.parametrize("nodes", [2, 3, 4])
def test_edges_replaced_at_random_are_attacked_as_by_brute_force_on_all_small_graphs(nodes):
    assert_brute_force_finds_as_much(all_graphs(nodes))


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [5, 6])
def test_edges_replaced_at_random_are_attacked_as_by_brute_force_on_every_structure(nodes):
    assert_brute_force_finds_as_much(one_of_each_structure(nodes))


def found_by_links(release):
    """What the best intruder finds who knows how many edges both graphs have, over all ways to match them."""
    known, released = (each.to_scipy().toarray() > 0 for each in (release.original, release.masked))
    common = (known & released).sum()
    every = every_matching(len(known))
    fits = np.array([(known & released[np.ix_(each, each)]).sum() == common for each in every])
    posterior = posterior_of(fits.astype(float), every)
    tied = posterior >= posterior.max(axis=1, keepdims=True) * (1 - 1e-9)
    return float((tied.diagonal() / tied.sum(axis=1)).mean())


RECIPES = [
    ("edge-switching:share=1", "mdav:group_size=5"),
    ("edge-randomisation:share=0.4", "pram"),
    ("configuration-graph", "additive-noise:variance_share=0.5"),
    ("graph-generalisation:group_size=5", "rank-swapping:window=0.1"),
    ("k-degree-anonymity:group_size=5", "mdav:group_size=10"),
    ("uncertain-graph", "mdav:group_size=10"),
]
SMALLER = 0.05  # by which a figure that is drawn may be below another one


@pytest.mark.slow
@pytest.mark.parametrize(("intruder", "of_attributes"), INTRUDERS, ids=["informed", "ordinary"])
@pytest.mark.parametrize("steps", RECIPES, ids=" ".join)
def test_both_together_find_at_least_what_each_finds_alone(steps, intruder, of_attributes):
    release = masked(people(150, 400, 1), *steps)
    jointly = intruder.measure(release)
    alone = intruder.measure(release, LINKS_ALONE), of_attributes.measure(release)
    assert jointly.value >= max(each.value for each in alone) - SMALLER
    assert jointly.details["calibrated"] or jointly.details["calibration_reason"]


def test_weak_links_and_weak_attributes_are_strong_together():
    release = masked(people(100, 260, 1), "edge-switching:share=1", "mdav:group_size=5")
    intruder = InformedGraphIntruder()
    jointly = intruder.measure(release)
    alone = intruder.measure(release, LINKS_ALONE), InformedIntruder().measure(release)
    assert jointly.value > sum(each.value for each in alone)
    assert jointly.details["attributes"] == ("age", "town")
    assert jointly.details["calibrated"]


def test_an_attribute_that_all_nodes_share_adds_nothing():
    graph = people(30, 70, 2).only(["town"])
    same = graph.with_columns({"town": np.zeros(30, dtype=int)})
    release = masked(same, "edge-randomisation:share=0.3")
    found = [InformedGraphIntruder().measure(release, each).value for each in (Intruder(), LINKS_ALONE)]
    assert found[0] == pytest.approx(found[1], abs=SMALLER)


def test_pairs_are_weighed_alike_whether_or_not_all_are_kept(monkeypatch):
    release = masked(people(40, 90, 3).only(["age"]), "edge-switching", "additive-noise:variance_share=0.5")
    kept = attributes_of(release)
    one, other = (each.ravel() for each in np.indices((40, 40)))
    tables = [kept.of_nodes(np.arange(40)), kept.of_pairs(one, other).reshape(40, 40)]
    monkeypatch.setattr(node_attributes, "TABLE", 1)
    again = attributes_of(release)
    tables += [again.of_nodes(np.arange(40)), again.of_pairs(one, other).reshape(40, 40)]
    assert tables[1] == pytest.approx(tables[0])
    assert tables[2] == pytest.approx(tables[0])
    # Not compared with anybody, a row has a factor of its own, which no matching depends on.
    off = tables[3] - tables[0]
    assert off == pytest.approx(np.broadcast_to(off[:1], off.shape), abs=1e-6)


def test_attributes_are_drawn_as_the_law_says():
    release = masked(people(300, 600, 3).only(["town"]), "edge-switching", "pram:stay=0.6")
    attributes = attributes_of(release)
    drawn = attributes.drawn(np.random.default_rng(1))
    stays = (drawn.of_released == release.original.columns["town"]).mean()
    assert stays == pytest.approx((release.masked.columns["town"] == release.original.columns["town"]).mean(), abs=0.12)
    assert np.array_equal(attributes.of_released, release.masked.columns["town"])


@pytest.mark.slow
def test_lists_of_large_graphs_find_about_what_comparing_all_pairs_finds():
    release = masked(people(300, 800, 3), "edge-randomisation:share=0.3", "mdav:group_size=5")
    law, attributes = recipe_law(release.recipe, release.masked, release.original), attributes_of(release)
    found = []
    for kind in (AllPairs, ListedPairs):
        refinement = kind.of_graphs(release.original, release.masked, law, attributes)
        lists = rounds_from(refinement, refinement.first)[-1]
        found.append((lists.likeliest == np.arange(300)).mean())
        assert refinement.by_attributes.shares.shape == (300, 300)
    assert found[1] == pytest.approx(found[0], abs=0.05)


def test_rounds_may_be_worse_than_attributes_alone_so_these_are_a_stage_of_their_own():
    release = masked(people(40, 90, 3), "edge-switching", "mdav:group_size=3")
    law = recipe_law(release.recipe, release.masked, release.original)
    with_attributes = Trial.of_graphs(release.original, release.masked, law, attributes_of(release))
    assert len(with_attributes.stages) == len(Trial.of_graphs(release.original, release.masked, law).stages) + 1


def test_the_headline_is_what_both_together_find():
    release = masked(people(60, 150, 1), "edge-switching:share=1", "mdav:group_size=5")
    result = assess(release, ["informed-intruder", "informed-graph-intruder"], before=False)
    assert headline_risk(result).name == "informed-graph-intruder"
    assert result["informed-graph-intruder"].value > result["informed-intruder"].value + 0.1


def test_a_limit_on_the_intruder_of_attributes_is_one_on_the_intruder_who_sees_the_links_too():
    release = masked(people(60, 150, 1), "edge-switching:share=1", "mdav:group_size=5")
    verdict = gate(release, Policy.from_dict({"rules": [{"measure": "informed-intruder", "max": 0.25}]}))
    assert [finding.met for finding in verdict.findings] == [True, False]
    assert verdict.findings[1].rule.measure.name == "informed-graph-intruder"


def test_in_a_sample_of_the_nodes_degrees_are_thinned_and_some_nodes_absent():
    release = masked(people(120, 480, 1), "simple-sampling:share=0.5", "edge-switching:share=0.1")
    for knows in (Intruder(), LINKS_ALONE):
        score = InformedGraphIntruder().measure(release, knows)
        assert score.details["posterior_of_true_row"] > 1 / 120
        assert score.details["expected_found"] < 0.55
        assert "left out" in score.details["calibration_reason"]
    assert InformedGraphIntruder().measure(release).value > 0.4
