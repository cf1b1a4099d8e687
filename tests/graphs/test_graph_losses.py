"""Graph losses: by hand, against dense twins, and the direction that theory predicts."""

from collections import deque
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.graph import Graph
from sdckit.kernels.betweenness import betweenness
from sdckit.kernels.communities import communities, modularity
from sdckit.kernels.expected_clustering import expected_clustering, expected_transitivity
from sdckit.kernels.path_lengths import distances
from sdckit.kernels.triangles import clustering, transitivity, triangles
from sdckit.loss.graph.certain_graph import drawn
from sdckit.loss.graph.clustering_loss import ClusteringLoss
from sdckit.loss.graph.community_loss import adjusted_rand
from sdckit.loss.graph.degree_distribution_loss import DegreeDistributionLoss
from sdckit.loss.graph.edge_loss import EdgeLoss
from sdckit.loss.graph.path_length_loss import PathLengthLoss
from sdckit.loss.graph.spectrum_loss import spectrum
from sdckit.release import Release, protect
from sdckit.testing.graph_files import a_graph, same_edges
from tests.graphs.test_graph_maskings import graphs

PATH = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
RING = Graph.from_edges(4, [0, 1, 2, 3], [1, 2, 3, 0])


def dense(graph):
    return (graph.to_scipy().toarray() > 0).astype(float)


def by_search(graph, source):
    found, queue = {source: 0}, deque([source])
    while queue:
        node = queue.popleft()
        for other in graph.neighbours(node).tolist():
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return [found.get(node, -1) for node in range(len(graph))]


def test_edge_and_degree_losses_by_hand():
    score = EdgeLoss().measure(Release.in_order(PATH, RING))
    assert score.value == pytest.approx(1 - 3 / 4)
    assert (score.details["kept"], score.details["new"]) == (1.0, 0.25)
    moved = DegreeDistributionLoss().measure(Release.in_order(PATH, RING))
    assert moved.value == pytest.approx(0.5 / 1.5)  # half of the nodes gain one link, of 1.5 on average


@given(graphs())
def test_triangles_equal_the_trace(graph):
    matrix = dense(graph)
    found = triangles(graph.indptr, graph.indices)
    assert found.tolist() == (np.diagonal(matrix @ matrix @ matrix) / 2).astype(int).tolist()


def test_clustering_of_a_triangle_with_a_tail():
    graph = Graph.from_edges(4, [0, 1, 2, 2], [1, 2, 0, 3])
    count = triangles(graph.indptr, graph.indices)
    assert clustering(count, graph.degrees).tolist() == [1, 1, 1 / 3, 0]
    assert transitivity(count, graph.degrees) == pytest.approx(3 / 5)


@given(graphs())
def test_distances_equal_a_plain_search(graph):
    nodes = np.arange(len(graph))
    found = distances(graph.indptr, graph.indices, nodes, len(graph))
    assert found.tolist() == [by_search(graph, node) for node in nodes]
    near = distances(graph.indptr, graph.indices, nodes, 1)
    assert ((near == 1) == (dense(graph) > 0)).all()


def test_the_harmonic_mean_of_a_path():
    score = PathLengthLoss().measure(Release.in_order(PATH, RING))
    pairs = 2 * (3 * 1 + 2 / 2 + 1 / 3)  # three pairs at 1, two at 2 and one at 3, in both directions
    assert score.details["harmonic_mean"] == pytest.approx(12 / pairs)


def test_the_spectrum_of_a_ring_and_of_two_components():
    assert spectrum(RING) == pytest.approx((2.0, 2.0))
    assert spectrum(Graph.from_edges(4, [0, 2], [1, 3])) == (1.0, 0.0)
    large = a_graph(500, 2500, seed=3)
    dense_values = np.linalg.eigvalsh(dense(large))
    laplacian = np.diag(dense(large).sum(axis=1)) - dense(large)
    assert spectrum(large) == pytest.approx((dense_values[-1], np.linalg.eigvalsh(laplacian)[1]), abs=1e-6)


def test_betweenness_of_a_star_and_a_path():
    star = Graph.from_edges(5, [0] * 4, range(1, 5))
    assert betweenness(star.indptr, star.indices, np.arange(5)).tolist() == [12, 0, 0, 0, 0]
    assert betweenness(PATH.indptr, PATH.indices, np.arange(4)).tolist() == [0, 4, 4, 0]


def test_two_cliques_are_two_communities():
    low, high = np.triu_indices(6, 1)
    graph = Graph.from_edges(12, [*low, *(low + 6), 0], [*high, *(high + 6), 6])
    found = communities(graph.indptr, graph.indices)
    assert adjusted_rand(found, np.repeat([0, 1], 6)) == 1
    inside, mass = 30 / 31, 0.5
    assert modularity(graph.indptr, graph.indices, found) == pytest.approx(inside - 2 * mass**2)


def test_random_edges_destroy_clustering_step_by_step():
    low, high = np.triu_indices(8, 1)
    cliques = [(low + 8 * number, high + 8 * number) for number in range(10)]
    graph = Graph.from_edges(80, *(np.concatenate(ends) for ends in zip(*cliques, strict=True)))
    lost = [
        ClusteringLoss().measure(protect(graph, f"edge-randomisation:share={share}", seed=1)).value
        for share in (0, 0.05, 0.2, 0.6)
    ]
    assert lost[0] == 0
    assert lost == sorted(lost)


@given(graphs(most=5), st.lists(st.sampled_from([0.1, 0.5, 0.8, 1.0]), min_size=10, max_size=10))
def test_the_clustering_of_an_uncertain_graph_is_its_mean_over_all_worlds(graph, probabilities):
    probability = np.array(probabilities[: graph.edge_count])
    uncertain = graph.with_probabilities(probability)
    coefficients, closed, paths = np.zeros(len(graph)), 0.0, 0.0
    for world in product([False, True], repeat=graph.edge_count):
        exists = np.array(world, dtype=bool)
        share = np.where(exists, probability, 1 - probability).prod()
        certain = graph.with_some_edges(exists)
        count = triangles(certain.indptr, certain.indices)
        coefficients += share * clustering(count, certain.degrees)
        closed += share * count.sum()
        paths += share * (certain.degrees * (certain.degrees - 1) / 2).sum()
    adjacency = uncertain.indptr, uncertain.indices, uncertain.probability
    assert expected_clustering(*adjacency) == pytest.approx(coefficients, abs=1e-12)
    assert expected_transitivity(*adjacency) == pytest.approx(closed / paths if paths else 0.0, abs=1e-12)


def test_a_hub_of_many_neighbours_has_its_expected_clustering():
    hub = np.zeros(400, dtype=np.int64)
    graph = Graph.from_edges(401, np.append(hub, 1), np.append(np.arange(1, 401), 2))
    certain = graph.with_probabilities(np.ones(401))
    found = expected_clustering(certain.indptr, certain.indices, certain.probability)
    assert found[0] == pytest.approx(2 / (400 * 399), rel=1e-9)


def test_a_world_is_drawn_whatever_the_order_of_the_nodes():
    release = protect(a_graph(30, 60), "uncertain-graph:noise=0.3", seed=1)
    order = np.random.default_rng(2).permutation(30)
    world, other = drawn(release.masked, 1), drawn(release.masked.take(order), 1)
    assert world.edge_count < release.masked.edge_count
    assert same_edges(world.take(order), other)
