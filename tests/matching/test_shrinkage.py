"""Few matchings, shrunk towards a closed approximation, give posteriors as near as many do."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.matching import shrinkage
from sdckit.matching.chain import Chain
from sdckit.matching.enumeration import exact_posterior
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import posterior
from sdckit.matching.shrinkage import Approximation
from sdckit.matching.sinkhorn import balanced_shares
from tests.matching.test_walks import random_graph

EXPONENTS = np.arange(11) / 5


def full_graph(weights: np.ndarray) -> CandidateGraph:
    count = len(weights)
    edges = np.tile(np.arange(count), count)
    return CandidateGraph.of(np.arange(count + 1) * count, edges, np.log(weights).ravel(), np.ones(count, np.int64))


def halves_of(graph: CandidateGraph, samples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    one, other = (Chain(graph, np.random.default_rng((seed, chain))).sample(samples).posterior for chain in (0, 1))
    return one, other


@pytest.mark.parametrize("shape", [0.3, 3.0])
def test_few_matchings_are_improved(shape):
    errors = []
    for seed in range(6):
        weights = np.random.default_rng(seed).gamma(shape, size=(12, 12)) + 1e-3
        graph, exact = full_graph(weights), exact_posterior(weights).ravel()
        halves = halves_of(graph, 40, seed)
        shrunk, _ = Approximation(graph).shrunk(halves)
        errors.append([((each - exact) ** 2).sum() for each in (shrunk, (halves[0] + halves[1]) / 2)])
    improved, raw = np.mean(errors, axis=0)
    assert improved < 0.5 * raw


def test_estimates_that_agree_are_not_moved():
    """Both chains found the same, which the approximation would not: chance does not explain the difference."""
    graph = full_graph(np.random.default_rng(1).gamma(1.0, size=(10, 10)))
    certain = np.eye(10).ravel()
    both, halves = Approximation(graph).shrunk((certain, certain))
    assert both == pytest.approx(certain)
    assert halves[0] == pytest.approx(certain)


def test_the_shares_of_a_record_and_of_a_row_sum_to_one():
    graph = full_graph(np.random.default_rng(2).gamma(0.5, size=(20, 20)) + 1e-3)
    table = posterior(graph, np.random.default_rng(3)).probability.reshape(20, 20)
    assert table.sum(axis=0) == pytest.approx(np.ones(20), abs=1e-3)
    assert table.sum(axis=1) == pytest.approx(np.ones(20), abs=1e-3)


def test_the_bracket_contains_what_a_long_chain_expects():
    graph = full_graph(np.random.default_rng(4).gamma(0.3, size=(30, 30)) + 1e-3)
    result = posterior(graph, np.random.default_rng(5))
    shares = Chain(graph, np.random.default_rng(6)).sample(20_000).posterior.reshape(30, 30)
    low, high = result.bracket
    assert low - 0.02 <= shares.max(axis=1).mean() <= high + 0.02


def test_estimates_that_differ_by_chance_alone_are_moved_all_the_way():
    """They lie on opposite sides of the approximation, which leaves nothing for both to have found."""
    graph = full_graph(np.random.default_rng(1).gamma(1.0, size=(10, 10)))
    near = Approximation(graph)
    error = 0.05 * np.random.default_rng(2).standard_normal(100)
    both, halves = near.shrunk((near.shares + error, near.shares - error))
    for found in (both, *halves):
        assert found == pytest.approx(near.shares, abs=1e-3)


def fitted_exponent(graph: CandidateGraph, shares: np.ndarray, mean: np.ndarray, records: list[int]) -> float:
    """The exponent with the least squared distance, and the lowest point of the parabola through its neighbours."""
    gaps = []
    for exponent in EXPONENTS:
        gap = 0.0
        for record in records:
            own = slice(graph.starts[record], graph.starts[record + 1])
            rest = np.maximum(1 - shares[own] / graph.capacity[graph.classes[own]], 1e-9)
            weight = shares[own] * rest**-exponent
            elsewhere = max(1 - shares[own].sum(), 0.0)
            gap += ((weight / max(weight.sum() + elsewhere, 1e-300) - mean[own]) ** 2).sum()
        gaps.append(gap)
    best = int(np.argmin(gaps))
    if best in (0, len(EXPONENTS) - 1):
        return EXPONENTS[best]
    bend, lowest, _ = np.polyfit([-1, 0, 1], gaps[best - 1 : best + 2], 2)
    return EXPONENTS[best] + 0.2 * (-lowest / (2 * bend) if bend > 0 else 0.0)


@pytest.mark.parametrize("sampled", [500, 3])
def test_the_exponent_is_that_of_the_nearest_approximation(sampled, monkeypatch):
    monkeypatch.setattr(shrinkage, "FITTED", sampled)
    inside = 0
    for seed in range(12):
        graph = random_graph(seed) if seed % 2 else full_graph(np.random.default_rng(seed).gamma(1.0, size=(5, 5)))
        near = Approximation(graph)
        rest = np.maximum(1 - near.shares / graph.capacity[graph.classes], 1e-9)
        mean = near.shares / rest ** (0.2 * seed)
        mean /= np.repeat(
            np.maximum(np.add.reduceat(np.append(mean, 0), graph.starts[:-1]), 1.0), np.diff(graph.starts)
        )
        count = min(graph.records, sampled)
        records = sorted(set(np.linspace(0, graph.records - 1, count).astype(int).tolist()))
        expected = fitted_exponent(graph, near.shares, mean, records)
        assert near._fitted(mean) == pytest.approx(expected, abs=1e-6)
        inside += 0 < expected < 2
    assert inside > 2


def test_records_are_grouped_by_their_largest_share(monkeypatch):
    """Of seven records in groups of two at least, three groups; a record without a list has the share 0."""
    monkeypatch.setattr(shrinkage, "IN_GROUP", 2)
    graph = full_graph(np.random.default_rng(1).gamma(0.5, size=(7, 7)) + 1e-3)
    near = Approximation(graph)
    largest = near.shares.reshape(7, 7).max(axis=1)
    limits = np.quantile(largest, [1 / 3, 2 / 3])
    assert near._groups().tolist() == [int((limits < each).sum()) for each in largest]
    monkeypatch.setattr(shrinkage, "GROUPS", 2)
    assert near._groups().tolist() == [int(np.median(largest) < each) for each in largest]
    monkeypatch.setattr(shrinkage, "IN_GROUP", 8)
    assert near._groups().tolist() == [0] * 7


@pytest.mark.parametrize("seed", range(8))
def test_estimates_are_shrunk_as_far_as_their_variance_explains(seed, monkeypatch):
    """By hand: the approximation with the fitted exponent, and the share of what both chains have in common."""
    monkeypatch.setattr(shrinkage, "IN_GROUP", 2)
    rng = np.random.default_rng(seed)
    graph = full_graph(rng.gamma(0.5, size=(5, 5)) + 1e-2) if seed % 2 else random_graph(seed)
    near = Approximation(graph)
    if not len(graph.classes):
        return
    halves = tuple(near.shares + 0.1 * rng.standard_normal(len(near.shares)) for _ in range(2))
    mean = (halves[0] + halves[1]) / 2
    rest = np.maximum(1 - near.shares / graph.capacity[graph.classes], 1e-9)
    rounds = int(np.clip(10_000_000 / len(graph.classes), 30, 500))
    centre = balanced_shares(replace(graph, weights=graph.weights * rest ** -near._fitted(mean)), rounds)
    group = near._groups()[np.repeat(np.arange(graph.records), np.diff(graph.starts))]
    joint, (one, other) = near.shrunk(halves)
    for number in set(group.tolist()):
        own = group == number
        common = max(((halves[0] - centre) * (halves[1] - centre))[own].sum(), 0.0)
        noise = ((halves[0] - halves[1]) ** 2)[own].sum() / 4
        for found, estimate, variance in (
            (joint, mean, noise),
            (one, halves[0], 2 * noise),
            (other, halves[1], 2 * noise),
        ):
            expected = centre + common / (common + variance) * (estimate - centre)
            assert found[own] == pytest.approx(expected[own])


def test_large_graphs_are_balanced_in_fewer_rounds(monkeypatch):
    graph = full_graph(np.ones((3, 3)))
    for budget, rounds in ((1, 30), (9 * 77, 77), (10**9, 500)):
        monkeypatch.setattr(shrinkage, "BALANCED", budget)
        assert Approximation(graph)._rounds == rounds
