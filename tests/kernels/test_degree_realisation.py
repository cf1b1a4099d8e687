"""Realisations of degrees: what is added, opened and exchanged, as a set of pairs does it."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.graph import Graph
from sdckit.kernels.degree_realisation import extended, random_realisation, simplified
from sdckit.kernels.degree_sequences import violation
from sdckit.kernels.edge_table import drawn_below, random_state

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


@given(st.integers(4, 14), st.integers(0, 1000))
def test_an_extension_gives_every_node_what_it_misses_or_says_so(nodes, seed):
    rng = np.random.default_rng(seed)
    graph = Graph.from_edges(nodes, rng.integers(0, nodes, nodes), rng.integers(0, nodes, nodes))
    missing = rng.integers(0, 3, nodes)
    keys = extended(nodes, graph.edge_keys, missing, rng)
    if missing.sum() % 2:
        assert keys is None
    if keys is not None:
        assert (graph.with_keys(keys).degrees == graph.degrees + missing).all()


@pytest.mark.parametrize("missing", [[0, 1, 1, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0, 0], [2, 2, 1, 0, 0, 0, 3]])
@pytest.mark.parametrize("seed", range(3))
def test_ends_that_no_free_node_can_take_open_an_edge(missing, seed):
    """Nodes 0 to 3 are all joined, so that the edge 4–5 or one of theirs must be opened."""
    pairs = [*combinations(range(4), 2), (4, 5)]
    keys = np.sort([a * 7 + b for a, b in pairs])
    found = extended(7, keys, np.array(missing), np.random.default_rng(seed))
    assert found is not None
    low, high = found // 7, found % 7
    assert (low < high).all() and (np.diff(found) > 0).all()
    expected = np.bincount(np.ravel(pairs), minlength=7) + missing
    assert np.bincount(np.concatenate([low, high]), minlength=7).tolist() == expected.tolist()


def ring(first, nodes):
    """The edges of a ring of nodes that have consecutive numbers."""
    return [(node, node + 1) for node in range(first, first + nodes - 1)] + [(first, first + nodes - 1)]


@pytest.mark.parametrize("missing", [{0: 1, 1: 1}, {0: 2, 1: 2}, {0: 4}, {0: 3, 1: 1}, {0: 1, 1: 1, 2: 1, 3: 1}])
def test_many_edges_leave_one_that_can_be_opened(missing):
    """Nodes 0 to 3 are all joined and nobody else misses an edge: some of the ring must be opened."""
    pairs = np.array([*combinations(range(4), 2), *ring(4, 120)])
    wanted = np.zeros(124, dtype=np.int64)
    wanted[list(missing)] = list(missing.values())
    found = extended(124, np.sort(pairs @ [124, 1]), wanted, np.random.default_rng(0))
    assert found is not None
    graph = Graph.from_edges(124, found // 124, found % 124)
    assert graph.cleaned.notes() == ()
    assert (graph.degrees == np.bincount(pairs.ravel(), minlength=124) + wanted).all()


@pytest.mark.parametrize("wrong", [[(0, 0)], [(3, 4)], [(0, 0), (3, 4), (3, 4), (9, 9), (9, 9)]])
def test_loops_and_repeated_edges_are_exchanged(wrong):
    low, high = np.array([*ring(0, 150), *wrong]).T.copy()
    degrees = np.bincount([*low, *high])
    assert simplified(150, low, high, np.random.default_rng(0))
    graph = Graph.from_edges(150, low, high)
    assert graph.cleaned.notes() == ()
    assert (graph.degrees == degrees).all()


def test_a_repeated_edge_between_the_only_two_nodes_cannot_be_exchanged():
    assert not simplified(2, np.array([0, 0]), np.array([1, 1]), np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(60))
def test_few_ends_are_made_a_simple_graph_or_left_wrong(seed):
    """Dense enough that most exchanges would repeat an edge or make a loop."""
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(2, 6))
    low, high = rng.integers(0, nodes, (2, int(rng.integers(1, 2 * nodes))))
    degrees = np.bincount([*low, *high], minlength=nodes)
    done = simplified(nodes, low, high, rng)
    assert (np.bincount([*low, *high], minlength=nodes) == degrees).all()
    pairs = {(min(pair), max(pair)) for pair in zip(low.tolist(), high.tolist(), strict=True) if pair[0] != pair[1]}
    if done:
        assert len(pairs) == len(low)
    if violation(degrees) is not None:
        assert not done


def test_every_matching_of_four_nodes_is_as_likely():
    drawn = Counter(
        tuple(random_realisation(np.ones(4, dtype=np.int64), np.random.default_rng(seed)).tolist())
        for seed in range(300)
    )
    assert set(drawn) == {(1, 11), (2, 7), (3, 6)}
    assert max(drawn.values()) < 100 + 5 * (300 * 2 / 9) ** 0.5


@pytest.mark.parametrize("degrees", [[2, 2, 2, 1, 1], [3, 3, 3, 3], [3, 2, 2, 2, 1], [0, 2, 2, 2], []])
def test_every_graph_with_these_degrees_may_be_drawn(degrees):
    nodes, wanted = len(degrees), sum(degrees) // 2
    pairs = list(combinations(range(nodes), 2))
    possible = {
        tuple(sorted(a * nodes + b for a, b in chosen))
        for chosen in combinations(pairs, wanted)
        if np.bincount(np.array(chosen, dtype=int).ravel(), minlength=nodes).tolist() == degrees
    }
    degrees, seeds = np.array(degrees, dtype=np.int64), range(60 if len(possible) > 1 else 2)
    drawn = {tuple(random_realisation(degrees, np.random.default_rng(seed)).tolist()) for seed in seeds}
    assert drawn == possible


@pytest.mark.parametrize(
    "missing", [[1, 1, 1, 1], [3, 3, 3, 3], [3, 1, 1, 1], [2, 2, 1, 1], [1, 3, 2, 2], [0, 2, 2, 2]]
)
def test_nodes_without_edges_get_as_many_as_they_miss(missing):
    found = extended(4, np.empty(0, dtype=np.int64), np.array(missing), np.random.default_rng(0))
    assert found is not None and (np.diff(found) > 0).all()
    low, high = found // 4, found % 4
    assert (low < high).all() and np.bincount([*low, *high], minlength=4).tolist() == missing


def test_edges_stay_where_those_who_miss_one_can_be_joined():
    before = np.array([1, 13])  # 0–1, 2–3 of five nodes
    found = extended(5, before, np.array([1, 0, 1, 0, 2]), np.random.default_rng(0))
    assert found.tolist() == [1, 4, 13, 14]
    unchanged = extended(5, before, np.zeros(5, dtype=np.int64), np.random.default_rng(0))
    assert unchanged.tolist() == before.tolist() and unchanged is not before


def test_nothing_can_be_opened_where_there_is_no_edge():
    nothing = np.empty(0, dtype=np.int64)
    assert extended(3, nothing, np.array([2, 0, 0]), np.random.default_rng(0)) is None
    assert extended(2, np.array([1]), np.array([1, 1]), np.random.default_rng(0)) is None


def plainly_extended(nodes, keys, missing, rng):
    """The same order and draws, applied to a set of pairs."""
    edges = [(int(key) // nodes, int(key) % nodes) for key in keys]
    present = {frozenset(edge) for edge in edges}
    order = [node for node in np.argsort(-missing).tolist() if missing[node]]
    missing, state = missing.tolist(), random_state(rng)
    for position, top in enumerate(order):
        for other in order[position + 1 :]:
            if missing[top] and missing[other] and frozenset((top, other)) not in present:
                edges.append((top, other))
                present.add(frozenset((top, other)))
                missing[top] -= 1
                missing[other] -= 1
    while True:
        left = [node for node in order if missing[node]]
        if not left:
            return sorted(min(edge) * nodes + max(edge) for edge in present)
        top, second = left[0], left[1] if len(left) > 1 else left[0]
        if not edges or (top == second and missing[top] < 2):
            return None
        for _ in range(400 + 4 * len(edges)):
            at = int(drawn_below(state, len(edges)))
            x, y = edges[at]
            if drawn_below(state, 2):
                x, y = y, x
            new = {frozenset((top, x)), frozenset((second, y))}
            if {x, y} & {top, second} or new & present:
                continue
            present = present - {frozenset((x, y))} | new
            edges[at] = (top, x)
            edges.append((second, y))
            missing[top] -= 1
            missing[second] -= 1
            break
        else:
            return None


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(40))
def test_an_extension_is_that_of_a_set_of_pairs(seed):
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(2, 9))
    graph = Graph.from_edges(nodes, *rng.integers(0, nodes, (2, 2 * nodes)))
    missing = rng.integers(0, 3, nodes) * (rng.random(nodes) < 0.6)
    missing[0] += missing.sum() % 2
    found = extended(nodes, graph.edge_keys, missing, np.random.default_rng(seed))
    expected = plainly_extended(nodes, graph.edge_keys, missing, np.random.default_rng(seed))
    assert (None if found is None else found.tolist()) == expected


def plainly_simplified(nodes, low, high, rng):
    """Loops and repeated edges exchanged with the same draws, in a set of pairs; None where one could not be."""
    edges = list(zip(low.tolist(), high.tolist(), strict=True))
    wrong = [at for at, edge in enumerate(edges) if edge[0] == edge[1] or {*edge} in [{*each} for each in edges[:at]]]
    present = {frozenset(edge) for at, edge in enumerate(edges) if at not in wrong}
    state = random_state(rng)
    waiting = set(wrong)
    for at in wrong:
        u, v = edges[at]
        for _ in range(400 + 4 * len(edges)):
            other = int(drawn_below(state, len(edges)))
            if other in waiting:
                continue
            x, y = edges[other]
            if drawn_below(state, 2):
                x, y = y, x
            new = {frozenset((u, x)), frozenset((v, y))}
            if u == x or v == y or len(new) == 1 or new & present:
                continue
            present = present - {frozenset((x, y))} | new
            edges[at], edges[other] = (u, x), (v, y)
            waiting.discard(at)
            break
        else:
            return None
    return edges


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("seed", range(60))
def test_exchanges_are_those_of_a_set_of_pairs(seed):
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(4, 9))
    low, high = rng.integers(0, nodes, (2, nodes))
    expected = plainly_simplified(nodes, low, high, np.random.default_rng(seed))
    assert simplified(nodes, low, high, np.random.default_rng(seed)) == (expected is not None)
    if expected is not None:
        assert list(zip(low.tolist(), high.tolist(), strict=True)) == expected
