"""Few matchings, shrunk towards a closed approximation, give posteriors as near as many do."""

import numpy as np
import pytest

from sdckit.matching.chain import Chain
from sdckit.matching.enumeration import exact_posterior
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import posterior
from sdckit.matching.shrinkage import Approximation


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
