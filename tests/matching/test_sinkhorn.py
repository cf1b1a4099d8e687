"""Balancing changes no posterior, and the balanced shares are those of a dense Sinkhorn iteration."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.matching.chain import sample_matchings
from sdckit.matching.enumeration import exact_posterior
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced, balanced_shares, factors
from tests.matching.test_chain import dense, graph_of
from tests.matching.test_walks import random_graph


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


def twin_factors(graph: CandidateGraph, expected: np.ndarray, strangers: int, absences: float, rounds: int):
    """Persons and classes scaled in turn, in a matrix of all of them: classes begin with what is expected of them."""
    listed = np.zeros((graph.records, len(graph.capacity)))
    lines = np.repeat(np.arange(graph.records), np.diff(graph.starts))
    np.add.at(listed, (lines, graph.classes), graph.weights)
    known = listed + np.outer(graph.background, graph.spread)
    of_class, of_absence = expected.astype(float), 1.0
    for _ in range(rounds):
        nowhere = graph.absence * of_absence if absences > 0 else 0.0
        total = known @ of_class + nowhere
        of_person = 1 / np.where(total > 0, total, 1.0)
        of_stranger = 1 / (graph.density @ of_class + nowhere)
        taken = of_person @ known + strangers * of_stranger * graph.density
        of_class = np.where(taken > 0, expected / np.where(taken > 0, taken, 1.0), 1.0)
        if absences > 0:
            of_absence = absences / (graph.absence * (of_person.sum() + strangers * of_stranger))
    return of_class, of_absence


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_factors_are_those_of_a_twin_after_every_round(rounds):
    for seed in range(12):
        graph = random_graph(seed)
        if seed % 3 == 0:
            graph = replace(graph, background=np.zeros(graph.records), absence=0.5)
        expected = graph.capacity + 0.5
        for absences in (0, graph.absences, 1.5):
            found = factors(graph, expected, graph.strangers, absences, rounds)
            twin = twin_factors(graph, expected, graph.strangers, absences, rounds)
            assert found[0] == pytest.approx(twin[0]) and found[1] == pytest.approx(twin[1])


def test_a_balanced_graph_is_scaled_class_by_class():
    for seed in range(6):
        graph = replace(random_graph(seed), absence=0.5)
        of_class, of_absence = twin_factors(graph, graph.capacity, graph.strangers, graph.absences, 4)
        scaled = balanced(graph, 4)
        assert scaled.weights == pytest.approx(graph.weights * of_class[graph.classes])
        assert scaled.spread == pytest.approx(graph.spread * of_class)
        assert scaled.density == pytest.approx(graph.density * of_class)
        assert scaled.absence == pytest.approx(0.5 * of_absence)
        shares = balanced_shares(graph, 4)
        for record in range(graph.records):
            own = slice(graph.starts[record], graph.starts[record + 1])
            nowhere = scaled.absence if graph.absences > 0 else 0.0
            total = scaled.weights[own].sum() + graph.background[record] * scaled.spread.sum() + nowhere
            assert shares[own] == pytest.approx(scaled.weights[own] / total)


def test_a_record_without_any_option_and_a_class_that_nobody_takes():
    graph = CandidateGraph.of(np.array([0, 1, 1]), np.array([0]), np.zeros(1), np.array([1, 1]))
    of_class, of_absence = factors(graph, graph.capacity, 0, 0)
    assert of_class.tolist() == [1.0, 1.0] and of_absence == 1.0
    assert balanced_shares(graph).tolist() == [1.0]


@pytest.mark.parametrize("seed", range(5))
def test_so_does_the_chain(seed):
    graph, weights = with_strangers(np.random.default_rng(seed))
    exact, samples = exact_posterior(weights), 20_000
    lines = np.repeat(np.arange(4), np.diff(graph.starts))
    expected = exact[lines, graph.classes] * graph.weights / weights[lines, graph.classes]
    found = sample_matchings(graph, samples, np.random.default_rng(1)).posterior
    error = np.sqrt(expected * (1 - expected) / samples)
    assert (np.abs(found - expected) < 6 * error + 1e-3).all()  # samples that follow each other are alike
