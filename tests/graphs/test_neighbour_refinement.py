"""Nodes recognised by the candidates of their neighbours: more are found, and no more is claimed."""

import numpy as np
import pytest

from sdckit.graph import Graph
from sdckit.intruder import Intruder
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.risk.graph.fitted_graph_law import recipe_law
from sdckit.risk.graph.large_graphs import can_be_listed, listed_refinements
from sdckit.risk.graph.neighbour_refinement import Lists, agreement, preserved, refinements
from sdckit.risks import InformedGraphIntruder, OrdinaryGraphIntruder
from tests.graphs.test_graph_attacks import a_graph


def rounds_of(release, count):
    law = recipe_law(release.recipe, release.masked, release.original)
    return refinements(release.original, release.masked, law)[: count + 1]


def found(lists):
    return (lists.likeliest == np.arange(len(lists.nodes))).mean()


@pytest.mark.parametrize("method", ["edge-randomisation:share=0.1", "edge-switching"])
def test_rounds_find_more_than_degrees_alone(method):
    rounds = rounds_of(protect(a_graph(300, 1200, seed=3), method, seed=1), 6)
    assert found(rounds[-1]) > found(rounds[0]) + 0.1


def test_all_nodes_of_a_path_with_one_branch_are_recognised_and_a_ring_reveals_nobody():
    path = Graph.from_edges(7, [0, 1, 2, 3, 4, 2], [1, 2, 3, 4, 5, 6])
    release = Release.in_order(path, path, recipe=protect(path, "edge-randomisation:share=0.01", seed=1).recipe)
    assert sorted(rounds_of(release, 4)[-1].likeliest[:6]) == [0, 1, 2, 3, 4, 5]
    ring = np.arange(60)
    same = Graph.from_edges(60, ring, (ring + 1) % 60)
    hidden = protect(same, "edge-randomisation:share=0.01", seed=1)
    for lists in rounds_of(Release.in_order(same, same, recipe=hidden.recipe), 4):
        assert lists.shares.max() < 1.05 / 60


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("intruder", [InformedGraphIntruder(), OrdinaryGraphIntruder()])
def test_an_intruder_who_knows_no_link_guesses(intruder, directed):
    graph = Graph.from_edges(5, [0, 1, 2], [1, 2, 3], directed=directed)
    release = protect(graph, "edge-randomisation:share=0.1", seed=1)
    score = intruder.measure(release, Intruder(missing=1.0))
    assert score.value == pytest.approx(1 / 5)
    assert score.details["rounds_of_refinement"] == 0


@pytest.mark.parametrize("method", ["edge-randomisation:share=0.05", "edge-switching:share=0.1"])
def test_lists_of_large_graphs_find_about_what_comparing_all_pairs_finds(method):
    release = protect(a_graph(300, 1200, seed=3), method, seed=1)
    law = recipe_law(release.recipe, release.masked, release.original)
    by_lists = listed_refinements(release.original, release.masked, law, 6)
    assert can_be_listed(release.original, release.masked, law)
    assert found(by_lists[-1]) == pytest.approx(found(rounds_of(release, 6)[-1]), abs=0.05)


def test_lists_refined_from_the_same_ones_are_the_same():
    release = protect(a_graph(60, 200, seed=3), "edge-switching:share=0.1", seed=1)
    law = recipe_law(release.recipe, release.masked, release.original)
    dense = rounds_of(release, 1)
    lists = listed_refinements(release.original, release.masked, law, 1)
    assert len(dense[0].nodes) == len(lists[1].nodes)
    assert (lists[1].likeliest == dense[1].likeliest).mean() > 0.9


def test_preserved_edges_by_hand():
    one, other = Graph.from_edges(4, [0, 1, 2], [1, 2, 3]), Graph.from_edges(4, [0, 0, 2], [1, 2, 3])
    assert preserved(one, other, np.arange(4)) == pytest.approx(2 / 3)
    assert preserved(one, other, np.array([1, 0, 2, 3])) == 1.0
    assert preserved(Graph.from_edges(2, [], []), other, np.arange(2)) == 0.0


def test_agreement_of_each_node_by_hand():
    one, other = Graph.from_edges(4, [0, 1, 2], [1, 2, 3]), Graph.from_edges(4, [0, 0, 2], [1, 2, 3])
    by_node, of_all = agreement(one, other, np.arange(4))
    assert by_node == pytest.approx([1, 1 / 2, 1 / 2, 1])
    assert of_all == pytest.approx(2 / 3)


def test_shares_of_lists_by_hand():
    lists = Lists(np.array([[0, 1], [0, 1]]), np.log([[3.0, 1.0], [1.0, 1.0]]), np.zeros(2))
    # Two matchings: 3 · 1 against 1 · 1. Balancing gives the square root of these odds.
    odds = np.sqrt(3)
    assert lists.shares.toarray() == pytest.approx(np.array([[odds, 1], [1, odds]]) / (1 + odds), abs=1e-3)


def small_world(nodes, replaced, seed):
    """A ring in which everybody knows the three next ones on each side, with some links to anybody instead."""
    rng = np.random.default_rng(seed)
    one, step = np.repeat(np.arange(nodes), 3), np.tile([1, 2, 3], nodes)
    other = np.where(rng.random(len(one)) < replaced, rng.integers(0, nodes, len(one)), (one + step) % nodes)
    return Graph.from_edges(nodes, one, other)


def test_a_graph_with_half_as_many_new_edges_is_recognised_by_the_known_ones_that_are_all_there():
    graph = a_graph(120, 360, seed=4)
    rng = np.random.default_rng(1)
    ends = [np.concatenate([end, rng.integers(0, 120, 180)]) for end in graph.edges]
    release = Release.in_order(graph, graph.with_edges(*ends), recipe=Recipe.of("k-neighbourhood-anonymity"))
    assert release.masked.edge_count > 1.4 * graph.edge_count
    assert found(rounds_of(release, 10)[-1]) > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("intruder", [InformedGraphIntruder(), OrdinaryGraphIntruder()])
@pytest.mark.parametrize(
    ("make", "method"),
    [
        *(
            (lambda seed: a_graph(200, 800, seed=seed), f"edge-randomisation:share={share}")
            for share in (0.1, 0.3, 0.6)
        ),
        (lambda seed: a_graph(150, 600, seed=seed), "edge-switching"),
        (lambda seed: small_world(150, 0.1, seed), "edge-randomisation:share=0.05"),
        (lambda seed: small_world(150, 0.1, seed), "edge-randomisation:share=0.2"),
        (lambda seed: a_graph(150, 600, seed=seed), "spatial-graph"),
        (lambda seed: a_graph(150, 600, seed=seed), "dk2-graph:switches=1"),
    ],
)
def test_no_more_is_claimed_than_found(intruder, make, method):
    scores = [intruder.measure(protect(make(seed), method, seed=seed)) for seed in range(4)]
    claimed = np.mean([score.details["expected_found"] for score in scores])
    assert claimed <= np.mean([score.value for score in scores]) + 0.15
    assert all(score.details["calibrated"] or score.details["calibration_reason"] for score in scores)
