"""Nodes recognised by the candidates of their neighbours: more are found, and no more is claimed."""

import numpy as np
import pytest

from sdckit.graph import Graph
from sdckit.intruder import Intruder
from sdckit.release import Release, protect
from sdckit.risk.graph.fitted_graph_law import recipe_law
from sdckit.risk.graph.neighbour_refinement import Lists, preserved, refinements
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
        assert lists.untempered.max() < 1.05 / 60


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("intruder", [InformedGraphIntruder(), OrdinaryGraphIntruder()])
def test_an_intruder_who_knows_no_link_guesses(intruder, directed):
    graph = Graph.from_edges(5, [0, 1, 2], [1, 2, 3], directed=directed)
    release = protect(graph, "edge-randomisation:share=0.1", seed=1)
    score = intruder.measure(release, Intruder(missing=1.0))
    assert score.value == pytest.approx(1 / 5)
    assert score.details["rounds_of_refinement"] == 0


def test_preserved_edges_by_hand():
    one, other = Graph.from_edges(4, [0, 1, 2], [1, 2, 3]), Graph.from_edges(4, [0, 0, 2], [1, 2, 3])
    assert preserved(one, other, np.arange(4)) == pytest.approx(2 / 3)
    assert preserved(one, other, np.array([1, 0, 2, 3])) == 1.0
    assert preserved(Graph.from_edges(2, [], []), other, np.arange(2)) == 0.0


def test_shares_of_lists_by_hand():
    lists = Lists(np.array([[0, 1], [0, 1]]), np.log([[3.0, 1.0], [1.0, 1.0]]), np.zeros(2))
    # Two matchings: 3 · 1 against 1 · 1. Balancing gives the square root of these odds.
    odds = np.sqrt(3)
    assert lists.untempered.toarray() == pytest.approx(np.array([[odds, 1], [1, odds]]) / (1 + odds), abs=1e-3)
    assert lists.of_truth(np.array([0, 1]), 1.0) == pytest.approx(np.log(odds / (1 + odds)), abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("intruder", [InformedGraphIntruder(), OrdinaryGraphIntruder()])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6])
def test_no_more_is_claimed_than_found(intruder, share):
    scores = [
        intruder.measure(protect(a_graph(200, 800, seed=seed), f"edge-randomisation:share={share}", seed=seed))
        for seed in range(5)
    ]
    claimed = np.mean([score.details["expected_found"] for score in scores])
    assert np.mean([score.value for score in scores]) == pytest.approx(claimed, abs=0.15)
