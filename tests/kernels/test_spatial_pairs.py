"""Edges between near nodes: exact degrees, no loops, and the nearest free nodes first."""

import numpy as np
import pytest

from sdckit.kernels.edge_table import drawn_below, edge_key, edge_table, holds, random_state
from sdckit.kernels.spatial_pairs import TRIALS, correct_surplus, join_near, spatial_edges


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Degrees of some graph, and places for its nodes."""
    rng = np.random.default_rng(seed)
    nodes = 12
    low, high = np.triu_indices(nodes, 1)
    chosen = rng.choice(len(low), 18, replace=False)
    degrees = np.bincount(np.concatenate([low[chosen], high[chosen]]), minlength=nodes)
    return degrees, rng.random((nodes, 2))


@pytest.mark.parametrize("reach", [0.0, 0.7])
@pytest.mark.parametrize("seed", range(6))
def test_a_simple_graph_has_exactly_these_degrees(seed, reach):
    degrees, positions = drawn(seed)
    keys = spatial_edges(degrees, positions, reach, np.random.default_rng(seed))
    assert keys is not None
    low, high = keys // len(degrees), keys % len(degrees)
    assert (low < high).all() and (np.diff(keys) > 0).all()
    assert np.bincount(np.concatenate([low, high]), minlength=len(degrees)).tolist() == degrees.tolist()


def test_pairs_that_live_together_are_joined():
    homes = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [10.0, 10.0]])
    positions = np.concatenate([homes, homes + 0.1])
    keys = spatial_edges(np.ones(8, dtype=np.int64), positions, 0.0, np.random.default_rng(1))
    assert keys.tolist() == [home * 8 + home + 4 for home in range(4)]


def test_with_reach_a_node_may_be_joined_to_a_farther_one():
    positions = np.column_stack([np.arange(30.0), np.zeros(30)])
    lengths = []
    for reach in (0.0, 2.0):
        keys = spatial_edges(np.full(30, 2), positions, reach, np.random.default_rng(2))
        lengths.append((keys % 30 - keys // 30).mean())
    assert lengths[0] < lengths[1]


def test_nodes_join_the_nearest_that_are_free_in_order():
    """Node 0 takes 1 and not itself, 1 is full then, 2 finds only 3, and 3 has no edge left for 0."""
    order, starts = np.arange(4), np.array([0, 3, 5, 8, 9])
    near = np.array([0, 1, 2, 0, 2, 1, 0, 3, 0])
    free = np.array([1, 1, 1, 1])
    low, high = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    table = edge_table(np.empty(0, dtype=np.int64), 2)
    assert join_near(order, starts, near, free, table, low, high) == 2
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [(0, 1), (2, 3)]
    assert free.tolist() == [0, 0, 0, 0]
    assert holds(table, edge_key(4, 0, 1)) and holds(table, edge_key(4, 2, 3))


def test_no_edge_is_made_twice():
    low, high = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    table = edge_table(np.empty(0, dtype=np.int64), 2)
    free = np.array([2, 2])
    made = join_near(np.arange(2), np.array([0, 2, 4]), np.array([0, 1, 1, 0]), free, table, low, high)
    assert made == 1 and free.tolist() == [1, 1]


def test_a_loop_is_exchanged_with_the_edge_that_costs_least_length():
    """The loop at 4 opens the edge next to it, 2–3, and not the one far away, 0–1."""
    x, y = np.array([90.0, 91.0, 0.0, 2.0, 1.0]), np.zeros(5)
    low, high = np.array([0, 2, 4]), np.array([1, 3, 4])
    table = edge_table(np.array([edge_key(5, 0, 1), edge_key(5, 2, 3)]), 3)
    assert correct_surplus(low, high, 2, table, x, y, random_state(np.random.default_rng(0)))
    edges = {edge_key(5, a, b) for a, b in zip(low.tolist(), high.tolist(), strict=True)}
    assert edges == {edge_key(5, 0, 1), edge_key(5, 2, 4), edge_key(5, 3, 4)}
    assert {key for key in range(25) if holds(table, key)} == edges


def test_a_surplus_edge_that_is_new_is_kept_and_a_lone_loop_cannot_be_corrected():
    x = np.zeros(3)
    low, high = np.array([0]), np.array([2])
    table = edge_table(np.empty(0, dtype=np.int64), 1)
    assert correct_surplus(low, high, 0, table, x, x, random_state(np.random.default_rng(0)))
    assert (low.tolist(), high.tolist()) == ([0], [2]) and holds(table, edge_key(3, 0, 2))
    alone = np.array([1])
    table = edge_table(np.empty(0, dtype=np.int64), 1)
    assert not correct_surplus(alone, alone.copy(), 0, table, x, x, random_state(np.random.default_rng(0)))


@pytest.mark.parametrize("seed", range(4))
def test_the_two_axes_of_the_map_can_be_exchanged(seed):
    """Also where loops and repeated edges are corrected, as among many ends of few nodes on a line."""
    rng = np.random.default_rng(seed)
    line = np.column_stack([rng.random(30), np.zeros(30)])
    low, high = np.triu_indices(30, 1)
    chosen = rng.choice(len(low), 300, replace=False)
    degrees = np.bincount(np.concatenate([low[chosen], high[chosen]]), minlength=30)
    one, other = (spatial_edges(degrees, map_of, 0.0, np.random.default_rng(seed)) for map_of in (line, line[:, ::-1]))
    assert one is not None and one.tolist() == other.tolist()


def test_nodes_are_joined_as_by_lists():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        nodes = int(rng.integers(2, 7))
        near = [rng.integers(0, nodes, int(rng.integers(0, 6))) for _ in range(nodes)]
        free, order = rng.integers(0, 3, nodes), rng.permutation(nodes)
        left, edges = free.tolist(), []
        for node in order.tolist():
            for other in near[node].tolist():
                if left[node] and left[other] and other != node and {node, other} not in map(set, edges):
                    edges.append((node, other))
                    left[node] -= 1
                    left[other] -= 1
        low, high = np.zeros(20, dtype=np.int64), np.zeros(20, dtype=np.int64)
        starts, listed = np.cumsum([0, *map(len, near)]), np.concatenate(near).astype(np.int64)
        table = edge_table(np.empty(0, dtype=np.int64), 20)
        made = join_near(order, starts, listed, free, table, low, high)
        assert list(zip(low[:made].tolist(), high[:made].tolist(), strict=True)) == edges
        assert free.tolist() == left
        assert all(holds(table, edge_key(nodes, a, b)) for a, b in edges)


def corrected_by_lists(low, high, made, x, y, state):
    """Each surplus edge opens the one, of those drawn, that costs least length; None where none can be opened."""
    edges = [*zip(low.tolist(), high.tolist(), strict=True)]
    kept = {frozenset(edge) for edge in edges[:made]}

    def length(a, b):
        return np.hypot(x[a] - x[b], y[a] - y[b])

    for at in range(made, len(edges)):
        u, v = edges[at]
        if u != v and frozenset((u, v)) not in kept:
            kept.add(frozenset((u, v)))
            continue
        found = []
        for step in range(TRIALS + 20 * at if at else 0):
            other = drawn_below(state, at)
            a, b = edges[other][::-1] if drawn_below(state, 2) == 1 else edges[other]
            new = {frozenset((u, a)), frozenset((v, b))}
            if u == a or v == b or len(new) == 1 or new & kept:
                continue
            found.append((length(u, a) + length(v, b) - length(a, b), len(found), other, a, b))
            if len(found) >= TRIALS or step >= TRIALS:
                break
        if not found:
            return None
        _, _, other, a, b = min(found)
        kept.remove(frozenset((a, b)))
        kept |= {frozenset((u, a)), frozenset((v, b))}
        edges[other], edges[at] = (u, a), (v, b)
    return edges


def test_surplus_edges_are_corrected_as_by_lists():
    outcomes = set()
    for seed in range(30):
        rng = np.random.default_rng(seed)
        nodes, made = int(rng.integers(3, 8)), int(rng.integers(0, 4))
        pairs = np.column_stack(np.triu_indices(nodes, 1))
        kept = pairs[rng.permutation(len(pairs))[: min(made, len(pairs))]]
        surplus = rng.integers(0, nodes, (int(rng.integers(1, 4)), 2))
        low, high = np.concatenate([kept, surplus]).T.copy()
        x, y = rng.random((2, nodes))
        expected = corrected_by_lists(low, high, len(kept), x, y, random_state(np.random.default_rng(seed)))
        table = edge_table(np.array([edge_key(nodes, a, b) for a, b in kept.tolist()], dtype=np.int64), len(low))
        state = random_state(np.random.default_rng(seed))
        done = correct_surplus(low, high, len(kept), table, x, y, state)
        outcomes.add(bool(done))
        assert bool(done) == (expected is not None)
        if expected is not None:
            assert list(zip(low.tolist(), high.tolist(), strict=True)) == expected
            edges = {edge_key(nodes, a, b) for a, b in expected}
            assert {key for key in range(nodes**2) if holds(table, key)} == edges
    assert outcomes == {True, False}


def test_nobody_without_an_edge_gets_one_and_an_empty_file_has_none():
    assert spatial_edges(
        np.array([0, 1, 0, 1]), np.random.default_rng(1).random((4, 2)), 0.0, np.random.default_rng(1)
    ).tolist() == [7]
    assert spatial_edges(np.zeros(3, dtype=np.int64), np.zeros((3, 2)), 0.5, np.random.default_rng(1)).tolist() == []
