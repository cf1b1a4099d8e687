"""Balancing changes no posterior, and the balanced shares are those of a dense Sinkhorn iteration."""

import numpy as np
import pytest

from sdckit.matching.chain import sample_matchings
from sdckit.matching.enumeration import exact_posterior
from sdckit.matching.graph import CandidateGraph
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


def with_strangers(rng: np.random.Generator) -> tuple[CandidateGraph, np.ndarray]:
    """Four records that list half of six rows, each with its own background, two strangers; and all as a matrix."""
    listed = np.where(rng.random((4, 6)) < 0.5, rng.gamma(0.5, size=(4, 6)) + 1e-3, 0.0)
    background, spread, density = rng.gamma(0.5, size=4) + 0.01, rng.gamma(1.0, size=6), rng.gamma(1.0, size=6)
    starts = np.concatenate([[0], np.cumsum((listed > 0).sum(axis=1))])
    capacity = np.ones(6, dtype=np.int64)
    lines, classes = np.nonzero(listed)
    graph = CandidateGraph(starts, classes, listed[lines, classes], capacity, background, spread, density, 2)
    return graph, np.vstack([listed + np.outer(background, spread), density, density])


@pytest.mark.parametrize("seed", range(5))
def test_rows_not_listed_count_by_their_spread_and_strangers_by_their_density(seed):
    graph, weights = with_strangers(np.random.default_rng(seed))
    twin = weights.copy()
    for _ in range(500):
        twin /= twin.sum(axis=0, keepdims=True)
        twin /= twin.sum(axis=1, keepdims=True)
    lines = np.repeat(np.arange(4), np.diff(graph.starts))
    of_list = graph.weights / weights[lines, graph.classes]
    assert balanced_shares(graph, rounds=500) == pytest.approx((twin[lines, graph.classes] * of_list), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_so_does_the_chain(seed):
    graph, weights = with_strangers(np.random.default_rng(seed))
    exact, samples = exact_posterior(weights), 20_000
    lines = np.repeat(np.arange(4), np.diff(graph.starts))
    expected = exact[lines, graph.classes] * graph.weights / weights[lines, graph.classes]
    found = sample_matchings(graph, samples, np.random.default_rng(1)).posterior
    error = np.sqrt(expected * (1 - expected) / samples)
    assert (np.abs(found - expected) < 6 * error + 1e-3).all()  # samples that follow each other are alike
