"""What an intruder concludes, judged by the true rows."""

import numpy as np
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.blocks import Table
from sdckit.laws.inference import Inference, inferred, whole_graph
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import ReleaseLaw, RowClasses
from sdckit.matching.posterior import Posterior
from sdckit.release import protect
from sdckit.testing.files import a_file


def test_a_claim_is_correct_as_often_as_a_row_of_its_class_is_the_true_one():
    release = protect(a_file(40, coarse=True).only(["age", "grade", "town"]), "pram", ["town"], seed=1)
    view, rng = Intruder().view(release, seed=1), np.random.default_rng(1)
    found = inferred(view, informed_law(view, rng), rng)
    for truth in (np.arange(40), rng.permutation(40), np.where(np.arange(40) % 3 == 0, -1, np.arange(40))):
        of = found.law.rows.of
        expected = [
            np.mean(np.flatnonzero(of == claimed) == row) if claimed >= 0 and row >= 0 else 0.0
            for claimed, row in zip(found.claimed, truth, strict=True)
        ]
        assert found.correct(truth) == pytest.approx(expected)
        assert 0 < np.mean(expected) < 1


def test_where_no_row_is_possible_for_anybody_nobody_is_claimed():
    rows = RowClasses(np.arange(2), np.ones(2, np.int64), np.arange(2))
    nothing = Table(("town",), np.full((1, 2), -np.inf), np.zeros(2, np.int64), np.arange(2))
    graph, _ = whole_graph(ReleaseLaw(2, rows, (nothing,), {}), 2, 0, 2)
    empty = np.empty(0)
    found = Posterior(graph, empty, (empty, empty), (0.0, 0.0), 0)
    none, zero = np.full(2, -1), np.zeros(2)
    inference = Inference(
        ReleaseLaw(2, rows, (nothing,), {}), found, np.arange(2), np.arange(2), none, zero, zero, zero, zero
    )
    assert inference.claimed.tolist() == [-1, -1]
    assert inference.correct(np.arange(2)).tolist() == [0.0, 0.0]
