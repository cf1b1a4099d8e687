"""Graph maskings: what each keeps, by hand and for all small graphs."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.errors import SchemaError
from sdckit.graph import Graph
from sdckit.kernels.edge_switching import switched
from sdckit.kernels.graph_blocks import (
    HEAT,
    _anneal,
    annealed_blocks,
    block_counts,
    log_worlds,
    sampled_world,
)
from sdckit.methods.graph.spatial_graph import spatial_graph
from sdckit.release import protect
from sdckit.testing.graph_files import a_graph


@st.composite
def graphs(draw, most=14):
    nodes = draw(st.integers(2, most))
    ends = st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)), max_size=3 * nodes)
    pairs = np.array(draw(ends), dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(nodes, pairs[:, 0], pairs[:, 1])


def masked(graph, method, seed=1):
    release = protect(graph, method, seed=seed)
    assert isinstance(release.masked, Graph)
    return release.masked


@given(graphs(), st.integers(1, 5))
def test_every_degree_occurs_k_times(graph, group_size):
    if len(graph) < group_size:
        with pytest.raises(SchemaError, match="smaller group_size"):
            masked(graph, f"k-degree-anonymity:group_size={group_size}")
        return
    after = masked(graph, f"k-degree-anonymity:group_size={group_size}")
    assert np.unique(after.degrees, return_counts=True)[1].min() >= group_size
    assert (after.degrees >= graph.degrees).all()


def test_anonymity_keeps_the_edges_where_it_can():
    graph = a_graph(300, 900, seed=5)
    after = masked(graph, "k-degree-anonymity:group_size=4")
    assert len(np.intersect1d(after.edge_keys, graph.edge_keys)) >= 0.97 * graph.edge_count


@pytest.mark.parametrize("method", ["edge-switching", "configuration-graph", "dk2-graph", "spatial-graph"])
@given(graph=graphs())
def test_degrees_are_kept(method, graph):
    assert masked(graph, method).degrees.tolist() == graph.degrees.tolist()


@given(graphs())
def test_dk2_keeps_the_edges_between_any_two_degrees(graph):
    def joint(each):
        low, high = each.edges
        ends = np.sort(np.column_stack([each.degrees[low], each.degrees[high]]), axis=1)
        return sorted(map(tuple, ends.tolist()))

    assert joint(masked(graph, "dk2-graph")) == joint(graph)


def test_a_switch_is_by_hand():
    keys = np.array([0 * 4 + 1, 2 * 4 + 3])  # the edges 0–1 and 2–3
    found = {tuple(switched(4, keys, 1, np.random.default_rng(seed))[0].tolist()) for seed in range(20)}
    assert found == {(0 * 4 + 3, 1 * 4 + 2), (0 * 4 + 2, 1 * 4 + 3)}


def test_a_star_has_nothing_to_switch():
    star = Graph.from_edges(6, [0] * 5, range(1, 6))
    assert masked(star, "edge-switching").edge_keys.tolist() == star.edge_keys.tolist()


@given(graphs(), st.sampled_from([0.0, 0.3, 1.0]))
def test_randomisation_keeps_the_number_of_edges(graph, share):
    after = masked(graph, f"edge-randomisation:share={share}")
    assert after.edge_count == graph.edge_count
    kept = len(np.intersect1d(after.edge_keys, graph.edge_keys))
    room = len(graph) * (len(graph) - 1) // 2 - graph.edge_count
    assert kept == graph.edge_count - min(round(share * graph.edge_count), room)


@given(graphs(most=30), st.sampled_from([0.0, 0.3, 2.0]), st.integers(1, 5), st.integers(0, 99))
def test_a_spatial_graph_realises_any_graphic_sequence(graph, reach, towns, seed):
    keys = spatial_graph(graph.degrees, towns, reach, np.random.default_rng(seed))
    assert graph.with_keys(keys).degrees.tolist() == graph.degrees.tolist()
    assert len(np.unique(keys)) == len(keys)


def test_a_spatial_graph_refuses_a_sequence_with_the_violated_inequality():
    with pytest.raises(SchemaError, match=r"2 largest degrees add up to 6.*Erdős–Gallai"):
        spatial_graph(np.array([3, 3, 1, 1]), 1, 0.0, np.random.default_rng(1))
    with pytest.raises(SchemaError, match="odd number"):
        spatial_graph(np.array([1, 1, 1]), 1, 0.0, np.random.default_rng(1))


def test_a_spatial_graph_is_clustered_and_a_configuration_graph_is_not():
    from sdckit.kernels.triangles import transitivity, triangles

    graph = a_graph(600, 3000, seed=2)
    near, random = masked(graph, "spatial-graph:reach=0"), masked(graph, "configuration-graph")
    closed = [transitivity(triangles(each.indptr, each.indices), each.degrees) for each in (near, random)]
    assert closed[0] > 3 * closed[1]


def test_the_number_of_worlds_by_hand():
    # Two blocks of two nodes, one edge inside the first and two between: C(1,1) · C(1,0) · C(4,2) = 6 graphs.
    assert np.isclose(np.exp(log_worlds(np.array([2, 2]), np.array([[1.0, 2.0], [2.0, 0.0]]))), 6)


@given(graphs(), st.integers(1, 4), st.integers(0, 99))
def test_blocks_are_large_enough_and_worlds_have_their_counts(graph, group_size, seed):
    if len(graph) < group_size:
        return
    rng = np.random.default_rng(seed)
    block = annealed_blocks(graph.indptr, graph.indices, group_size, 50, rng)
    blocks = block.max() + 1
    counts = block_counts(block, blocks, *graph.edges)
    assert np.bincount(block).min() >= group_size
    assert np.triu(counts).sum() == graph.edge_count
    world = graph.with_keys(sampled_world(block, counts, rng))
    assert np.array_equal(block_counts(block, blocks, *world.edges), counts)


def test_the_search_leaves_fewer_worlds():
    graph = a_graph(60, 150, seed=4)
    worlds = []
    for steps in (0, 3000):
        block = annealed_blocks(graph.indptr, graph.indices, 5, steps, np.random.default_rng(1))
        worlds.append(log_worlds(np.bincount(block), block_counts(block, block.max() + 1, *graph.edges)))
    assert worlds[1] < worlds[0]


def cliques(*members):
    """A graph of parts in which everybody is joined to everybody."""
    pairs = np.array([pair for part in members for pair in combinations(part, 2)])
    return Graph.from_edges(max(map(max, members)) + 1, *pairs.T)


@pytest.mark.parametrize("seed", range(3))
def test_the_search_starts_from_neighbours(seed):
    graph = cliques([0, 2, 4, 6], [1, 3, 5, 7])
    block = annealed_blocks(graph.indptr, graph.indices, 4, 0, np.random.default_rng(seed))
    assert len(set(block[[0, 2, 4, 6]])) == len(set(block[[1, 3, 5, 7]])) == 1 < len(set(block))


@pytest.mark.parametrize(("draw", "exchanged"), [(0.9, True), (1.1, False)])
def test_an_exchange_that_costs_is_made_where_it_is_hot_enough(draw, exchanged):
    """Two triangles are one graph; with a node of each exchanged, 3 · 3 · C(9, 4) graphs are possible."""
    graph = cliques([0, 1, 2], [3, 4, 5])
    block = np.array([0, 0, 0, 1, 1, 1])
    counts = block_counts(block, 2, *graph.edges)
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, 10)))])
    draws = np.array([draw * (3 * 3 * 126) ** (-1 / HEAT)])
    sizes = np.array([3, 3])
    _anneal(graph.indptr, graph.indices, block, sizes, counts, log_factorial, np.array([[1, 4]]), draws)
    assert block.tolist() == ([0, 1, 0, 1, 0, 1] if exchanged else [0, 0, 0, 1, 1, 1])
    assert np.array_equal(counts, block_counts(block, 2, *graph.edges))


def test_an_exchange_that_saves_is_always_made():
    graph = cliques([0, 1, 2], [3, 4, 5])
    block = np.array([0, 1, 0, 1, 0, 1])
    counts, draws = block_counts(block, 2, *graph.edges), np.array([0.999])
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, 10)))])
    sizes = np.array([3, 3])
    _anneal(graph.indptr, graph.indices, block, sizes, counts, log_factorial, np.array([[1, 4]]), draws)
    assert block.tolist() == [0, 0, 0, 1, 1, 1]


def test_an_uncertain_graph_has_about_the_original_degrees_in_expectation():
    graph = a_graph(200, 800, seed=1)
    after = masked(graph, "uncertain-graph:noise=0.1,white_noise=0")
    expected = np.bincount(np.repeat(np.arange(200), after.degrees), weights=after.probability)
    assert abs(expected.sum() - 2 * graph.edge_count) < 0.05 * 2 * graph.edge_count
    assert ((after.probability > 0) & (after.probability <= 1)).all()
    assert masked(graph, "uncertain-graph:noise=0,white_noise=0").edge_count == graph.edge_count
