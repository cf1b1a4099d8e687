"""The chain over matchings gives the posteriors that summing over all matchings gives."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from sdckit.matching import chain
from sdckit.matching.chain import _start, sample_matchings
from sdckit.matching.enumeration import exact_posterior
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import posterior

SAMPLES = 20_000


def graph_of(weights: np.ndarray, **values) -> CandidateGraph:
    """The graph with an edge for every positive weight."""
    edges = [np.flatnonzero(row) for row in weights]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in edges])])
    rows = np.concatenate(edges).astype(np.int64)
    logs = np.log(np.concatenate([row[each] for row, each in zip(weights, edges, strict=True)]))
    return CandidateGraph.of(starts, rows, logs, np.ones(weights.shape[1], dtype=np.int64), **values)


def dense(graph: CandidateGraph, values: np.ndarray) -> np.ndarray:
    out = np.zeros((graph.records, graph.row_count))
    for record in range(graph.records):
        edges = slice(graph.starts[record], graph.starts[record + 1])
        out[record, graph.classes[edges]] = values[edges]
    return out


def brute_force(weights: np.ndarray) -> np.ndarray:
    """By listing every permutation."""
    posterior = np.zeros_like(weights)
    for order in permutations(range(len(weights))):
        weight = np.prod([weights[i, r] for i, r in enumerate(order)])
        for i, r in enumerate(order):
            posterior[i, r] += weight
    return posterior / posterior[0].sum()


def test_enumeration_agrees_with_listing_every_permutation():
    weights = np.random.default_rng(1).gamma(0.5, size=(6, 6))
    assert exact_posterior(weights) == pytest.approx(brute_force(weights))


def test_enumeration_of_two_by_hand():
    assert exact_posterior(np.array([[2.0, 1.0], [1.0, 3.0]])) == pytest.approx(
        np.array([[6 / 7, 1 / 7], [1 / 7, 6 / 7]])
    )


@settings(max_examples=15)
@given(st.integers(2, 7), st.integers(0, 10**6))
def test_the_chain_agrees_with_enumeration(count, seed):
    rng = np.random.default_rng(seed)
    weights = rng.gamma(0.5, size=(count, count)) + 1e-3
    graph = graph_of(weights)
    found = dense(graph, sample_matchings(graph, SAMPLES, rng).posterior)
    assert found == pytest.approx(exact_posterior(weights), abs=0.03)


def test_matchings_that_no_exchange_connects_are_both_reached():
    """Records (1,1),(1,2),(2,2),(2,1) and rows (∗,1),(1,∗),(∗,2),(2,∗): two perfect matchings, no swap joins them."""
    weights = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]], dtype=float)
    graph = graph_of(weights)
    found = dense(graph, sample_matchings(graph, SAMPLES, np.random.default_rng(3)).posterior)
    assert found == pytest.approx(weights / 2, abs=0.02)


def test_a_background_reaches_rows_that_are_not_listed():
    weights = np.array([[1.0, 0.0], [1.0, 0.0]])
    graph = graph_of(weights, background=0.1)
    result = sample_matchings(graph, SAMPLES, np.random.default_rng(4))
    full = weights + 0.1
    assert dense(graph, result.posterior)[0, 0] == pytest.approx(
        (exact_posterior(full)[0, 0]) * 1.0 / 1.1, abs=0.02
    )  # the share of the listed edge in the weight 1.1 of that row
    assert result.counts.sum() + result.elsewhere.sum() == pytest.approx(2 * SAMPLES)


def test_no_matching_at_all_is_refused():
    with pytest.raises(ValueError, match="promised zero"):
        sample_matchings(graph_of(np.array([[1.0, 0.0], [1.0, 0.0]])), 10, np.random.default_rng(1))


@pytest.mark.parametrize(("known", "strangers", "rows"), [(4, 0, 3), (3, 0, 1), (2, 2, 3), (3, 2, 3), (1, 3, 2)])
def test_absences_and_strangers_weigh_as_all_ways_to_fill_the_rows(known, strangers, rows):
    """A matching of M pairs has the weight S! / (S − m + M)! · Π ℓ(r | x) / g(r), S strangers, m rows."""
    rng = np.random.default_rng(known * 100 + strangers * 10 + rows)
    weights = rng.gamma(1.0, size=(known, rows))
    people = known + strangers
    full = np.ones((people, people))
    full[:known, :rows] = weights
    graph = graph_of(weights, strangers=strangers)
    found = dense(graph, sample_matchings(graph, SAMPLES, rng).posterior)
    assert found == pytest.approx(exact_posterior(full)[:known, :rows], abs=0.03)


def test_the_same_seed_gives_the_same_posterior():
    graph = graph_of(np.random.default_rng(1).gamma(0.5, size=(30, 30)) + 1e-3)
    one, other = (sample_matchings(graph, 50, np.random.default_rng(7)).counts for _ in range(2))
    assert np.array_equal(one, other)


def test_a_class_of_equal_rows_is_as_many_single_rows():
    weights = np.random.default_rng(3).gamma(0.5, size=(7, 3)) + 1e-2
    capacity = np.array([1, 4, 2])
    single = exact_posterior(np.repeat(weights, capacity, axis=1))
    expected = np.stack([single[:, :1].sum(1), single[:, 1:5].sum(1), single[:, 5:].sum(1)], axis=1)
    edges = np.tile(np.arange(3), 7)
    graph = CandidateGraph.of(np.arange(8) * 3, edges, np.log(weights).ravel(), capacity)
    result = sample_matchings(graph, SAMPLES, np.random.default_rng(5))
    assert result.posterior.reshape(7, 3) == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize(("strangers", "capacity"), [(2, (2, 3)), (3, (1, 4)), (2, (2, 2)), (0, (1, 1)), (4, (3, 1))])
def test_free_rows_of_a_class_are_those_of_strangers(strangers, capacity):
    """Everybody has a row or an absence; a stranger's likelihood of a row is the density of its class."""
    rng = np.random.default_rng(strangers)
    known, people = 3, 3 + strangers
    weights, density = rng.gamma(1.0, size=(known, 2)), np.array([0.4, 1.6])
    full = np.ones((people, people))
    full[:known, : sum(capacity)] = np.repeat(weights, capacity, axis=1)
    full[known:, : sum(capacity)] = np.repeat(density, capacity)
    single = exact_posterior(full)[:known]
    expected = np.stack([single[:, : capacity[0]].sum(1), single[:, capacity[0] : sum(capacity)].sum(1)], axis=1)
    graph = CandidateGraph.of(
        np.arange(4) * 2, np.tile(np.arange(2), 3), np.log(weights).ravel(), np.array(capacity), strangers=strangers
    )
    if people == sum(capacity):  # weights are then relative to the largest of each record
        assert graph.absences == 0
    found = sample_matchings(replace(graph, density=density), SAMPLES, rng).posterior.reshape(3, 2)
    assert found == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("records", [2, 60])
def test_where_nobody_has_a_possible_row_nobody_is_found(records):
    found = posterior(graph_of(np.zeros((records, records)), background=0.01), np.random.default_rng(0))
    assert found.probability.size == 0


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("capacity", [1, 2])
@pytest.mark.parametrize("seed", range(10))
def test_a_chain_starts_from_as_many_edges_as_a_matching_can_have(seed, capacity, compiled, monkeypatch):
    """Rows that several records want are given away along paths of any length."""
    monkeypatch.setattr(chain, "compiled_or_not", lambda kernel, _: kernel if compiled else kernel.py_func)
    rng = np.random.default_rng(seed)
    count, groups = 24, 24 // capacity
    listed = [np.sort(rng.choice(groups, size=rng.integers(1, 4), replace=False)) for _ in range(count)]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in listed])])
    edges = np.concatenate(listed)
    graph = CandidateGraph.of(
        starts, edges, rng.standard_normal(len(edges)), np.full(groups, capacity, dtype=np.int64), background=0.1
    )
    rows = csr_matrix(
        (np.ones(len(edges)), (np.repeat(np.arange(count), np.diff(starts)), edges)), (count, groups)
    ).toarray()
    most = maximum_bipartite_matching(csr_matrix(np.repeat(rows, capacity, axis=1)), "column")
    slot_of, edge_of = _start(graph, rng)
    assert sorted(slot_of) == list(range(count))
    assert (edge_of >= 0).sum() == (most >= 0).sum()
    own = np.flatnonzero(edge_of >= 0)
    assert (graph.classes[edge_of[own]] == slot_of[own] // capacity).all()
    assert ((starts[own] <= edge_of[own]) & (edge_of[own] < starts[own + 1])).all()


def test_walks_that_are_taken_back_leave_a_matching():
    """On a cycle, a walk that goes far round it takes more moves than are allowed."""
    count = 80
    around = np.sort(np.stack([np.arange(count), (np.arange(count) + 1) % count], axis=1), axis=1).ravel()
    graph = CandidateGraph.of(
        2 * np.arange(count + 1), around, np.zeros(2 * count), np.ones(count, np.int64), background=0.0
    )
    found = sample_matchings(graph, 100, np.random.default_rng(2))
    assert dense(graph, found.counts).sum(axis=0) == pytest.approx(100)
    assert dense(graph, found.counts).sum(axis=1) == pytest.approx(100)
