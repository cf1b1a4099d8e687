"""Blocks of nodes: what a search exchanges follows from the number of graphs, counted anew each time."""

from collections import Counter
from itertools import combinations, product
from math import comb, exp, log

import numpy as np
import pytest

from sdckit.kernels.graph_blocks import (
    _breadth_first,
    annealed_blocks,
    block_counts,
    log_choose,
    log_worlds,
    sampled_world,
)


def random_graph(seed, nodes):
    """Some of all edges, as pairs and as an adjacency."""
    rng = np.random.default_rng(seed)
    pairs = [pair for pair in combinations(range(nodes), 2) if rng.random() < rng.choice([0.2, 0.5, 0.8])]
    near = [sorted([b for a, b in pairs if a == node] + [a for a, b in pairs if b == node]) for node in range(nodes)]
    indptr = np.cumsum([0, *map(len, near)])
    return pairs, indptr.astype(np.int64), np.array([each for line in near for each in line], dtype=np.int64)


def counted(block, pairs):
    """Edges between blocks, by hand."""
    blocks = max(block) + 1
    counts = np.zeros((blocks, blocks))
    for one, other in pairs:
        a, b = block[one], block[other]
        counts[a, b] += 1
        counts[b, a] += a != b
    return counts


def worlds(block, pairs):
    """The logarithm of the number of graphs with these counts."""
    sizes, counts, total = Counter(block), counted(block, pairs), 0.0
    for a in sizes:
        for b in sizes:
            if a <= b:
                possible = sizes[a] * sizes[b] if a < b else comb(sizes[a], 2)
                total += log(comb(possible, int(counts[a, b])))
    return total


@pytest.mark.parametrize("seed", range(20))
def test_counts_and_worlds_are_those_of_the_definition(seed):
    nodes = 2 + seed % 6
    pairs, _, _ = random_graph(seed, nodes)
    rng = np.random.default_rng(seed)
    blocks = int(rng.integers(1, nodes + 1))
    block = rng.permutation(np.arange(nodes) % blocks)
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    counts = block_counts(block, blocks, ends[:, 0], ends[:, 1])
    assert np.array_equal(counts, counted(block, pairs))
    assert log_worlds(np.bincount(block), counts) == pytest.approx(worlds(block.tolist(), pairs), abs=1e-12)


def test_choices_are_counted():
    for total in range(8):
        for chosen in range(total + 1):
            assert log_choose(np.array([float(total)]), np.array([float(chosen)])) == pytest.approx(
                log(comb(total, chosen)), abs=1e-12
            )


@pytest.mark.parametrize("seed", range(12))
def test_the_first_blocks_follow_a_search_from_the_nodes_of_highest_degree(seed):
    nodes = 1 + seed
    _, indptr, indices = random_graph(seed, nodes)
    order = _breadth_first(indptr, indices, np.random.default_rng(seed)).tolist()
    degrees = np.diff(indptr)
    assert sorted(order) == list(range(nodes))
    queue: list[int] = []
    seen: set[int] = set()
    for node in order:
        if not queue:  # a new component begins with a node of the highest degree that is left
            assert degrees[node] == max(degrees[each] for each in range(nodes) if each not in seen)
            queue, seen = [node], {*seen, node}
        assert node == queue.pop(0)
        further = [int(each) for each in indices[indptr[node] : indptr[node + 1]] if each not in seen]
        queue, seen = queue + further, {*seen, *further}


def test_of_components_alike_any_may_come_first():
    none = np.zeros(4, dtype=np.int64), np.zeros(0, dtype=np.int64)
    orders = {tuple(_breadth_first(*none, np.random.default_rng(seed))) for seed in range(40)}
    assert orders == {(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)}


def test_a_graph_without_nodes_has_no_blocks():
    assert (
        len(annealed_blocks(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64), 2, 5, np.random.default_rng(0)))
        == 0
    )


@pytest.mark.parametrize("seed", range(24))
def test_nodes_are_exchanged_by_the_number_of_graphs_that_are_left(seed):
    nodes, group_size, steps = 4 + seed % 6, 1 + seed % 3, 14
    pairs, indptr, indices = random_graph(seed, nodes)
    found = annealed_blocks(indptr, indices, group_size, steps, np.random.default_rng(seed))
    rng = np.random.default_rng(seed)
    order, blocks = _breadth_first(indptr, indices, rng), max(nodes // group_size, 1)
    block = [0] * nodes
    for position, node in enumerate(order):
        block[node] = min(position // group_size, blocks - 1)
    for step, ((one, other), draw) in enumerate(
        zip(rng.integers(0, nodes, (steps, 2)), rng.random(steps), strict=True)
    ):
        exchanged = list(block)
        exchanged[one], exchanged[other] = block[other], block[one]
        change = worlds(exchanged, pairs) - worlds(block, pairs)
        if change <= 1e-9 or draw < exp(-change / (2.0 * (1 - step / steps))):
            block = exchanged
    assert found.tolist() == block


def test_a_world_is_any_graph_with_the_counts():
    """Of the five nodes, two pairs of blocks have edges: 3 · 2 · 3 graphs."""
    block, rng = np.array([0, 1, 0, 1, 0]), np.random.default_rng(3)
    counts = np.array([[1.0, 5.0], [5.0, 0.0]])
    expected = set()
    within = [2, 4, 14]  # 0–2, 0–4, 2–4
    between = [1, 3, 7, 13, 9, 19]  # 0–1, 0–3, 1–2, 2–3, 1–4, 3–4
    for one, left_out in product(within, between):
        expected.add(tuple(sorted([one, *(each for each in between if each != left_out)])))
    drawn = Counter(tuple(sampled_world(block, counts, rng).tolist()) for _ in range(720))
    assert set(drawn) == expected
    assert max(drawn.values()) < 40 + 5 * 40**0.5 and min(drawn.values()) > 40 - 5 * 40**0.5


def test_a_world_without_edges_is_empty():
    assert sampled_world(np.array([0, 1]), np.zeros((2, 2)), np.random.default_rng(0)).tolist() == []
