"""What an intruder concludes, judged by the true rows."""

import numpy as np
import pytest

from sdckit.intruder import Intruder
from sdckit.laws import inference
from sdckit.laws.blocks import Table
from sdckit.laws.inference import Inference, inferred, whole_graph
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import ReleaseLaw, RowClasses
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import Posterior
from sdckit.release import protect
from sdckit.testing.files import a_file


def test_a_claim_is_correct_as_often_as_one_of_the_likeliest_rows_is_the_true_one():
    """A twin, record by record and row by row."""
    release = protect(a_file(40, coarse=True).only(["age", "grade", "town"]), "pram", ["town"], seed=1)
    view, rng = Intruder().view(release, seed=1), np.random.default_rng(1)
    found = inferred(view, informed_law(view, rng), rng)
    graph, of = found.posterior.graph, found.law.rows.of
    likely = np.zeros((40, 40))  # of each record (line) and row (column)
    for record in range(40):
        for edge in range(graph.starts[record], graph.starts[record + 1]):
            rows = np.flatnonzero(of == graph.classes[edge])
            likely[record, rows] = found.posterior.probability[edge] / len(rows)
    claimed = np.isclose(likely, likely.max(axis=1, keepdims=True), rtol=1e-9, atol=0) & (likely > 0)
    assert all(of[claimed[record]].min() <= found.claimed[record] <= of[claimed[record]].max() for record in range(40))
    for truth in (np.arange(40), rng.permutation(40), np.where(np.arange(40) % 3 == 0, -1, np.arange(40))):
        expected = [
            claimed[record, row] / claimed[record].sum() if row >= 0 else 0.0 for record, row in enumerate(truth)
        ]
        assert found.correct(truth) == pytest.approx(expected)
        assert 0 < np.mean(expected) < 1


def test_of_rows_that_are_equally_likely_one_is_claimed_at_random():
    """Two records and two rows that differ in the last bit of a number: whoever is whose row, half is found."""
    rows = RowClasses(np.arange(2), np.ones(2, np.int64), np.arange(2))
    equal = Table(("town",), np.zeros((1, 2)), np.zeros(2, np.int64), np.arange(2))
    law = ReleaseLaw(2, rows, (equal,), {})
    graph, _ = whole_graph(law, 2, 0, 2)
    half = np.full(4, 0.5)
    found = Posterior(graph, half, (half, half), (0.5, 0.5), 0)
    edge, zero = np.array([0, 2]), np.zeros(2)
    inference = Inference(law, found, np.arange(2), np.arange(2), edge, np.full(2, 0.5), zero, zero, zero)
    for truth in ([0, 1], [1, 0]):
        assert inference.correct(np.array(truth)).tolist() == [0.5, 0.5]
    assert inference.correct(np.array([0, -1])).tolist() == [0.5, 0.0]


@pytest.mark.parametrize(("least", "listed", "expected"), [(1, 3, 3), (3, 1, 3), (2, 2, 2), (1, 9, 4)])
def test_as_many_rows_are_listed_as_are_asked_for_and_no_fewer_than_usual(least, listed, expected, monkeypatch):
    monkeypatch.setattr(inference, "LISTED", least)
    rows = RowClasses(np.arange(4), np.ones(4, np.int64), np.arange(4))
    some = Table(("town",), np.log([[0.4, 0.3, 0.2, 0.1]]), np.zeros(4, np.int64), np.arange(4))
    graph, left_out = whole_graph(ReleaseLaw(4, rows, (some,), {}), 4, 0, listed)
    assert np.diff(graph.starts).tolist() == [expected] * 4
    assert left_out == pytest.approx(1 - np.cumsum([0.4, 0.3, 0.2, 0.1])[expected - 1], abs=1e-9)


def test_where_no_row_is_possible_for_anybody_nobody_is_claimed():
    rows = RowClasses(np.arange(2), np.ones(2, np.int64), np.arange(2))
    nothing = Table(("town",), np.full((1, 2), -np.inf), np.zeros(2, np.int64), np.arange(2))
    empty = np.empty(0)
    graph = CandidateGraph.of(np.zeros(3, np.int64), np.empty(0, np.int64), empty, rows.sizes, strangers=0)
    found = Posterior(graph, empty, (empty, empty), (0.0, 0.0), 0)
    none, zero = np.full(2, -1), np.zeros(2)
    inference = Inference(
        ReleaseLaw(2, rows, (nothing,), {}), found, np.arange(2), np.arange(2), none, zero, zero, zero, zero
    )
    assert inference.claimed.tolist() == [-1, -1]
    assert inference.correct(np.arange(2)).tolist() == [0.0, 0.0]
