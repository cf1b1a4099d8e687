"""Graph attacks: against brute force on small graphs, naive twins, and the published figures of the Facebook file."""

from collections import Counter
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given

from sdckit.catalogue import entries
from sdckit.files import read
from sdckit.graph import Graph
from sdckit.kernels.ego_networks import ego_signatures
from sdckit.kernels.neighbourhood_refinement import refined
from sdckit.release import Release, protect
from sdckit.risk.graph.degree_attack import DegreeAttack
from sdckit.risk.graph.ego_network_attack import EgoNetworkAttack
from sdckit.risk.graph.informed_graph_intruder import InformedGraphIntruder
from sdckit.risk.graph.known_graph import drawn_world
from sdckit.risk.graph.known_links_attack import KnownLinksAttack
from sdckit.risk.graph.ordinary_graph_intruder import OrdinaryGraphIntruder
from sdckit.risk.graph.refinement_attack import RefinementAttack
from sdckit.risk.graph.seed_propagation_attack import SeedPropagationAttack
from sdckit.testing.graph_files import a_graph
from tests.conftest import reference_file
from tests.graphs.test_graph_maskings import graphs


def naive(graph, rounds):
    """Hᵢ as nested tuples, as it is defined."""
    signature = [()] * len(graph)
    for _ in range(rounds):
        signature = [tuple(sorted(signature[u] for u in graph.neighbours(v))) for v in range(len(graph))]
    return signature


def classes(signature):
    """The partition of the nodes by a signature."""
    return {frozenset(np.flatnonzero([each == other for other in signature]).tolist()) for each in signature}


@given(graphs())
def test_refinement_equals_its_definition(graph):
    found = refined(graph.indptr, graph.indices, 3)
    for rounds in (1, 2, 3):
        assert classes(found[rounds - 1].tolist()) == classes(naive(graph, rounds))


def all_graphs(nodes):
    pairs = list(combinations(range(nodes), 2))
    for mask in range(2 ** len(pairs)):
        chosen = np.array([pair for bit, pair in enumerate(pairs) if mask >> bit & 1], dtype=int).reshape(-1, 2)
        yield Graph.from_edges(nodes, chosen[:, 0], chosen[:, 1])


@cache
def one_of_each_structure(nodes):
    """One graph of each structure: figures do not depend on the order of the nodes, which is tested elsewhere."""
    kinds = {}
    for graph in all_graphs(nodes):
        cubes = np.trace(np.linalg.matrix_power(dense(graph), 3))
        kinds.setdefault((int(cubes), tuple(sorted(refined(graph.indptr, graph.indices, 6)[-1].tolist()))), graph)
    return list(kinds.values())


def expected_found(known, released):
    """By brute force: a guess among the released nodes of the same signature; row i is node i."""
    counts = Counter(released)
    return float(
        np.mean([1 / counts[mine] if mine == theirs else 0.0 for mine, theirs in zip(known, released, strict=True)])
    )


def dense(graph):
    return (graph.to_scipy().toarray() > 0).astype(int)


def ego_form(graph, node):
    """The least adjacency of the ego network over all orders of its nodes: equal where and only where isomorphic."""
    inside = graph.neighbours(node)
    return len(inside), least_form(len(inside), dense(graph)[np.ix_(inside, inside)].astype(np.int8).tobytes())


@cache
def least_form(nodes, content):
    matrix = np.frombuffer(content, dtype=np.int8).reshape(nodes, nodes)
    return min(tuple(matrix[np.ix_(p, p)].ravel()) for p in map(list, permutations(range(nodes))))


SMALL = [*(graph for nodes in (2, 3, 4) for graph in all_graphs(nodes))]


def releases(some):
    """Each graph released unchanged and as the next one."""
    for graph, other in zip(some, [*some[1:], some[0]], strict=True):
        yield Release.in_order(graph, graph)
        if len(graph) == len(other):
            yield Release.in_order(graph, other)


def check_all(some):
    for release in releases(some):
        known, released = release.original, release.masked
        degrees = [each.degrees.tolist() for each in (known, released)]
        assert DegreeAttack().measure(release).value == pytest.approx(expected_found(*degrees))
        deep = [naive(each, 3) for each in (known, released)]
        assert RefinementAttack().measure(release).value == pytest.approx(expected_found(*deep))
        ego = [[ego_form(each, node) for node in range(len(each))] for each in (known, released)]
        assert EgoNetworkAttack().measure(release).value == pytest.approx(expected_found(*ego))


def test_attacks_equal_brute_force_on_all_graphs_up_to_four_nodes():
    check_all(SMALL)


@pytest.mark.slow
def test_attacks_equal_brute_force_on_all_graphs_of_five_nodes():
    check_all(list(all_graphs(5)))


@pytest.mark.slow
def test_attacks_equal_brute_force_on_the_graphs_of_six_nodes():
    some = one_of_each_structure(6)
    assert len(some) == 156  # the number of graphs of six nodes up to isomorphism
    check_all(some)


def test_known_links_equal_brute_force():
    graph = a_graph(30, 70, seed=6)
    release = Release.in_order(graph, graph)
    score = KnownLinksAttack(identified=4).measure(release, seed=3)
    anchors = np.flatnonzero(np.isnan(score.by_record))
    links = dense(graph)[:, anchors]
    rest = [node for node in range(30) if node not in anchors]
    patterns = [tuple(links[node]) for node in rest]
    assert len(anchors) == 4
    assert score.value == pytest.approx(expected_found(patterns, patterns))


@given(graphs())
def test_ego_networks_that_are_isomorphic_have_one_signature(graph):
    order = np.random.default_rng(0).permutation(len(graph))
    shuffled = graph.take(order)
    one, other = (ego_signatures(each.indptr, each.indices, 5) for each in (graph, shuffled))
    assert one[order].tolist() == other.tolist()


def test_seeds_spread_through_an_unmasked_graph_and_not_through_another():
    graph = a_graph(150, 900, seed=8)
    attack = SeedPropagationAttack(seeds=10)
    same = attack.measure(Release.in_order(graph, graph), seed=1)
    other = attack.measure(Release.in_order(graph, a_graph(150, 900, seed=9)), seed=1)
    assert same.value > 0.9
    assert same.details["claims_correct"] > 0.95
    assert other.value < 0.1


@pytest.mark.parametrize("entry", entries("masking", Graph), ids=lambda entry: entry.name)
@pytest.mark.parametrize(
    "intruder",
    [
        pytest.param(InformedGraphIntruder(), id="informed"),
        pytest.param(OrdinaryGraphIntruder(), id="ordinary", marks=pytest.mark.slow),
    ],
)
def test_every_masking_is_attacked_with_and_without_its_method(entry, intruder):
    release = protect(a_graph(80, 240, seed=1), entry.build(), seed=1)
    score = intruder.measure(release)
    assert score.baseline <= score.details["expected_found"] <= 1 + 1e-9
    assert 0 <= score.value <= 1


def test_who_knows_degrees_that_stay_finds_as_much_as_by_the_degree():
    release = protect(a_graph(300, 900, seed=1), "configuration-graph", seed=1)
    informed, degree = InformedGraphIntruder().measure(release), DegreeAttack().measure(release)
    assert informed.value >= degree.value - 0.03


@pytest.mark.slow
def test_more_noise_hides_more():
    graph = a_graph(300, 1200, seed=3)
    found = [
        InformedGraphIntruder().measure(protect(graph, f"edge-randomisation:share={share}", seed=1)).value
        for share in (0.1, 0.3, 0.5)
    ]
    assert found[0] > found[1] > found[2]


def test_the_facebook_file_has_the_published_uniques():
    graph = read(reference_file("data", "facebook_combined.txt.gz"))
    assert (len(graph), graph.edge_count) == (4039, 88234)
    score = RefinementAttack().measure(Release.in_order(graph, graph))
    unique = [score.details["by_round"][each]["unique"] for each in ("H1", "H2")]
    assert [round(100 * share, 0) for share in unique] == [1, 93]
    assert round(100 * unique[0], 1) == 0.7


def test_of_published_blocks_one_in_k_is_found_at_most_and_the_blocks_are_recognised():
    for group_size in (2, 5, 10):
        release = protect(a_graph(200, 800, seed=2), f"graph-generalisation:group_size={group_size}", seed=1)
        score = InformedGraphIntruder().measure(release)
        sizes = np.bincount(release.masked.columns["block"])
        assert score.value <= 1 / group_size + 1e-9
        assert score.value == pytest.approx(len(sizes) / 200, abs=0.02)
        assert score.value == pytest.approx(score.details["expected_found"], abs=0.02)


def test_blocks_of_a_ring_reveal_nobody():
    ring = np.arange(30)
    release = protect(Graph.from_edges(30, ring, (ring + 1) % 30), "graph-generalisation:group_size=3", seed=1)
    assert InformedGraphIntruder().measure(release).value == pytest.approx(1 / 30)


@pytest.mark.slow
def test_probabilities_of_edges_find_more_than_the_edges_that_are_likelier_than_not():
    graph = a_graph(300, 300, seed=3)
    found = []
    for noise in (0.1, 0.3, 0.6):
        release = protect(graph, f"uncertain-graph:noise={noise}", seed=1)
        assert isinstance(release.masked, Graph)
        score = InformedGraphIntruder().measure(release)
        rounded = Release(graph, drawn_world(release.masked), release.recipe, release.rows)
        assert score.value >= OrdinaryGraphIntruder().measure(rounded).value
        assert score.details["expected_found"] <= score.value + 0.1  # not overconfident
        found.append(score.value)
    assert found[0] > found[1] > found[2]
