"""Degree sequences: the dynamic programme against the published cases and brute force, and Erdős–Gallai."""

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.graph import Graph
from sdckit.kernels.degree_realisation import random_realisation
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


def least_cost_is_found(degrees, group_size, deletions):
    """The degrees are sorted down, and at least as many as a group has."""

    def cost(groups):
        centres = [group[(len(group) - 1) // 2] if deletions else group[0] for group in groups]
        return sum(abs(centre - each) for group, centre in zip(groups, centres, strict=True) for each in group)

    found = anonymous_degrees(np.array(degrees), group_size, deletions=deletions)
    assert np.abs(found - degrees).sum() == min(map(cost, partitions(degrees, group_size)))
    assert np.unique(found, return_counts=True)[1].min() >= group_size
    assert deletions or (found >= degrees).all()


@given(sequences, st.integers(1, 4), st.booleans())
def test_no_partition_costs_less(degrees, group_size, deletions):
    if len(degrees) >= group_size:
        least_cost_is_found(sorted(degrees, reverse=True), group_size, deletions)


@pytest.mark.parametrize("deletions", [False, True])
@pytest.mark.parametrize(("group_size", "longest"), [(1, 4), (2, 7), (3, 9)])
def test_no_partition_of_a_short_sequence_costs_less(group_size, longest, deletions):
    """All sequences of three degrees: groups of up to 2k − 1 nodes are needed."""
    for nodes in range(group_size, longest + 1):
        for degrees in combinations_with_replacement([7, 2, 1], nodes):
            least_cost_is_found(list(degrees), group_size, deletions)


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


@pytest.mark.parametrize(
    "degrees", [[2, 2, 2, 0], [0, 1, 0, 1], [1, 3, 1, 2, 1], [4, 1, 2, 2, 3, 0, 2], [3] * 4, [0, 0]]
)
def test_these_degrees_are_realised_exactly(degrees):
    nodes = len(degrees)
    keys = realised(np.array(degrees))
    low, high = keys // nodes, keys % nodes
    assert (low < high).all() and (np.diff(keys) > 0).all()
    assert np.bincount(np.concatenate([low, high]), minlength=nodes).tolist() == degrees


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
