"""The likeliest row of each record, and the bracket of how often claims are correct."""

import numpy as np
import pytest

from sdckit.matching import posterior as module
from sdckit.matching.enumeration import exact_posterior
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import (
    Posterior,
    _Average,
    _cross,
    _enumerated,
    _largest_mean,
    _part,
    likeliest,
    posterior,
)
from sdckit.matching.shrinkage import Approximation
from tests.matching.test_shrinkage import full_graph


def test_the_likeliest_row_is_the_first_of_the_largest_probability():
    starts, classes, capacity = np.array([0, 3, 3, 5]), np.array([0, 1, 2, 1, 2]), np.array([1, 1, 2])
    graph = CandidateGraph.of(starts, classes, np.zeros(5), capacity, strangers=2)
    edge, top = likeliest(graph, np.array([0.3, 0.3, 0.4, 0.2, 0.6]))
    assert edge.tolist() == [0, -1, 4]
    assert top == pytest.approx([0.3, 0.0, 0.3])


def test_the_bracket_is_that_of_the_joint_estimate_and_of_each_chain_judged_by_the_other(monkeypatch):
    """Where nothing is shrunk and rows are nearly alike, the chains choose different ones."""
    monkeypatch.setattr(Approximation, "shrunk", lambda _, halves: ((halves[0] + halves[1]) / 2, halves))
    graph = full_graph(np.random.default_rng(1).gamma(50, size=(12, 12)))
    result = posterior(graph, np.random.default_rng(2))
    one, other = (each.reshape(12, 12) for each in result.halves)
    records = np.arange(12)
    crossed = [other[records, one.argmax(axis=1)].mean(), one[records, other.argmax(axis=1)].mean()]
    expected = ((one + other) / 2).max(axis=1).mean(), np.mean(crossed)
    assert result.bracket == pytest.approx((min(expected), max(expected)))
    assert result.bracket[0] < result.bracket[1]


def blocks_of(*sizes: int, seed: int = 1, capacity: int = 1) -> tuple[CandidateGraph, list[np.ndarray]]:
    """A graph of blocks that have no edge in common, and their weights; each class has as many rows."""
    rng = np.random.default_rng(seed)
    weights = [rng.gamma(1.0, size=(size * capacity, size)) + 0.01 for size in sizes]
    starts, classes, logs, first = [0], [], [], 0
    for block in weights:
        for line in block:
            classes += range(first, first + len(line))
            logs += np.log(line).tolist()
            starts.append(len(classes))
        first += block.shape[1]
    graph = CandidateGraph.of(np.array(starts), np.array(classes), np.array(logs), np.full(first, capacity))
    return graph, weights


@pytest.mark.parametrize("capacity", [1, 2])
def test_small_components_are_enumerated(capacity):
    graph, weights = blocks_of(3, 1, 2, capacity=capacity)
    found = posterior(graph, np.random.default_rng(0))
    assert found.samples == 0 and found.halves[0] is found.probability
    expected = []
    for block in weights:
        single = exact_posterior(np.repeat(block, capacity, axis=1))
        expected += single.reshape(*block.shape, capacity).sum(axis=2).ravel().tolist()
    assert found.probability == pytest.approx(expected)
    largest = likeliest(graph, found.probability)[1].mean()
    assert found.bracket == (pytest.approx(largest),) * 2


def test_components_up_to_a_size_are_enumerated_and_the_others_sampled(monkeypatch):
    graph, weights = blocks_of(3, 4, 1)
    monkeypatch.setattr(module, "SMALL", 3)
    probability, solved = _enumerated(graph)
    assert solved.tolist() == [True] * 3 + [False] * 4 + [True]
    assert probability[:9] == pytest.approx(exact_posterior(weights[0]).ravel())
    assert probability[9:25].tolist() == [0] * 16 and probability[25] == 1
    monkeypatch.setattr(module, "SAMPLES", (400,))
    found = posterior(graph, np.random.default_rng(0))
    assert found.samples == 400
    assert found.probability[9:25] == pytest.approx(exact_posterior(weights[1]).ravel(), abs=0.1)
    assert found.probability[:9].tolist() == probability[:9].tolist()


def test_nothing_is_enumerated_where_somebody_may_be_absent_or_unknown():
    starts, classes = np.array([0, 1, 2]), np.array([0, 1])
    for graph in (
        CandidateGraph.of(starts, classes, np.zeros(2), np.array([1, 0])),
        CandidateGraph.of(starts, classes, np.zeros(2), np.array([1, 2]), strangers=1),
        CandidateGraph.of(np.array([0]), np.empty(0, np.int64), np.empty(0), np.array([1]), strangers=1),
    ):
        assert not _enumerated(graph)[1].any()


def test_a_component_with_more_records_than_rows_is_sampled():
    graph = CandidateGraph.of(
        np.array([0, 1, 2, 4]), np.array([0, 0, 1, 2]), np.zeros(4), np.array([1, 1, 1]), background=0.1
    )
    assert _enumerated(graph)[1].tolist() == [False, False, False]
    blocked = CandidateGraph.of(
        np.array([0, 1, 2, 3]), np.array([0, 0, 1]), np.zeros(3), np.array([2, 1]), background=0.1
    )
    probability, solved = _enumerated(blocked)
    assert solved.all() and probability.tolist() == [1, 1, 1]
    never = CandidateGraph.of(
        np.array([0, 2, 3, 4]),
        np.array([0, 1, 1, 1]),
        np.array([0.0, 0.0, 0.0, 0.0]),
        np.array([1, 1, 1]),
        background=0.1,
    )
    assert not _enumerated(never)[1].any()


def test_the_part_of_some_records_has_the_classes_that_no_other_lists():
    graph, _ = blocks_of(2, 3, 1)
    part, edges = _part(graph, np.array([2, 3, 4]))
    assert edges.tolist() == list(range(4, 13))
    assert (part.starts.tolist(), part.classes.tolist()) == ([0, 3, 6, 9], [0, 1, 2] * 3)
    assert part.weights.tolist() == graph.weights[4:13].tolist() and part.capacity.tolist() == [1, 1, 1]
    assert len(part.spread) == len(part.density) == len(part.background) == 3
    whole, edges = _part(graph, np.arange(6))
    assert whole is graph and edges.tolist() == list(range(14))


def test_records_that_are_alike_share_their_mean():
    graph = full_graph(np.ones((3, 3)))
    values = np.arange(9.0)
    mean = _Average(graph, np.array([0, 1, 0]))(values)
    assert mean.tolist() == [3, 4, 5, 3, 4, 5, 3, 4, 5]
    assert _Average(graph, np.array([0, 1, 1]))(values).tolist() == [0, 1, 2, 4.5, 5.5, 6.5, 4.5, 5.5, 6.5]
    assert _Average(graph, np.arange(3))(values) is values and _Average(graph, None)(values) is values


def test_means_of_the_records_that_are_judged():
    graph = CandidateGraph.of(np.array([0, 2, 2, 4]), np.array([0, 1, 0, 1]), np.zeros(4), np.array([1, 2]))
    one, other = np.array([0.6, 0.4, 0.1, 0.8]), np.array([0.1, 0.8, 0.3, 0.6])
    assert _largest_mean(graph, one, None) == pytest.approx((0.6 + 0.0 + 0.4) / 3)
    assert _largest_mean(graph, one, np.array([0])) == pytest.approx(0.6)
    # Of record 0 the chains choose class 0 and a row of class 1; of record 2 a row of class 1 and class 0.
    crossed = [np.mean([0.1, 0, 0.6 / 2]), np.mean([0.4 / 2, 0, 0.1])]
    assert _cross(graph, (one, other), (one, other), None) == pytest.approx(np.mean(crossed))
    assert _cross(graph, (one, other), (one, other), np.array([0])) == pytest.approx((0.1 + 0.2) / 2)


def test_a_doubt_takes_its_share_of_everything():
    graph, _ = blocks_of(2)
    values = np.array([0.6, 0.4, 0.4, 0.6])
    sure = Posterior(graph, values, (values, values / 2), (0.5, 0.8), 7)
    assert sure.in_doubt(0.0) is sure
    less = sure.in_doubt(0.25)
    assert less.probability == pytest.approx(0.75 * values) and less.halves[1] == pytest.approx(0.375 * values)
    assert less.bracket == pytest.approx((0.375, 0.6)) and less.samples == 7


def test_sampling_stops_where_the_bracket_is_narrow(monkeypatch):
    monkeypatch.setattr(module, "SAMPLES", (3, 5, 8))
    graph = full_graph(np.random.default_rng(1).gamma(50, size=(12, 12)))
    monkeypatch.setattr(module, "NARROW", 1.0)
    assert posterior(graph, np.random.default_rng(2)).samples == 3
    monkeypatch.setattr(module, "NARROW", -1.0)
    found = posterior(graph, np.random.default_rng(2))
    assert found.samples == 8 and found.bracket[0] <= found.bracket[1]
