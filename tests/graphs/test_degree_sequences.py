"""Degree sequences: the dynamic programme against the published cases and brute force, and Erdős–Gallai."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.graph import Graph
from sdckit.kernels.degree_realisation import extended, random_realisation, simplified
from sdckit.kernels.degree_sequences import anonymous_degrees, realised, violation

# Liu and Terzi's programme, additions only: cost and, where it is unique, the sequence.
CASES = [
    ([5, 5, 3, 3, 2, 2, 2, 1], 2, 1, [5, 5, 3, 3, 2, 2, 2, 2]),
    ([5, 5, 3, 3, 2, 2, 2, 1], 3, 5, [5, 5, 5, 5, 2, 2, 2, 2]),
    ([4, 3, 3, 2, 2, 2], 2, 2, None),
    ([9, 7, 7, 6, 5, 4, 4, 3, 2, 2, 1, 1], 3, 12, [9, 9, 9, 6, 6, 6, 4, 4, 4, 2, 2, 2]),
]
sequences = st.lists(st.integers(0, 6), min_size=1, max_size=8)


@pytest.mark.parametrize(("degrees", "group_size", "cost", "sequence"), CASES)
def test_the_published_cases(degrees, group_size, cost, sequence):
    found = anonymous_degrees(np.array(degrees), group_size)
    assert (found - degrees).sum() == cost
    assert sequence is None or found.tolist() == sequence


def partitions(degrees, group_size):
    """Every way to cut a sorted sequence into groups."""
    if len(degrees) < group_size:
        return
    yield [degrees]
    for cut in range(group_size, len(degrees) - group_size + 1):
        for rest in partitions(degrees[cut:], group_size):
            yield [degrees[:cut], *rest]


@given(sequences, st.integers(1, 4), st.booleans())
def test_no_partition_costs_less(degrees, group_size, deletions):
    degrees = sorted(degrees, reverse=True)
    if len(degrees) < group_size:
        return

    def cost(groups):
        centres = [group[(len(group) - 1) // 2] if deletions else group[0] for group in groups]
        return sum(abs(centre - each) for group, centre in zip(groups, centres, strict=True) for each in group)

    found = anonymous_degrees(np.array(degrees), group_size, deletions=deletions)
    assert np.abs(found - degrees).sum() == min(map(cost, partitions(degrees, group_size)))
    assert np.unique(found, return_counts=True)[1].min() >= group_size
    assert deletions or (found >= degrees).all()


@given(sequences)
def test_the_order_of_the_nodes_does_not_matter(degrees):
    degrees = np.array(degrees)
    order = np.random.default_rng(0).permutation(len(degrees))
    assert sorted(anonymous_degrees(degrees, 1)[order]) == sorted(anonymous_degrees(degrees[order], 1))


def graphic_sequences(nodes):
    """The sorted degrees of every graph of this number of nodes."""
    pairs = list(combinations(range(nodes), 2))
    found = set()
    for mask in range(2 ** len(pairs)):
        chosen = [pair for bit, pair in enumerate(pairs) if mask >> bit & 1]
        found.add(tuple(sorted(np.bincount(np.array(chosen, dtype=int).ravel(), minlength=nodes).tolist())))
    return found


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 5])
def test_erdos_gallai_agrees_with_all_graphs(nodes):
    graphic = graphic_sequences(nodes)
    for sequence in {tuple(sorted(each)) for each in np.ndindex(*[nodes] * nodes)}:
        assert (violation(np.array(sequence)) is None) == (sequence in graphic)


def test_a_violation_names_the_inequality():
    assert str(violation(np.array([3, 3, 1, 1]))) == (
        "the 2 largest degrees add up to 6, above k(k−1) + Σ min(dᵢ, k) = 4 for k = 2 (Erdős–Gallai)"
    )
    assert str(violation(np.array([1, 4, 2, 0]))) == (
        "the degrees add up to 7, an odd number, and every edge has two ends"
    )


@pytest.mark.parametrize("degrees", [[-2], [3, 1, -2], [2, -1, 2, 1]])
def test_a_negative_degree_is_refused(degrees):
    with pytest.raises(ValueError, match="negative"):
        violation(np.array(degrees))


@given(st.integers(2, 7), st.integers(0, 21), st.integers(0, 1000))
def test_every_graphic_sequence_is_realised_exactly(nodes, edges, seed):
    rng = np.random.default_rng(seed)
    pairs = np.array(list(combinations(range(nodes), 2)))
    chosen = pairs[rng.choice(len(pairs), min(edges, len(pairs)), replace=False)].reshape(-1, 2)
    degrees = np.bincount(chosen.ravel(), minlength=nodes)
    for keys in (realised(degrees), random_realisation(degrees, rng)):
        graph = Graph.from_edges(nodes, keys // nodes, keys % nodes)
        assert graph.cleaned.notes() == ()
        assert graph.degrees.tolist() == degrees.tolist()


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


@pytest.mark.parametrize(
    "degrees", [[2, 2, 2, 0], [0, 1, 0, 1], [1, 3, 1, 2, 1], [4, 1, 2, 2, 3, 0, 2], [3] * 4, [0, 0]]
)
def test_these_degrees_are_realised_exactly(degrees):
    nodes = len(degrees)
    keys = realised(np.array(degrees))
    low, high = keys // nodes, keys % nodes
    assert (low < high).all() and (np.diff(keys) > 0).all()
    assert np.bincount(np.concatenate([low, high]), minlength=nodes).tolist() == degrees


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


@pytest.mark.parametrize("degrees", [[], [0], [0, 0]])
def test_degrees_of_no_edges_are_those_of_a_graph(degrees):
    assert violation(np.array(degrees, dtype=np.int64)) is None
    assert len(realised(np.array(degrees, dtype=np.int64))) == 0


@pytest.mark.parametrize("nodes", [2, 3, 4])
def test_the_first_inequality_that_fails_is_named(nodes):
    for degrees in np.ndindex(*[nodes + 2] * nodes):
        found, down = violation(np.array(degrees)), sorted(degrees, reverse=True)
        if sum(degrees) % 2:
            assert (found.largest, found.needed, found.available) == (0, sum(degrees), 0)
            continue
        failing = []
        for k in range(1, nodes + 1):
            available = k * (k - 1) + sum(min(each, k) for each in down[k:])
            if sum(down[:k]) > available:
                failing.append((k, sum(down[:k]), available))
        assert (None if found is None else (found.largest, found.needed, found.available)) == (failing or [None])[0]
