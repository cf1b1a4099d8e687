"""The parts of what explains a release, each beside its definition on a few rows."""

from itertools import pairwise, product

import numpy as np
import pytest

from sdckit.laws import explanations as module
from sdckit.laws.agreement import Agreement
from sdckit.laws.explanations import (
    Evidence,
    _apart,
    _Compared,
    _fitted,
    _log_before,
    _often_best,
    _Pairs,
    likeliest_explanation,
)
from sdckit.laws.release_law import RowClasses
from sdckit.laws.unchanged import Unchanged

POWERS = (1.0, 0.5, 0.25, 0.1, 0.0)
PAIRS = _Pairs(np.array([0, 0, 1]), np.array([0, 1, 2]), np.array([1.0, 0.0, 2.0]))


def test_shares_of_mixtures_are_fitted_together():
    """Of a row, each record counts by the product of what all mixtures say of it."""
    rng = np.random.default_rng(1)
    lifts = [rng.gamma(1.0, size=(2, 3)), rng.gamma(1.0, size=(3, 3))]
    first = [np.array([0.25, 0.75]), np.array([0.5, 0.25, 0.25])]
    shares = list(first)
    for _ in range(15):
        mixtures = [share @ each for share, each in zip(shares, lifts, strict=True)]
        both = mixtures[0] * mixtures[1]
        totals = np.array([both[0] + both[1] + 1, both[0] + both[1] + 1, both[2]])
        for number in (0, 1):
            counted = shares[number] * (lifts[number] * (both / totals / mixtures[number])).sum(axis=1)
            new = counted + 3.0 * first[number]
            shares[number] = new / new.sum()
    assert [each.tolist() for each in _fitted(lifts, first, 3.0, PAIRS)] == [
        pytest.approx(each.tolist()) for each in shares
    ]


def test_sets_apart_have_no_column_in_common():
    assert _apart([(0, 1), (1, 2), (2, 3), (4,)]) == [(0, 1), (2, 3), (4,)]
    assert _apart([]) == []


def test_one_explanation_is_certain_and_ties_are_shared():
    assert _often_best(np.zeros((1, 3)), np.zeros(1), np.random.default_rng(1)).tolist() == [1.0]
    rows, before = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [1.0, 0.0, 2.0]]), np.array([0.0, 0.5, 0.0])
    times = np.random.default_rng(1).multinomial(3, np.full(3, 1 / 3), 400)
    expected = np.zeros(3)
    for drawn in times:
        totals = rows @ drawn + before
        best = np.flatnonzero(totals == totals.max())
        expected[best] += 1 / len(best) / 400
    assert _often_best(rows, before, np.random.default_rng(1)) == pytest.approx(expected)


@pytest.mark.parametrize("share", [0.2, 0.7])
def test_what_says_nothing_of_many_rows_costs_its_cross_entropy(share):
    """Ten observations with the expected share of a tenth, beside their largest likelihood."""
    expected = 10 * (0.1 * np.log(share / 0.1) + 0.9 * np.log((1 - share) / 0.9))
    assert _log_before(share) == pytest.approx(expected)
    assert _log_before(2.0) == pytest.approx(_log_before(1 - 1e-12))


def agreement(name: str, lifts: np.ndarray, shares: list[float], codes: np.ndarray) -> Agreement:
    """A category by its code: parts after the exact one, which is never."""
    first = np.array(shares)
    return Agreement(
        (name,),
        codes,
        np.arange(lifts.shape[2]),
        codes,
        np.arange(lifts.shape[2]),
        np.zeros(lifts.shape[2]),
        lifts,
        first,
        first,
    )


def compared(seed: int = 0, rows: int = 4) -> tuple[_Compared, list[Agreement]]:
    """Records and rows of two columns that moved together, and two others; each row is a class of its own."""
    rng = np.random.default_rng(seed)
    known = rng.integers(0, 2, (5, 4))
    released = np.concatenate([known[rng.permutation(5)][:, :2], known[rng.permutation(5)][:, 2:]], axis=1)
    files = Unchanged(known, released)
    stays = [np.array([np.eye(2)[released[:, column]].T * 2 + 0.1, np.ones((2, 5))]) for column in range(4)]
    shares = {"a": 0.4, "b": 0.7, "c": 0.2, "d": 0.5}  # of no relation, before anything is learned
    columns = zip(shares, stays, known.T, strict=True)
    model = [agreement(name, lifts, [0.0, 1 - shares[name], shares[name]], codes) for name, lifts, codes in columns]
    classes = RowClasses(np.arange(5), np.ones(5, np.int64), np.arange(5))
    return _Compared(files, model, {}, classes, np.arange(rows), rng), model


def test_rows_are_compared_with_those_of_anybody(monkeypatch):
    monkeypatch.setattr(module, "ROWS", 2)
    monkeypatch.setattr(module, "ANYBODY", 3)
    found, _ = compared()
    assert len(found._rows) == 2 and set(found._rows.tolist()) <= set(range(4))
    assert found._class_of_row.tolist() == found._rows.tolist()
    assert len(found._anybody) == 3 and found._anybody[:2].tolist() == found._rows.tolist()


@pytest.mark.parametrize("by_rank", [False, True])
def test_what_a_part_says_is_compared_with_the_rows_that_there_are(by_rank):
    """For each power, the product of what its columns say, over its mean for all rows; then the common rank."""
    found, model = compared()
    pairs = _Pairs(np.array([0, 0, 2]), np.array([3, 1, 3]), np.zeros(4))
    if by_rank:
        lifts = np.random.default_rng(3).gamma(1.0, size=(3, 2, 5))
        rank = agreement("ab", lifts, [0.0, 0.5, 0.25, 0.25], model[0].of_record)
        found._by_rank = {(0, 1): rank}
    result = found._lifts((0, 1), model[:2], pairs)
    assert len(result) == len(POWERS) + (2 if by_rank else 0)
    every = found._anybody
    for index, (line, record) in enumerate(zip(pairs.line, pairs.records, strict=True)):
        row = found._class_of_row[line]
        own = np.prod([each.lift(np.array([record]), np.array([row]))[0] for each in model[:2]])
        anybody = np.prod([each.lift(np.full(len(every), record), every) for each in model[:2]], axis=0)
        for number, power in enumerate(POWERS):
            assert result[number, index] == pytest.approx(own**power / np.mean(anybody**power))
        if by_rank:
            assert result[5:, index] == pytest.approx(lifts[:2, model[0].of_record[record], row])


def test_columns_of_a_set_that_moved_together_stay_wide_and_others_are_fitted():
    found, model = compared()
    pairs = found._pairs(())
    found._files.__dict__["sets"] = [(0, 1)]
    assert found._one_by_one((0, 1), pairs) == model[:2]
    (alone,) = found._one_by_one((2,), pairs)
    rows = found._class_of_row[pairs.line]
    (shares,) = _fitted([model[2].parts(pairs.records, rows)[1:]], [np.array([0.8, 0.2])], 1.0, pairs)
    assert alone.shares == pytest.approx([0.0, *shares])


def test_the_evidence_of_an_explanation_is_the_mean_lift_of_its_records():
    found, _ = compared()
    evidence = found.evidence((0, 1))
    found._rng = np.random.default_rng(0)
    pairs = found._pairs((0, 1))
    left = [tuple(index for index in each if index > 1) for each in found.parts]
    moved = [each for each in left if each]
    fits = [found._one_by_one(each, pairs) for each in moved]
    lifts = [found._lifts(each, fit, pairs) for each, fit in zip(moved, fits, strict=True)]
    shares = _fitted(lifts, [module._first(each) for each in lifts], 10.0, pairs)
    lift = np.prod([share @ each for share, each in zip(shares, lifts, strict=True)], axis=0)
    expected = np.log(np.maximum(pairs.mean(lift), 1e-3))
    assert sorted(evidence.of_row) == pytest.approx(sorted(expected)) and evidence.ordered == ()
    nothing = [
        share[4] + (1 - share[4]) * min(each.shares[-1] for each in fit)
        for share, fit in zip(shares, fits, strict=True)
    ]
    assert evidence.before == pytest.approx(sum(_log_before(each) for each in nothing))


def explained(monkeypatch, evidence: dict, sets: list[tuple[int, ...]], columns: int = 4):
    """The explanation of files with these sets, where the evidence of each is given."""
    files = Unchanged(np.zeros((3, columns), int), np.zeros((3, columns), int))
    files.__dict__["sets"] = sets
    monkeypatch.setattr(_Compared, "evidence", lambda self, unchanged: evidence[unchanged])
    monkeypatch.setattr(
        module,
        "_often_best",
        lambda of_rows, before, rng: np.exp(of_rows.sum(axis=1) + before) / np.exp(of_rows.sum(axis=1) + before).sum(),
    )
    classes = RowClasses(np.arange(3), np.ones(3, np.int64), np.arange(3))
    model = [agreement("x", np.ones((2, 2, 3)), [0.0, 0.5, 0.5], np.zeros(3, int))] * columns
    return likeliest_explanation(files, model, {}, classes, np.random.default_rng(1))


def of(value: float, before: float = 0.0, ordered: tuple = ()) -> Evidence:
    return Evidence(np.full(2, value), before, ordered)


def test_the_best_of_the_sets_is_unchanged_and_others_moved(monkeypatch):
    found = explained(monkeypatch, {(0, 1): of(0.6), (2, 3): of(0.5, -1.0, ((0, 1),))}, [(0, 1), (2, 3), (0,)])
    weights = np.exp([1.2, 0.0])
    assert found.unchanged == (0, 1) and found.moved == ((2, 3),) and found.ordered == ()
    assert found.doubt == pytest.approx(weights[1] / weights.sum())


def test_where_no_set_is_clear_single_columns_and_none_are_explanations_too(monkeypatch):
    evidence = {(0, 1): of(0.4), (2,): of(0.3), (0,): of(9.0), (): of(0.2), (2, 3): of(0.1)}
    found = explained(monkeypatch, evidence, [(0, 1), (2,), (0,)], columns=3)
    weights = np.exp([0.8, 0.6 + np.log(1e-3), 0.4 + np.log(1e-3)])
    assert found.unchanged == (0, 1) and found.doubt == pytest.approx(weights[1:].sum() / weights.sum())
    clear = explained(monkeypatch, evidence | {(0, 1): of(0.5)}, [(0, 1), (2,), (0,)], columns=3)
    assert clear.doubt == 0.0


def test_files_with_one_set_of_all_columns_or_with_none_need_no_comparison(monkeypatch):
    assert explained(monkeypatch, {}, [(0, 1, 2, 3)]).unchanged == (0, 1, 2, 3)
    assert explained(monkeypatch, {}, [(0,), (1,)]).unchanged == ()
    assert explained(monkeypatch, {}, []).doubt == 0.0


def test_rows_that_lack_a_value_of_a_set_explain_nothing():
    known, released = np.zeros((3, 3), int), np.zeros((3, 3), int)
    released[:, 1] = -1
    files = Unchanged(known, released)
    files.__dict__["sets"] = [(0, 1)]
    model = [agreement("x", np.ones((2, 2, 3)), [0.0, 0.5, 0.5], np.zeros(3, int))] * 3
    classes = RowClasses(np.arange(3), np.ones(3, np.int64), np.arange(3))
    assert likeliest_explanation(files, model, {}, classes, np.random.default_rng(1)).unchanged == (0, 1)


# Which columns look unchanged -----------------------------------------------------------------------------------------


def naive_common(known: np.ndarray, released: np.ndarray) -> float:
    one, other = ([tuple(row) for row in each.tolist() if -1 not in row] for each in (known, released))
    if not one or not other:
        return 0.0
    return sum(min(one.count(each), other.count(each)) for each in set(one)) / min(len(one), len(other))


def test_combinations_in_common_are_counted():
    rng = np.random.default_rng(1)
    for _ in range(20):
        known, released = (rng.integers(-1, 3, (rng.integers(1, 7), 3)) for _ in range(2))
        files = Unchanged(known, released)
        for columns in product((0, 1), repeat=3):
            chosen = [index for index in range(3) if columns[index]]
            if chosen:
                assert files.common(chosen) == naive_common(known[:, chosen], released[:, chosen])


def test_a_column_kept_most_values_where_it_goes_with_another_as_well_as_it_can():
    files = Unchanged.__new__(Unchanged)
    files.single, files._pairs = (
        [0.8, 1.0, 0.9, 0.95],
        {(0, 1): 0.76, (0, 2): 0.8, (0, 3): 0.1, (1, 2): 0.8, (1, 3): 0.9, (2, 3): 0.1},
    )
    assert files.mostly(0)  # 0.76 is 0.95 of 0.8
    files._pairs[0, 1] = 0.75
    assert not files.mostly(0)  # column 2 has too few values in common to be compared with
    assert not files.mostly(1) and not files.mostly(2)
    files._pairs[1, 3] = 0.9025
    assert files.mostly(1) and files.mostly(3)
    files.single, files._pairs = [0.0, 1.0], {(0, 1): 0.0}
    assert not files.mostly(0)


def test_sets_are_sorted_by_their_columns_and_combinations():
    rows = np.array([[0, 0, 0, 1], [0, 1, 1, 0], [1, 0, 2, 1], [1, 1, 3, 0]])
    files = Unchanged(rows, rows)
    assert [files.order_of(each)[:2] for each in ((), (0,), (2,), (0, 1), (0, 3))] == [
        (0, 0),
        (1, 2),
        (1, 4),
        (2, 4),
        (2, 4),
    ]
    moved = rows.copy()
    moved[:, [2, 3]] = moved[[1, 0, 3, 2]][:, [2, 3]]
    assert Unchanged(rows, moved).sets[0] == (0, 2, 3)  # they moved among rows with the same first column
    assert all(len(each) <= len(other) for other, each in zip(files.sets, files.sets[1:], strict=False))


def test_strangers_are_as_many_as_the_records_of_a_sample_stand_for(monkeypatch):
    """Of five rows with the values of two records three are of strangers; one of the records is compared."""
    monkeypatch.setattr(module, "RECORDS", 1)
    found, _ = compared()
    found._files = Unchanged(np.array([[1], [1], [2], [2], [2]]), np.array([[1], [1], [1], [1], [1], [2], [3]]))
    found._rows = np.array([0, 5, 6])
    pairs = found._pairs((0,))
    assert pairs.line.tolist() == [0, 1] and pairs.strangers.tolist() == [3 / 2, 0, 0]
    assert pairs.mean(np.array([4.0, 5.0])) == pytest.approx([(4 + 1.5) / 2.5, 5.0, 1.0])


def test_powers_fall_from_all_to_nothing():
    assert module.POWERS == POWERS and all(one > other for one, other in pairwise(POWERS))
    assert POWERS.index(0.0) == module.NOTHING


def test_some_rows_are_explained_by_some_records_and_compared_with_some_of_anybody():
    """Of 700 rows and 60 records that are all alike."""
    files = Unchanged(np.zeros((60, 2), int), np.zeros((700, 2), int))
    model = [agreement("x", np.ones((2, 1, 700)), [0.0, 0.5, 0.5], np.zeros(60, int))] * 2
    classes = RowClasses(np.arange(700), np.ones(700, np.int64), np.arange(700))
    found = _Compared(files, model, {}, classes, np.arange(700), np.random.default_rng(1))
    assert len(set(found._rows.tolist())) == 300 and len(set(found._anybody.tolist())) == 600
    pairs = found._pairs((0, 1))
    assert np.bincount(pairs.line).tolist() == [50] * 300
    assert all(len(set(pairs.records[pairs.line == line].tolist())) == 50 for line in (0, 299))
    assert pairs.strangers == pytest.approx(np.full(300, 640 * 50 / 60))


@pytest.mark.parametrize("unchanged", [(), (0,), (1, 3), (0, 1, 2, 3)])
def test_a_row_is_explained_by_the_records_with_its_values(unchanged):
    for seed in range(5):
        found, _ = compared(seed)
        pairs, files = found._pairs(unchanged), found._files
        for line, row in enumerate(found._rows):
            same = [
                record
                for record in range(5)
                if (files.known[record, list(unchanged)] == files.released[row, list(unchanged)]).all()
            ]
            assert sorted(pairs.records[pairs.line == line].tolist()) == same
            alike = (files.released[:, list(unchanged)] == files.released[row, list(unchanged)]).all(axis=1).sum()
            assert pairs.strangers[line] == max(alike - len(same), 0) * bool(same)


def test_only_rows_with_all_values_of_the_sets_are_explained(monkeypatch):
    released = np.array([[0, -1, 0], [0, 0, 0], [-1, 0, 0], [0, 0, -1]])
    files = Unchanged(np.zeros((4, 3), int), released)
    files.__dict__["sets"] = [(0, 1)]
    given = []

    class Stop(Exception):
        pass

    def start(self, files, model, by_rank, rows, complete, rng):
        given.append(complete.tolist())
        raise Stop

    monkeypatch.setattr(_Compared, "__init__", start)
    with pytest.raises(Stop):
        likeliest_explanation(files, [None] * 3, {}, None, np.random.default_rng(1))
    assert given == [[1, 3]]


def test_one_clear_set_is_enough_and_that_nothing_is_unchanged_is_doubted_by_the_sets(monkeypatch):
    clear = explained(monkeypatch, {(0, 1): of(0.6), (2, 3): of(0.1)}, [(0, 1), (2, 3), (0,)])
    assert clear.unchanged == (0, 1)  # the evidence of single columns was not asked for
    nothing = explained(monkeypatch, {(0, 1): of(0.4), (): of(9.0), (2, 3): of(0.1)}, [(0, 1), (2, 3)])
    weights = np.exp([0.8, 0.2, 18.0 + np.log(1e-3)])
    assert nothing.unchanged == () and nothing.moved == ((0, 1), (2, 3))
    assert nothing.doubt == pytest.approx(weights[:2].sum() / weights.sum())


def test_what_is_likely_before_anything_is_compared_is_added():
    rows, before = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]]), np.array([0.0, 1.5])
    times = np.random.default_rng(1).multinomial(3, np.full(3, 1 / 3), 400)
    second = (rows[1] @ times.T + 1.5 > rows[0] @ times.T).mean()
    found = _often_best(rows, before, np.random.default_rng(1))
    assert found == pytest.approx([1 - second, second]) and 0.1 < second < 0.9


@pytest.mark.parametrize(("by_rank", "ordered"), [(0.55, True), (0.5, False)])
def test_a_set_moved_along_its_rank_where_that_explains_more_than_half(by_rank, ordered, monkeypatch):
    found, model = compared()
    found.parts = [(0, 1), (2, 3)]
    found._by_rank = {(0, 1): None}
    share = np.array([*np.full(5, (1 - by_rank) / 5), by_rank / 2, by_rank / 2])
    monkeypatch.setattr(found, "_one_by_one", lambda columns, pairs: [model[each] for each in columns])
    monkeypatch.setattr(found, "_lifts", lambda columns, fit, pairs: np.ones((7, len(pairs.records))))
    monkeypatch.setattr(module, "_fitted", lambda lifts, first, pseudo, pairs: [share] * len(lifts))
    assert found.evidence(()).ordered == (((0, 1),) if ordered else ())


def test_single_columns_are_fitted_and_so_are_columns_that_did_not_move_together():
    found, model = compared()
    pairs = found._pairs(())
    found._files.__dict__["sets"] = [(0, 1), (2,)]
    for columns in ((2,), (2, 3)):
        fitted = found._one_by_one(columns, pairs)
        assert all(
            one.shares.tolist() != model[each].shares.tolist() for one, each in zip(fitted, columns, strict=True)
        )
