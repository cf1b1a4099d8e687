"""Balancing changes no posterior, and the balanced shares are those of a dense Sinkhorn iteration."""

import numpy as np
import pytest

from sdckit.matching.enumeration import exact_posterior
from sdckit.matching.sinkhorn import balanced, balanced_shares
from tests.matching.test_chain import dense, graph_of


def test_balancing_changes_no_posterior():
    weights = np.random.default_rng(2).gamma(0.3, size=(6, 6)) + 1e-4
    graph = graph_of(weights)
    assert exact_posterior(dense(graph, balanced(graph).weights)) == pytest.approx(exact_posterior(weights))


def test_shares_agree_with_a_dense_twin():
    weights = np.random.default_rng(3).gamma(0.5, size=(40, 40)) + 1e-3
    twin = weights.copy()
    for _ in range(50):
        twin /= twin.sum(axis=1, keepdims=True)
        twin /= twin.sum(axis=0, keepdims=True)
    twin /= twin.sum(axis=1, keepdims=True)
    graph = graph_of(weights)
    assert dense(graph, balanced_shares(graph)) == pytest.approx(twin, abs=1e-9)


def test_every_row_is_taken_once_in_expectation():
    graph = graph_of(np.random.default_rng(4).gamma(0.5, size=(30, 30)) + 1e-3)
    taken = dense(graph, balanced_shares(graph, rounds=500)).sum(axis=0)
    assert taken == pytest.approx(np.ones(30), abs=1e-6)
