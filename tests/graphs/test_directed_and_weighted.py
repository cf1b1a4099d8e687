"""Directed and weighted graphs: what maskings keep, what attacks see, and twins by brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.errors import SchemaError
from sdckit.graph import Graph
from sdckit.loss.graph.degree_distribution_loss import DegreeDistributionLoss
from sdckit.loss.graph.edge_loss import EdgeLoss
from sdckit.release import Release, protect
from sdckit.risk.graph.degree_attack import DegreeAttack
from sdckit.risk.graph.informed_graph_intruder import InformedGraphIntruder
from sdckit.risk.graph.ordinary_graph_intruder import OrdinaryGraphIntruder
from sdckit.risk.graph.refinement_attack import RefinementAttack
from sdckit.risk.graph.strength_attack import StrengthAttack, strengths
from sdckit.testing.graph_files import a_directed_graph, a_graph, with_some_weights
from tests.graphs.test_graph_attacks import expected_found


@st.composite
def directed_graphs(draw, most=12):
    nodes = draw(st.integers(2, most))
    ends = st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)), max_size=4 * nodes)
    pairs = np.array(draw(ends), dtype=np.int64).reshape(-1, 2)
    weights = draw(st.lists(st.integers(1, 5), min_size=len(pairs), max_size=len(pairs)))
    return Graph.from_edges(nodes, pairs[:, 0], pairs[:, 1], directed=True, weight=weights)


def masked(graph, method, seed=1):
    return protect(graph, method, seed=seed).masked


@given(directed_graphs())
def test_both_directions_say_the_same(graph):
    (out, to), (into, sources) = graph.adjacencies
    arcs = set(zip(*(each.tolist() for each in graph.edges), strict=True))
    assert arcs == {(v, u) for v in range(len(graph)) for u in to[out[v] : out[v + 1]]}
    assert arcs == {(u, v) for v in range(len(graph)) for u in sources[into[v] : into[v + 1]]}
    assert graph.undirected.edge_count == len({frozenset(arc) for arc in arcs})
    assert graph.undirected.of_edges(graph.undirected.weight).sum() == graph.of_edges(graph.weight).sum()


@given(directed_graphs(), st.integers(0, 9))
def test_switching_keeps_the_edges_from_and_to_every_node(graph, seed):
    after = masked(graph, "edge-switching:share=2", seed)
    assert after.directed
    assert after.degrees_by_direction.tolist() == graph.degrees_by_direction.tolist()


@given(directed_graphs(), st.sampled_from([0.0, 0.3, 1.0]), st.integers(0, 9))
def test_randomisation_keeps_the_number_of_edges_and_their_weights(graph, share, seed):
    after = masked(graph, f"edge-randomisation:share={share}", seed)
    assert after.edge_count == graph.edge_count
    assert sorted(after.of_edges(after.weight)) == sorted(graph.of_edges(graph.weight))
    stayed = np.intersect1d(after.edge_keys, graph.edge_keys)
    room = len(graph) * (len(graph) - 1) - graph.edge_count
    assert len(stayed) == graph.edge_count - min(round(share * graph.edge_count), room)
    weights = [dict(zip(each.edge_keys, each.of_edges(each.weight), strict=True)) for each in (graph, after)]
    assert all(weights[0][key] == weights[1][key] for key in stayed)


@given(directed_graphs(), st.data())
def test_a_subgraph_has_the_edges_among_its_nodes(graph, data):
    nodes = data.draw(st.permutations(range(len(graph))))[: data.draw(st.integers(1, len(graph)))]
    part = graph.take(np.array(nodes))
    assert np.array_equal(part.to_scipy().toarray(), graph.to_scipy().toarray()[np.ix_(nodes, nodes)])
    plain = graph.undirected.take(np.array(nodes))
    assert np.array_equal(plain.to_scipy().toarray(), graph.undirected.to_scipy().toarray()[np.ix_(nodes, nodes)])


@pytest.mark.parametrize("method", ["configuration-graph", "dk2-graph", "spatial-graph"])
def test_synthetic_graphs_have_the_same_weights_on_other_edges(method):
    graph = with_some_weights(a_graph(60, 150))
    after = masked(graph, method)
    assert sorted(after.of_edges(after.weight)) == sorted(graph.of_edges(graph.weight))


def test_dropping_is_by_hand():
    graph = Graph.from_edges(3, [0, 1, 1], [1, 0, 2], directed=True, weight=[2, 3, 4])
    plain = masked(graph, "drop-directions")
    assert not plain.directed
    assert dict(zip(plain.edge_keys.tolist(), plain.of_edges(plain.weight), strict=True)) == {1: 5.0, 5: 4.0}
    bare = masked(graph, "drop-weights")
    assert bare.weight is None and bare.edge_keys.tolist() == graph.edge_keys.tolist()


def test_a_method_that_refuses_follows_a_step_that_drops():
    graph = with_some_weights(a_directed_graph(40, 100))
    with pytest.raises(SchemaError, match="drop-directions"):
        protect(graph, "k-degree-anonymity", seed=1)
    with pytest.raises(SchemaError, match="drop-weights"):
        protect(graph, ["drop-directions", "k-degree-anonymity"], seed=1)
    after = protect(graph, ["drop-directions", "drop-weights", "k-degree-anonymity:group_size=4"], seed=1).masked
    assert np.unique(after.degrees, return_counts=True)[1].min() >= 4


def test_noise_of_weights_has_its_deviation_and_leaves_the_edges():
    graph = a_graph(400, 3000).with_weights(np.full(a_graph(400, 3000).edge_count, 10.5))
    after = masked(graph, "edge-weight-noise:noise=0.1")
    assert np.array_equal(after.edge_keys, graph.edge_keys)
    factors = after.of_edges(after.weight) / 10.5
    assert abs(factors.mean() - 1) < 5 * 0.1 / np.sqrt(len(factors))
    assert 0.09 < factors.std() < 0.11
    whole = masked(with_some_weights(a_graph(60, 150)), "edge-weight-noise").weight
    assert (whole == np.round(whole)).all() and (whole >= 0).all()


def all_directed(nodes):
    pairs = [(a, b) for a in range(nodes) for b in range(nodes) if a != b]
    for mask in range(2 ** len(pairs)):
        chosen = np.array([pair for bit, pair in enumerate(pairs) if mask >> bit & 1], dtype=int).reshape(-1, 2)
        yield Graph.from_edges(nodes, chosen[:, 0], chosen[:, 1], directed=True)


def naive(graph, rounds):
    """Hᵢ in both directions as nested tuples."""
    links = graph.to_scipy().toarray() > 0
    signature = [()] * len(graph)
    for _ in range(rounds):
        signature = [
            (
                tuple(sorted(signature[u] for u in np.flatnonzero(links[v]))),
                tuple(sorted(signature[u] for u in np.flatnonzero(links[:, v]))),
            )
            for v in range(len(graph))
        ]
    return signature


def check(graphs):
    for graph, other in zip(graphs, [*graphs[1:], graphs[0]], strict=True):
        for after in (graph, other):
            release = Release.in_order(graph, after)
            degrees = [list(map(tuple, each.degrees_by_direction.tolist())) for each in (graph, after)]
            assert DegreeAttack().measure(release).value == pytest.approx(expected_found(*degrees))
            deep = [naive(each, 3) for each in (graph, after)]
            assert RefinementAttack().measure(release).value == pytest.approx(expected_found(*deep))


def test_attacks_equal_brute_force_on_all_directed_graphs_up_to_three_nodes():
    check([*all_directed(2)])
    check([*all_directed(3)])


@pytest.mark.slow
def test_attacks_equal_brute_force_on_all_directed_graphs_of_four_nodes():
    check([*all_directed(4)])


def test_strengths_are_sums_of_weights_by_hand():
    graph = Graph.from_edges(3, [0, 1, 1], [1, 0, 2], directed=True, weight=[2, 3, 4])
    assert strengths(graph).tolist() == [[2, 3], [7, 2], [0, 4]]
    assert strengths(graph.undirected).tolist() == [[5], [9], [4]]
    assert StrengthAttack().measure(Release.in_order(graph, graph)).value == 1.0


@pytest.mark.slow
def test_directions_and_weights_find_more_and_dropping_them_less():
    plain = a_graph(200, 700, seed=3)
    low, high = plain.edges
    turned = np.random.default_rng(1).random(len(low)) < 0.5
    graph = Graph.from_edges(
        200,
        np.where(turned, low, high),
        np.where(turned, high, low),
        directed=True,
        weight=np.random.default_rng(2).integers(1, 50, len(low)),
    )
    found = {}
    for kind, one in {"bare": plain, "directed": graph.with_weights(None), "weighted": graph}.items():
        release = protect(one, "edge-randomisation:share=0.35", seed=1)
        found[kind] = InformedGraphIntruder().measure(release).value, OrdinaryGraphIntruder().measure(release).value
    assert found["bare"][0] < found["directed"][0] < found["weighted"][0]
    assert found["bare"][1] < found["directed"][1] < found["weighted"][1]
    dropped = protect(graph, ["edge-randomisation:share=0.35", "drop-directions", "drop-weights"], seed=1)
    assert InformedGraphIntruder().measure(dropped).value < found["directed"][0]


def test_dropped_directions_are_a_loss_of_edges_and_not_of_degrees():
    graph = Graph.from_edges(3, [0, 1, 2], [1, 0, 1], directed=True)  # both ways, and 2 to 1
    release = protect(graph, "drop-directions", seed=1)
    score = EdgeLoss().measure(release)
    assert (score.details["kept"], score.details["new"]) == (1.0, 0.25)
    assert score.value == pytest.approx(1 - 3 / 4)
    assert DegreeDistributionLoss().measure(release).value == 0


def test_degrees_of_both_directions_are_compared():
    one, other = Graph.from_edges(3, [0, 0], [1, 2], directed=True), Graph.from_edges(3, [1, 2], [0, 0], directed=True)
    # degrees from nodes: 2, 0, 0 become 0, 1, 1, and degrees to nodes the reverse: each moves by 2/3 in the mean
    assert DegreeDistributionLoss().measure(Release.in_order(one, other)).value == pytest.approx(1.0)
