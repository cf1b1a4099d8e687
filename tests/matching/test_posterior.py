"""The likeliest row of each record, and the bracket of how often claims are correct."""

import numpy as np
import pytest

from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import likeliest, posterior
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
