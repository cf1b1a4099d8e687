"""Lists of candidates, balancing and the chain agree with a twin that computes every pair in NumPy."""

import numpy as np
import pytest

from sdckit.intruder import AttackerView, Intruder
from sdckit.laws.inference import inferred
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import ReleaseLaw
from sdckit.matching.chain import Chain
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares
from sdckit.release import protect
from sdckit.testing.files import a_file

RECORDS = 150
NAMES = ("age", "yearly income", "rent", "grade", "town")
RECIPES = ("additive-noise:variance_share=0.5", "rank-swapping:window=0.2", "pram", "mdav")


@pytest.fixture(scope="module", params=RECIPES)
def case(request) -> tuple[AttackerView, ReleaseLaw, np.ndarray]:
    """A view, its law, and the log-likelihood of every pair of a record and a row."""
    view = Intruder(NAMES).view(protect(a_file(RECORDS, seed=7), request.param, seed=3))
    law = informed_law(view, np.random.default_rng(1))
    records, rows = np.divmod(np.arange(RECORDS * RECORDS), RECORDS)
    total = sum(law.of_pairs(records, law.rows.of[rows]).values())
    return view, law, np.asarray(total).reshape(RECORDS, RECORDS)


def full_graph(law: ReleaseLaw) -> CandidateGraph:
    found = law.candidates(RECORDS)
    assert (found.left_out == 0).all()
    return CandidateGraph.of(found.starts, found.classes, found.log_likelihood, law.rows.sizes)


def by_row(graph: CandidateGraph, law: ReleaseLaw, of_edge: np.ndarray) -> np.ndarray:
    """Shares of classes as shares of single rows."""
    table = np.zeros((graph.records, len(graph.capacity)))
    record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
    table[record_of, graph.classes] = of_edge / graph.capacity[graph.classes]
    return table[:, law.rows.of]


def test_row_wise_shares_are_those_of_the_whole_table(case):
    _, law, table = case
    graph = full_graph(law)
    record_of = np.repeat(np.arange(RECORDS), np.diff(graph.starts))
    weights = graph.weights * graph.capacity[graph.classes]
    shares = weights / np.bincount(record_of, weights=weights)[record_of]
    twin = np.exp(table - table.max(axis=1, keepdims=True))
    twin /= twin.sum(axis=1, keepdims=True)
    assert by_row(graph, law, shares) == pytest.approx(twin, abs=1e-6)


def test_balanced_shares_are_those_of_the_whole_table(case):
    _, law, table = case
    twin = np.exp(table - table.max(axis=1, keepdims=True))
    for _ in range(50):
        twin /= twin.sum(axis=1, keepdims=True)
        twin /= twin.sum(axis=0, keepdims=True)
    twin /= twin.sum(axis=1, keepdims=True)
    graph = full_graph(law)
    assert by_row(graph, law, balanced_shares(graph, 50)) == pytest.approx(twin, abs=1e-6)


def test_short_lists_leave_out_what_the_whole_table_has_besides(case):
    _, law, table = case
    found = law.candidates(10)
    of_class = np.exp(table[:, law.rows.first] - table.max(axis=1, keepdims=True))
    ordered = -np.sort(-of_class, axis=1)
    assert found.left_out == pytest.approx(ordered[:, 10:].sum(axis=1) / ordered.sum(axis=1), abs=1e-9)


def swap_chain(log_weights: np.ndarray, sweeps: int, rng: np.random.Generator) -> np.ndarray:
    """Shares of matched pairs, by a plain Metropolis chain of exchanges, a sample after each sweep, in ten parts."""
    count = len(log_weights)
    row_of = np.arange(count)  # the true matching: every recipe here leaves it possible
    parts = np.zeros((10, count, count))
    lines = np.arange(count)
    for sweep in range(-200, sweeps):
        for one, other, level in zip(
            rng.integers(0, count, count), rng.integers(0, count, count), np.log(rng.random(count)), strict=True
        ):
            now = log_weights[one, row_of[one]] + log_weights[other, row_of[other]]
            if log_weights[one, row_of[other]] + log_weights[other, row_of[one]] - now > level:
                row_of[one], row_of[other] = row_of[other], row_of[one]
        if sweep >= 0:
            parts[sweep * 10 // sweeps, lines, row_of] += 10 / sweeps
    return parts


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.2, 1.0])
def test_the_chain_agrees_with_a_plain_chain_of_exchanges(share):
    count = 60
    release = protect(a_file(count, seed=8), f"additive-noise:variance_share={share}", NAMES[:3], seed=3)
    law = informed_law(Intruder(NAMES[:3]).view(release), np.random.default_rng(1))
    records, rows = np.divmod(np.arange(count * count), count)
    table = np.asarray(sum(law.of_pairs(records, law.rows.of[rows]).values())).reshape(count, count)
    parts = swap_chain(table, 20_000, np.random.default_rng(4))
    found = law.candidates(count)
    graph = CandidateGraph.of(found.starts, found.classes, found.log_likelihood, law.rows.sizes)
    ours = np.array(
        [by_row(graph, law, Chain(graph, np.random.default_rng(seed)).sample(3000).posterior) for seed in range(10)]
    )
    error = np.sqrt(parts.var(axis=0, ddof=1) / 10 + ours.var(axis=0, ddof=1) / 10)
    gaps = np.abs(parts.mean(axis=0) - ours.mean(axis=0)) / np.maximum(error, 1e-3)
    assert np.quantile(gaps, 0.999) < 5  # ten parts each: Student's tails
    assert np.mean(gaps > 3) < 0.02


def test_the_whole_inference_is_a_posterior(case):
    view, law, _ = case
    inference = inferred(view, law, np.random.default_rng(1))
    sums = by_row(inference.posterior.graph, law, inference.posterior.probability).sum(axis=1)
    assert (sums <= 1 + 1e-9).all()
    assert sums.mean() == pytest.approx(1, abs=0.01)  # the rest is background: rows that the law holds for impossible
    assert (inference.confidence <= 1 + 1e-9).all()
