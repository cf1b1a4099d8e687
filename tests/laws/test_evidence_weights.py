"""The weight of each block, as own trials show it: a conditional logit, here beside its definition."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from sdckit.laws import evidence_weights as module
from sdckit.laws.blocks import Equality, Table
from sdckit.laws.evidence_weights import Judged, Trial, _fitted, _judged, _loss, _others, weighted, weights_of_blocks
from sdckit.laws.learned_equality import Unchanged

RNG = np.random.default_rng(1)


def table(entries: np.ndarray) -> Table:
    return Table(("x",), entries, np.arange(len(entries)), np.arange(entries.shape[1]))


def judged(records: int = 4, rows: int = 3, blocks: int = 2, seed: int = 0) -> Judged:
    lifts = np.random.default_rng(seed).standard_normal((blocks, records, rows))
    again = np.zeros((records, rows))
    again[0, 2] = -np.inf
    return Judged(lifts, again)


def test_the_loss_is_that_of_a_conditional_logit():
    parts, weights, first = [judged(), judged(3, 4, seed=5)], np.array([0.7, 1.3]), np.array([1.0, 0.5])
    total = 0.0
    for lifts, again in parts:
        for record in range(lifts.shape[1]):
            score = weights @ lifts[:, record] + again[record]
            total -= score[0] - np.log(np.exp(score).sum())
    expected = (total + 0.5 * 2.0 * ((weights - first) ** 2).sum()) / 7
    value, slope = _loss(weights, parts, first, 2.0)
    assert value == pytest.approx(expected)
    assert slope == pytest.approx(approx_fprime(weights, lambda each: _loss(each, parts, first, 2.0)[0]), abs=1e-5)
    far = [Judged(1e4 * parts[0].lifts, parts[0].again)]
    assert np.isfinite(_loss(weights, far, first, 0.0)[0])
    assert _loss(weights, [], first, 0.0)[0] == 0.0
    alone = judged(1, 3)
    score = weights @ alone.lifts[:, 0] + alone.again[0]
    assert _loss(weights, [alone], first, 0.0)[0] == pytest.approx(np.log(np.exp(score).sum()) - score[0])


def test_fitted_weights_are_those_of_the_least_loss_and_not_negative():
    parts, first = [judged(40, 5, 2, seed=3)], np.array([1.0, 0.0])
    parts[0].lifts[:, :, 0] += np.array([[0.7], [-0.3]])  # the own row has more of the first, and less of the second
    found = _fitted(parts, first)
    best = _loss(found, parts, first, 1.0)[0]
    assert (found >= 0).all()
    slope = _loss(found, parts, first, 1.0)[1]
    assert found[0] > 0 == found[1] and abs(slope[0]) < 1e-4 and slope[1] > 0  # with a ridge of one record
    for other in np.abs(found + 0.05 * RNG.standard_normal((30, 2))):
        assert best <= _loss(other, parts, first, 1.0)[0] + 1e-9


def test_every_other_record_is_a_half():
    whole = judged(5)
    assert np.array_equal(whole.half(0).lifts, whole.lifts[:, [0, 2, 4]])
    assert np.array_equal(whole.half(1).again, whole.again[[1, 3]])


def informative(strength: float, records: int = 120) -> Trial:
    """A block that says of each record which row is its own, and one that says nothing true."""
    own = strength * np.eye(records) + 0.01 * RNG.standard_normal((records, records))
    return Trial([table(own), table(RNG.standard_normal((records, records)))], np.arange(records))


def test_a_block_that_says_something_counts_and_one_that_says_nothing_does_not():
    found = weights_of_blocks([informative(1.0)], np.array([1.0, 1.0]), np.random.default_rng(1))
    assert found[0] > 2 and found[1] < 0.3


def test_where_blocks_are_worse_than_guessing_none_counts():
    wrong = Trial([table(-4.0 * np.eye(60) + RNG.standard_normal((60, 60)))], np.arange(60))
    assert weights_of_blocks([wrong], np.array([1.0]), np.random.default_rng(1)).tolist() == [0.0]


def test_weights_stay_where_others_gain_little():
    """The own row is exp(1) as likely as any other, by its lift: the first weight is right."""
    rng = np.random.default_rng(3)
    lifts = np.log(rng.gamma(1.0, size=(200, 4)))
    chance = np.exp(lifts) / np.exp(lifts).sum(axis=1, keepdims=True)
    row_of = np.array([rng.choice(4, p=each) for each in chance])
    trial = Trial([table(lifts)], row_of)
    assert weights_of_blocks([trial], np.array([1.0]), np.random.default_rng(1)).tolist() == [1.0]


def test_one_half_of_the_records_judges_what_the_other_gives(monkeypatch):
    """All of them are fitted on where that gains something."""
    fitted_on, judged_by, gains = [], [], []

    def fitted(parts, first):
        fitted_on.append([each.lifts.shape[1] for each in parts])
        return 2 * first

    def loss(weights, parts, first, ridge):
        judged_by.append(([each.lifts.shape[1] for each in parts], ridge, weights.tolist()))
        return float(-weights.sum()) * gains[-1], None

    monkeypatch.setattr(module, "_fitted", fitted)
    monkeypatch.setattr(module, "_loss", loss)
    trial = Trial([table(np.eye(5))], np.arange(5))
    for gain, expected in ((0.02, 2.0), (0.01, 1.0), (-0.02, 0.0)):
        gains.append(gain)
        fitted_on.clear()
        judged_by.clear()
        assert weights_of_blocks([trial], np.array([1.0]), np.random.default_rng(1)).tolist() == [expected]
        assert fitted_on[0] == [3] and judged_by == [([2], 0.0, [0.0]), ([2], 0.0, [1.0]), ([2], 0.0, [2.0])]
        assert fitted_on[1:] == ([[5]] if expected == 2 else [])


def test_without_any_record_to_judge_the_first_weights_stay():
    first = np.array([1.0, 0.0])
    nobody = Trial([table(np.ones((2, 2)))] * 2, np.array([-1, -1]))
    one_row = Trial([table(np.ones((2, 1)))] * 2, np.array([0, -1]))
    assert weights_of_blocks([nobody, one_row], first, np.random.default_rng(1)) is first
    assert _judged(nobody, np.random.default_rng(1)).lifts.shape == (2, 0, 0)
    two_rows = Trial([table(np.ones((2, 2)))], np.array([1, -1]))
    assert _judged(two_rows, np.random.default_rng(1)).lifts.shape == (1, 1, 3)


def test_records_are_judged_beside_other_rows_their_own_first(monkeypatch):
    entries = np.arange(12.0).reshape(4, 3)
    trial = Trial([table(entries)], np.array([2, -1, 0, 2]))
    found = _judged(trial, np.random.default_rng(1))
    assert found.lifts.shape == (1, 3, 4)
    own = {4.0 * 0 + 2: 0, 6.0: 2, 11.0: 3}
    for line, again in zip(found.lifts[0], found.again, strict=True):
        record = own[line[0]]
        assert line[1:].tolist() == entries[record].tolist()
        row = trial.row_of[record]
        assert again.tolist() == [0.0, *(-np.inf if each == row else 0.0 for each in range(3))]
    monkeypatch.setattr(module, "RECORDS", 2)
    assert _judged(trial, np.random.default_rng(1)).lifts.shape == (1, 2, 4)


def test_rows_that_are_compared_are_some_of_many(monkeypatch):
    trial = Trial([], np.array([4, 0]))
    assert _others(trial, np.array([0, 1]), 5, RNG).tolist() == [[0, 1, 2, 3, 4]] * 2
    monkeypatch.setattr(module, "ROWS", 3)
    found = _others(trial, np.array([0, 1]), 5, RNG)
    assert found.shape == (2, 3) and found[0].tolist() == found[1].tolist() == sorted(set(found[0].tolist()))


def test_rows_with_other_unchanged_values_are_not_compared(monkeypatch):
    """Record 0 has the code of rows 1, 2 and 4, record 1 that of row 0; what is lacking is its own."""
    of_record, of_row = np.array([7, 3, 9]), np.array([3, 7, 7, 8, 7])
    trial = Trial([], np.array([2, 0, 3]), (of_record, of_row))
    assert _others(trial, np.array([0, 1]), 5, RNG).tolist() == [[1, 2, 4], [0, 0, 0]]
    assert _others(trial, np.array([2]), 5, RNG).tolist() == [[3]]
    monkeypatch.setattr(module, "ROWS", 2)
    some = _others(trial, np.array([0]), 5, RNG)
    assert some.shape == (1, 2) and set(some[0].tolist()) < {1, 2, 4}
    monkeypatch.setattr(module, "ROWS", 3)
    assert _others(trial, np.array([0]), 5, RNG).tolist() == [[1, 2, 4]]


def test_a_weight_multiplies_what_a_block_says():
    block = table(np.array([[1.0, 2.0]]))
    (twice,) = weighted(block, 2.0)
    assert twice.entries.tolist() == [[2.0, 4.0]]
    equality = Equality(("x",), np.array([0]), np.array([0, 1]), np.array([-1.0, -2.0]))
    same = weighted(Unchanged(equality, block), 0.5)
    assert same[0].unequal.tolist() == [-0.5, -1.0] and same[1].entries.tolist() == [[0.5, 1.0]]
