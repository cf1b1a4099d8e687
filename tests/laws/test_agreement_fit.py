"""The fit of agreements to two files: each step by hand, and the rounds by what they hand on."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest

from sdckit.laws import agreement_fit as module
from sdckit.laws.agreement import Agreement, _fitted
from sdckit.laws.agreement_fit import _again, _change, _law, agreement_law, posteriors_of_some
from sdckit.laws.blocks import Table
from sdckit.laws.first_agreements import FirstAgreements
from sdckit.laws.release_law import Candidates, ReleaseLaw, RowClasses, Source
from tests.laws.views import categories, view_of

ROWS = RowClasses(np.array([0, 1, 1]), np.array([1, 2]), np.array([0, 1]))


def agreement(shares: tuple[float, ...] = (0.2, 0.5, 0.3), **values) -> Agreement:
    """Three records and three classes of rows; the third record and the third row have a hole."""
    lifts = np.array([[[2.0, 0.5, 1.0], [0.5, 2.0, 1.0]], np.ones((2, 3))])
    first = np.array([0.1, 0.6, 0.3])
    codes = np.array([0, 5, -1]), np.array([0, 7, -1])
    given = Agreement(
        ("x",),
        np.array([0, 1, -1]),
        np.array([0, 1, 2]),
        *codes,
        np.array([4.0, 3.0, 2.0]),
        lifts,
        np.array(shares),
        first,
    )
    return replace(given, **values)


PAIRS = np.divmod(np.arange(9), 3)


def test_parts_of_pairs_by_hand():
    found = agreement().parts(*PAIRS).reshape(3, 3, 3)
    assert found[0].tolist() == [[4, 0, 0], [0, 0, 0], [1, 1, 1]]
    assert found[1].tolist() == [[2, 0.5, 1], [0.5, 2, 1], [1, 1, 1]]
    assert found[2].tolist() == np.ones((3, 3)).tolist()


def test_lifts_are_the_mixture_of_the_parts():
    for shares in ((0.2, 0.5, 0.3), (0.0, 0.6, 0.4)):
        each = agreement(shares)
        assert each.lift(*PAIRS) == pytest.approx(np.array(shares) @ each.parts(*PAIRS))


@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_blocks_are_the_mixture_with_its_weight(weight):
    """Compared with anybody they are the mixture itself; else a factor for each row is left out."""
    each = agreement(weight=weight)
    expected = weight * np.log(each.lift(*PAIRS)).reshape(3, 3)
    compared = sum(block.of_pairs(*PAIRS) for block in each.blocks(compared=True)).reshape(3, 3)
    assert compared == pytest.approx(expected)
    plain = sum(block.of_pairs(*PAIRS) for block in each.blocks()).reshape(3, 3)
    gaps = (plain - expected)[:2]
    assert gaps[0] == pytest.approx(gaps[1]) and plain[2].tolist() == [0, 0, 0]
    (only,) = agreement((0.0, 0.6, 0.4)).blocks()
    assert isinstance(only, Table) and only.lift


def test_shares_by_hand_after_rounds_of_em(monkeypatch):
    monkeypatch.setattr("sdckit.laws.agreement.ROUNDS", 2)
    parts, counts, first = np.array([[4.0, 0.0], [1.0, 1.0]]), np.array([3.0, 2.0]), np.array([0.25, 0.75])
    shares = np.array([0.5, 0.5])
    for _ in range(2):
        own = shares[0] * 4 / (shares[0] * 4 + shares[1])
        total = np.array([3 * own, 3 * (1 - own) + 2]) + 10 * first
        shares = total / 15
    assert _fitted(parts, counts, np.array([0.5, 0.5]), first) == pytest.approx(shares)


@pytest.mark.parametrize("shares", [(0.2, 0.5, 0.3), (0.0, 0.6, 0.4)])
def test_a_refit_counts_pairs_by_their_weight_and_leaves_holes_out(shares):
    each = agreement(shares)
    weight = np.array([1.0, 0.5, 9.0, 0.25, 2.0, 9.0, 9.0, 9.0, 9.0])
    first = each.first if shares[0] else np.array([0.0, 0.6, 0.4])
    each = replace(each, first=first)
    found = each.refitted(*PAIRS, weight)
    present = [0, 1, 3, 4]
    parts = each.parts(PAIRS[0][present], PAIRS[1][present])
    assert found.shares == pytest.approx(_fitted(parts, weight[present], np.array(shares), first))
    assert replace(each, fixed=True).refitted(*PAIRS, weight).shares is each.shares


def test_shares_are_those_of_the_parts_that_are_possible():
    each = agreement(first=np.array([0.0, 0.4, 0.6]))
    assert each.with_shares(np.array([0.9, 0.1])).shares.tolist() == [0.0, 0.9, 0.1]


def test_the_posterior_of_a_record_by_itself():
    """Two rows of a class count twice; what others of the sample want of a class counts beside twenty anybodies."""
    likelihood = np.array([3.0, 2.0, 6.0])
    found = Candidates(np.array([0, 2, 2, 3]), np.array([0, 1, 1]), np.log(likelihood), *np.zeros((2, 3)))
    one, other, alone = posteriors_of_some(found, ROWS)
    weights = 1 * 3 / (0 + 20), 2 * 2 / (6 + 20)
    assert (one, other) == pytest.approx((weights[0] / sum(weights), weights[1] / sum(weights))) and alone == 1.0
    shifted = found._replace(log_likelihood=np.log(likelihood) - 3)
    by_hand = 1 * 3 / np.e**3 / 20, 2 * 2 / np.e**3 / (6 / np.e**3 + 20)
    assert posteriors_of_some(shifted, ROWS)[0] == pytest.approx(by_hand[0] / sum(by_hand))


def test_candidates_under_another_law_and_changes_of_shares():
    table = Table(("x",), np.arange(6.0).reshape(3, 2), np.arange(3), np.arange(2))
    law = ReleaseLaw(3, ROWS, (table, table), {})
    found = Candidates(np.array([0, 1, 3]), np.array([1, 0, 1]), np.zeros(3), *np.zeros((2, 2)))
    assert _again(law, found, np.array([2, 0])).log_likelihood.tolist() == [10, 0, 2]
    assert _change([np.array([0.1, 0.9]), np.array([1.0])], [np.array([0.3, 0.7]), np.array([0.6])]) == pytest.approx(
        0.4
    )


def test_a_law_compares_with_anybody_where_files_have_other_numbers_of_rows():
    same = view_of(categories({"x": "abc"}), categories({"x": "abc"}))
    part = view_of(categories({"x": "abc"}), categories({"x": "abc"}), records=(0, 1))
    rows = RowClasses.by(same.released, ["x"])
    assert len(_law(same, rows, [agreement()]).blocks) == 2
    compared = _law(part, rows, [agreement()])
    assert len(compared.blocks) == 3 and compared.records == 2 and compared.sources == {"x": Source.LEARNED}


@pytest.mark.parametrize("whole", [True, False])
def test_rounds_hand_on_their_shares_and_the_last_are_averaged(whole, monkeypatch):
    """In a file whose records are all fitted on, twelve rounds; the mean of the last four is taken."""
    if not whole:
        monkeypatch.setattr(module, "WHOLE", 3)
        monkeypatch.setattr(module, "SAMPLE", 3)
    data = categories({"x": "abcabc", "y": "aabbcc"})
    view = view_of(data, data)
    rows = RowClasses.by(view.released, ["x", "y"])
    seen = []

    class Counting(Agreement):
        def refitted(self, records, classes, weight):
            seen.append((records, classes, weight))
            number = len(seen)
            return replace(self, shares=np.array([0.0, 1 - 1 / (number + 1), 1 / (number + 1)]))

    codes = view.known.columns["x"].astype(np.int64)
    lifts = np.array([3 * np.eye(3), np.ones((3, 3))])
    shares = np.array([0.0, 0.5, 0.5])
    model = [
        Counting(
            ("x",), codes, codes[rows.first], codes, codes[rows.first], np.zeros(len(rows.sizes)), lifts, shares, shares
        )
    ]
    monkeypatch.setattr(module, "first_agreements", lambda *arguments: FirstAgreements(model, 0.125))
    law = agreement_law(view, np.random.default_rng(1))
    rounds = 12 if whole else 25
    assert len(seen) == rounds and law.doubt == 0.125
    mean = np.mean([1 / (number + 1) for number in range(rounds - 3, rounds + 1)])
    assert np.exp(law.blocks[0].entries) == pytest.approx((1 - mean) * lifts[0] + mean)
    records, classes, weight = seen[-1]
    assert (weight > 1e-5).all() and weight.sum() == pytest.approx(6 if whole else 3)
    assert set(records.tolist()) == set(range(6)) if whole else len(set(records.tolist())) == 3
    same = codes[rows.first][classes] == codes[records]
    assert weight[same].sum() > 0.8 * weight.sum()


def test_a_fit_on_some_records_ends_where_the_shares_settle(monkeypatch):
    monkeypatch.setattr(module, "WHOLE", 3)
    monkeypatch.setattr(module, "SAMPLE", 3)
    view = view_of(categories({"x": "abcabc"}), categories({"x": "abcabc"}))
    calls = []

    class Settled(Agreement):
        def refitted(self, records, classes, weight):
            calls.append(1)
            return replace(self, shares=np.array([0.0, 0.75, 0.25]))

    codes, lifts, shares = (
        view.known.columns["x"].astype(np.int64),
        np.array([3 * np.eye(3), np.ones((3, 3))]),
        np.array([0.0, 0.5, 0.5]),
    )
    model = [Settled(("x",), codes, np.arange(3), codes, np.arange(3), np.zeros(3), lifts, shares, shares)]
    monkeypatch.setattr(module, "first_agreements", lambda *arguments: FirstAgreements(model, 0.0))
    law = agreement_law(view, np.random.default_rng(1))
    assert len(calls) == 2
    assert np.exp(law.blocks[0].entries) == pytest.approx(0.75 * lifts[0] + 0.25)
    model[0] = replace(model[0], fixed=True)
    calls.clear()
    agreement_law(view, np.random.default_rng(1))
    assert not calls


@dataclass(frozen=True)
class Fitted:
    """An agreement whose shares change by a step in each round, and that writes down the pairs it is fitted to."""

    step: float
    pairs: list
    shares: np.ndarray
    fixed: bool = False

    def refitted(self, records, classes, weight):
        self.pairs.append((records, classes, weight))
        return replace(self, shares=self.shares + self.step)


class People(SimpleNamespace):
    def __len__(self):
        return self.count


def rounds_of(monkeypatch, known: int, original: int, released: int, step: float):
    """What each round of a fit asks for, where nothing is computed; and the pairs that the shares are fitted to."""
    calls: list[tuple] = []
    pairs: list[tuple] = []

    @dataclass(frozen=True)
    class Law:
        tree: object = None
        like: object = None
        doubt: float = 0.0
        model: object = None

        def candidates(self, listed, some):
            calls.append(("searched", listed, some.tolist()))
            return Candidates(np.arange(len(some) + 1), np.arange(len(some)), np.zeros(len(some)), *np.zeros((2, 1)))

    def graph(law, records, strangers, edges):
        calls.append((records, strangers, edges))
        return SimpleNamespace(starts=np.arange(records + 1), classes=np.arange(records)), None

    class Matchings:
        def __init__(self, graph, rng, **options):
            self.options, self.count = options, len(graph.classes)

        def sample(self, samples):
            calls.append((samples, self.options))
            return SimpleNamespace(posterior=np.full(self.count, 1.0))

    def again(law, found, some):
        calls.append(("again",))
        return found

    view = People(count=known, original=range(original), released=range(released), attributes=["x"])
    model = [Fitted(step, pairs, np.array([0.5]))]
    monkeypatch.setattr(module, "RowClasses", SimpleNamespace(by=lambda *_: None))
    monkeypatch.setattr(module, "first_agreements", lambda *_: (model, 0.25))
    monkeypatch.setattr(module, "_law", lambda view, rows, model: Law(model=model))
    monkeypatch.setattr(module, "whole_graph", graph)
    monkeypatch.setattr(module, "Chain", Matchings)
    monkeypatch.setattr(module, "_again", again)
    some = np.where(np.arange(600) % 2, 1e-5, 2e-5)
    monkeypatch.setattr(module, "posteriors_of_some", lambda found, rows: some)
    law = agreement_law(view, np.random.default_rng(1))
    return calls, pairs, law


def test_of_two_thousand_records_matchings_of_all_are_drawn(monkeypatch):
    calls, pairs, law = rounds_of(monkeypatch, 2_000, 2_300, 2_500, 0.01)
    options = {"burn_in": 15, "balancing": 10}
    assert calls == [(2_000, 500, 40), (30, options)] * 12
    assert [each[0].tolist() for each in pairs] == [list(range(2_000))] * 12
    assert law.model[0].shares == pytest.approx([0.5 + 0.01 * (9 + 10 + 11 + 12) / 4])
    assert law.doubt == 0.25


def test_of_more_records_six_hundred_are_fitted_on_by_lists_that_serve_several_rounds(monkeypatch):
    calls, pairs, law = rounds_of(monkeypatch, 2_001, 2_001, 2_001, 0.0015)
    assert [number for number, each in enumerate(calls) if each[0] == "searched"] == [0, 2, 5, 12]
    assert len(calls) == 25 and all(each[0] in ("searched", "again") for each in calls)
    _, listed, some = calls[0]
    assert listed == 1_000 and len(set(some)) == 600 and some == sorted(some) and max(some) < 2_001
    assert all(records.tolist() == some[::2] for records, _, _ in pairs)  # every second posterior is negligible
    assert law.model[0].shares == pytest.approx([0.5 + 0.0015 * (22 + 23 + 24 + 25) / 4])


def test_a_fit_whose_shares_change_by_less_than_a_thousandth_has_settled(monkeypatch):
    calls, _, law = rounds_of(monkeypatch, 2_001, 2_001, 2_001, 0.0009)
    assert len(calls) == 2 and law.model[0].shares == pytest.approx([0.5 + 2 * 0.0009])
