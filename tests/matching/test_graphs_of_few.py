"""Numpy treats a small graph as the kernels do, to the last digit: the first run gives the figures of every other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.matching import chain, enumeration, sinkhorn
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.graphs_of_few import cumulative_weights_of_few, factors_of_few, greedy_of_few

SEEDS = st.integers(0, 10**6)
SIZES = st.sampled_from([2, 12, 600])  # beyond a few hundred numbers, numpy adds a whole array in another order


def any_graph(rng: np.random.Generator, many: int = 12) -> CandidateGraph:
    """Some records without an edge, classes of several rows, equal weights, and weights over many magnitudes."""
    records, classes = int(rng.integers(many // 2, many)), int(rng.integers(1, many))
    lists = [np.flatnonzero(rng.random(classes) < rng.random()) for _ in range(records)]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in lists])]).astype(np.int64)
    listed = np.concatenate([np.empty(0, np.int64), *lists])
    weights = np.where(rng.random(len(listed)) < 0.3, 0.5, np.exp(rng.normal(0, 8, len(listed))))
    capacity = rng.integers(1, 4, classes)
    strangers = max(int(capacity.sum()) - records, 0) + int(rng.integers(0, 3))
    background = np.where(rng.random(records) < 0.5, 0.0, rng.random(records))
    spread, density = rng.random(classes), np.where(rng.random(classes) < 0.2, 0.0, rng.random(classes))
    return CandidateGraph(starts, listed, weights, capacity, background, spread, density, strangers, rng.random())


def test_nobody_is_matched_in_an_empty_graph():
    nobody = np.zeros(1, np.int64)
    cumulative, total = cumulative_weights_of_few(nobody, np.empty(0))
    assert (len(cumulative), len(total)) == (0, 0)


@given(SEEDS, SIZES)
def test_the_first_matching_is_the_same(seed, many):
    rng = np.random.default_rng(seed)
    graph = any_graph(rng, many)
    order = rng.permutation(graph.records)
    found = []
    for greedy in (greedy_of_few, chain._greedy):
        slots = np.concatenate([[0], np.cumsum(graph.capacity)])
        slot_of, edge_of = np.full(graph.records, -1), np.full(graph.records, -1)
        greedy(graph.starts, graph.classes, graph.weights, slots[:-1].copy(), slots[1:], slot_of, edge_of, order)
        found.append((slot_of.tolist(), edge_of.tolist()))
    assert found[0] == found[1]


@given(SEEDS, SIZES)
def test_running_sums_are_the_same(seed, many):
    graph = any_graph(np.random.default_rng(seed), many)
    few = cumulative_weights_of_few(graph.starts, graph.weights)
    compiled = chain.cumulative_weights(graph.starts, graph.weights)
    assert [each.tolist() for each in few] == [each.tolist() for each in compiled]


@given(SEEDS, SIZES)
def test_balancing_factors_are_the_same(seed, many):
    graph = any_graph(np.random.default_rng(seed), many)
    given_to_both = (
        *(graph.starts, graph.classes, graph.weights, graph.capacity.astype(float)),
        *(graph.background, graph.spread, graph.density, graph.absence, graph.strangers, graph.absences, 7),
    )
    few, compiled = factors_of_few(*given_to_both), sinkhorn._factors(*given_to_both)
    assert (few[0].tolist(), few[1]) == (compiled[0].tolist(), compiled[1])


@pytest.mark.parametrize("count", [1, 3, 6])
def test_exact_posteriors_are_the_same(count):
    weights = np.random.default_rng(count).gamma(0.3, size=(count, count))
    assert enumeration._posterior.py_func(weights).tolist() == enumeration._posterior(weights).tolist()
