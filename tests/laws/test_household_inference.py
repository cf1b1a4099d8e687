"""Households are matched by the permanents of their members' likelihoods, here beside all ways to match them."""

from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from sdckit.errors import NotApplicableError
from sdckit.intruder import AttackerView, Intruder
from sdckit.laws import household_inference as module
from sdckit.laws.blocks import Table
from sdckit.laws.household_inference import (
    HouseholdClaims,
    HouseholdClasses,
    _Lists,
    _log_weights,
    _members,
    _of_classes,
    _of_matrices,
    _weigh_jointly,
    _without_a_row,
    household_claims,
    refuse_unmatchable,
)
from sdckit.laws.release_law import ReleaseLaw, RowClasses
from sdckit.microdata import Microdata
from sdckit.release import Release
from sdckit.rows import Sampled

HOMES = [7, 7, 3, 5, 3, 5, 9]  # two members each, and one who lives alone


def file_of(homes: list[int], ages: list[float]) -> Microdata:
    return Microdata.from_frame(pl.DataFrame({"home": homes, "age": ages}), roles={"home": "household", "age": "key"})


def view_of(homes: list[int], ages: list[float], released: list[int], masked: list[float]) -> AttackerView:
    release = Release(file_of(homes, ages), file_of(released, masked), None, Sampled(np.arange(len(released))))
    return Intruder(attributes=("age",)).view(release)


def law_of(view: AttackerView, likelihood: np.ndarray) -> ReleaseLaw:
    rows = RowClasses.by(view.released, ["age"])
    with np.errstate(divide="ignore"):
        table = Table(("age",), np.log(likelihood), np.arange(len(likelihood)), np.arange(likelihood.shape[1]))
    return ReleaseLaw(len(likelihood), rows, (table,), {})


def permanent(matrix: np.ndarray) -> float:
    lines = range(len(matrix))
    return sum(np.prod([matrix[line, order[line]] for line in lines]) for order in permutations(lines))


def shares_of(matrix: np.ndarray) -> np.ndarray:
    found = np.zeros_like(matrix)
    for order in permutations(range(len(matrix))):
        weight = np.prod([matrix[line, column] for line, column in enumerate(order)])
        for line, column in enumerate(order):
            found[line, column] += weight
    return found / permanent(matrix)


def test_equal_households_are_one_class():
    """By their rows in any order; classes are numbered by their rows, from the first number on."""
    found = HouseholdClasses(np.array([[0, 1]]), np.array([[4, 2], [1, 3], [2, 4], [1, 1]]), 10)
    assert found.rows.tolist() == [[1, 1], [1, 3], [2, 4]] and found.capacity.tolist() == [1, 1, 2]
    assert found.of_household.tolist() == [12, 11, 12, 10]


def test_classes_are_numbered_by_their_first_rows_first():
    found = HouseholdClasses(np.array([[0, 1]]), np.array([[2, 1], [9, 0]]), 0)
    assert found.rows.tolist() == [[0, 9], [1, 2]] and found.of_household.tolist() == [1, 0]


def test_tiny_likelihoods_and_a_single_class_have_probabilities():
    view = view_of([1, 1, 2, 2], [1.0, 2, 3, 4], [1, 1, 2, 2], [1.0, 2, 3, 4])
    law = law_of(view, np.random.default_rng(6).gamma(1.0, size=(4, 4)))
    tiny = replace(law, blocks=(replace(law.blocks[0], entries=law.blocks[0].entries - 400),))
    classes = HouseholdClasses(np.array([[0, 1], [2, 3]]), np.array([[0, 1], [2, 3]]), 0)
    assert _Lists.of(tiny, classes, None).probability == pytest.approx(_Lists.of(law, classes, None).probability)
    alone = HouseholdClasses(np.array([[0, 1]]), np.array([[0, 1]]), 0)
    assert _Lists.of(law, alone, None).probability.tolist() == [[1.0]]


def test_members_of_households_of_one_size():
    units = np.array([0, 1, 0, 2, 1, 2, 3])
    sizes = np.bincount(units)
    assert _members(units, sizes, 2).tolist() == [[0, 2], [1, 4], [3, 5]] and _members(units, sizes, 1).tolist() == [
        [6]
    ]


def test_the_likelihood_of_a_household_is_a_permanent(monkeypatch):
    weights = np.random.default_rng(1).gamma(1.0, size=(4, 3, 3))
    found, shares = _of_matrices(np.log(weights))
    assert np.exp(found) == pytest.approx([permanent(each) for each in weights])
    assert shares == pytest.approx(np.array([shares_of(each) for each in weights]))
    monkeypatch.setattr(module, "LARGEST", 2)
    about, rough = _of_matrices(np.log(weights))
    assert not np.allclose(about, found) and rough.sum(axis=2) == pytest.approx(np.ones((4, 3)))
    same = np.log(np.full((1, 3, 3), 0.5))
    assert np.exp(_of_matrices(same)[0]) == pytest.approx([6 / 8])  # three members in six orders


def test_the_likelihood_of_all_classes(monkeypatch):
    weights = np.random.default_rng(2).gamma(1.0, size=(2, 2, 3, 2))  # household, member, class, row
    expected = [[permanent(weights[home][:, group]) for group in range(3)] for home in range(2)]
    assert np.exp(_of_classes(np.log(weights))) == pytest.approx(np.array(expected))
    monkeypatch.setattr(module, "ALL_CLASSES", 1)
    assert np.exp(_of_classes(np.log(np.full((1, 2, 1, 2), 0.5)))) == pytest.approx(np.array([[0.5]]))


def test_likelihoods_of_rows_come_a_part_at_a_time(monkeypatch):
    view = view_of(HOMES, [1.0, 2, 3, 4, 5, 6, 7], HOMES, [1.0, 2, 3, 4, 5, 6, 7])
    likelihood = np.random.default_rng(3).gamma(1.0, size=(7, 7))
    law = law_of(view, likelihood)
    classes = HouseholdClasses(np.array([[0, 1], [2, 4], [3, 5]]), np.array([[0, 1], [2, 4], [3, 5]]), 0)
    for pairs, parts in ((2_000_000, 1), (24, 2), (1, 3)):
        monkeypatch.setattr(module, "PAIRS", pairs)
        found = list(_log_weights(law, classes, classes.known))
        assert len(found) == parts
        whole = np.concatenate([weights for _, weights in found])
        assert [each.start for each, _ in found] == sorted({each.start for each, _ in found})
        for home, members in enumerate(classes.known):
            for group, rows in enumerate(classes.rows):
                assert np.exp(whole[home, :, group]) == pytest.approx(likelihood[np.ix_(members, rows)])


def test_lists_have_the_likeliest_classes_and_their_probability(monkeypatch):
    view = view_of(HOMES, [1.0, 2, 3, 4, 5, 6, 7], HOMES, [1.0, 2, 3, 4, 5, 6, 7])
    likelihood = np.random.default_rng(4).gamma(1.0, size=(7, 7))
    law = law_of(view, likelihood)
    classes = HouseholdClasses(np.array([[0, 1], [2, 4], [3, 5]]), np.array([[0, 1], [2, 4], [3, 5], [1, 0]]), 0)
    assert classes.capacity.tolist() == [2, 1, 1]
    for most in (40, 2):
        monkeypatch.setattr(module, "LISTED", most)
        found = _Lists.of(law, classes, None)
        for home, members in enumerate(classes.known):
            of_class = [permanent(likelihood[np.ix_(members, rows)]) for rows in classes.rows]
            order = np.argsort(np.negative(of_class))[:most]
            assert found.listed[home].tolist() == order.tolist()
            assert np.exp(found.log_likelihood[home]) == pytest.approx(np.array(of_class)[order])
            weight = np.array(of_class) * [2, 1, 1]
            assert found.probability[home] == pytest.approx((weight / weight.sum())[order])
            assert found.left_out[home] == pytest.approx(1 - (weight / weight.sum())[order].sum(), abs=1e-12)
            for at, group in enumerate(order):
                own = likelihood[np.ix_(members, classes.rows[group])]
                assert found.shares[home, at] == pytest.approx(shares_of(own))
    some = _Lists.of(law, classes, np.array([4]))
    assert some.known.tolist() == [[2, 4]]


def test_a_household_that_is_impossible_everywhere_has_no_probability():
    view = view_of([1, 1, 2, 2], [1.0, 2, 3, 4], [1, 1, 2, 2], [1.0, 2, 3, 4])
    likelihood = np.array([[0.0, 0, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1], [1, 2, 3, 4]])
    classes = HouseholdClasses(np.array([[0, 1], [2, 3]]), np.array([[0, 1], [2, 3]]), 0)
    found = _Lists.of(law_of(view, likelihood), classes, None)
    assert found.probability[0].tolist() == [0.0, 0.0] and found.left_out[0] == 1.0
    claims = found.claims()
    assert claims.household[:2].tolist() == [-1, -1] and claims.confidence[:2].tolist() == [0, 0]
    assert claims.share[:2].tolist() == [0, 0] and claims.rows[:2].tolist() == [-1, -1]
    assert (claims.household[2:] == 1).all()


def test_claims_are_the_likeliest_rows_of_each_member():
    """Each row of a class has the probability of the class, divided by equal households and equal rows."""
    view = view_of(HOMES, [1.0, 2, 3, 4, 5, 6, 7], HOMES, [1.0, 2, 3, 4, 5, 6, 7])
    likelihood = np.random.default_rng(5).gamma(1.0, size=(7, 7))
    classes = HouseholdClasses(np.array([[0, 1], [2, 4]]), np.array([[0, 1], [2, 2], [1, 0]]), 10)
    lists = _Lists.of(law_of(view, likelihood), classes, None)
    claims = lists.claims()
    assert claims.records.tolist() == [0, 1, 2, 4]
    for number, record in enumerate(claims.records):
        home, member = divmod(number, 2)
        options = {}
        for at, group in enumerate(lists.listed[home]):
            rows = classes.rows[group]
            for row in set(rows.tolist()):
                equal = int((rows == row).sum())
                share = lists.shares[home, at][member][rows == row].sum()
                count = classes.capacity[group] * equal
                options[10 + group, row] = lists.probability[home, at] * share / count, 1 / count
        best = max(options, key=lambda key: options[key][0])
        assert (claims.household[number], claims.rows[number]) == best, record
        assert (claims.confidence[number], claims.share[number]) == pytest.approx(options[best])


def test_households_are_matched_jointly_with_all_others():
    """Two households want the same released one; one of them must have the other."""
    homes, ages = [1, 1, 2, 2, 3], [1.0, 2, 3, 4, 5]
    view = view_of(homes, ages, homes, ages)
    likelihood = np.array([[9.0, 1, 8, 1, 0], [1, 9, 1, 8, 0], [9, 1, 9, 1, 0], [1, 9, 1, 9, 0], [0, 0, 0, 0, 1]])
    claims, of_row = household_claims(view, law_of(view, likelihood), np.random.default_rng(1), None)
    one, other = ([permanent(likelihood[np.ix_(home, rows)]) for rows in ([0, 1], [2, 3])] for home in ([0, 1], [2, 3]))
    kept, exchanged = one[0] * other[1], one[1] * other[0]
    assert claims.records.tolist() == [0, 1, 2, 3, 4] and of_row.tolist() == [1, 1, 2, 2, 0]
    assert claims.household.tolist() == [1, 1, 2, 2, 0] and claims.rows.tolist() == [0, 1, 2, 3, 4]
    own = shares_of(likelihood[:2, :2])[0, 0] * kept / (kept + exchanged)
    assert claims.confidence[0] == pytest.approx(own) and claims.confidence[4] == pytest.approx(1.0)
    some, _ = household_claims(view, law_of(view, likelihood), np.random.default_rng(1), np.array([3, 0]))
    assert some.records.tolist() == [0, 3] and some.confidence[0] == pytest.approx(own)


def test_in_a_large_file_only_the_households_of_targets_are_matched(monkeypatch):
    homes, ages = [1, 1, 2, 2, 3], [1.0, 2, 3, 4, 5]
    view = view_of(homes, ages, homes, ages)
    likelihood = np.array([[9.0, 1, 8, 1, 0], [1, 9, 1, 8, 0], [9, 1, 9, 1, 0], [1, 9, 1, 9, 0], [0, 0, 0, 0, 1]])
    monkeypatch.setattr(module, "WHOLE", 4)
    claims, _ = household_claims(view, law_of(view, likelihood), np.random.default_rng(1), np.array([0]))
    one = [permanent(likelihood[np.ix_([0, 1], rows)]) for rows in ([0, 1], [2, 3])]
    assert claims.records.tolist() == [0]
    assert claims.confidence[0] == pytest.approx(shares_of(likelihood[:2, :2])[0, 0] * one[0] / sum(one))
    sample = view_of(homes, ages, homes[:4], ages[:4])
    with pytest.raises(NotApplicableError, match="at most 4 records"):
        household_claims(sample, law_of(sample, likelihood[:, :4]), np.random.default_rng(1), np.array([0]))


def test_who_lives_in_a_household_of_a_size_that_was_not_released_has_no_claim():
    homes, ages = [1, 1, 2, 2, 3], [1.0, 2, 3, 4, 5]
    view = view_of(homes, ages, homes[:4], ages[:4])
    likelihood = np.array([[9.0, 1, 8, 1], [1, 9, 1, 8], [9, 1, 9, 1], [1, 9, 1, 9], [1, 1, 1, 1]])
    claims, _ = household_claims(view, law_of(view, likelihood), np.random.default_rng(1), None)
    assert claims.records.tolist() == [0, 1, 2, 3, 4] and claims.household[4] == -1 and claims.confidence[4] == 0
    assert (claims.confidence[:4] > 0.2).all()
    nobody = _without_a_row(np.array([3, 5]))
    assert nobody.records.tolist() == [3, 5] and nobody.share.tolist() == [0, 0] and nobody.rows.tolist() == [-1, -1]


def test_known_records_in_another_order_are_found_by_their_numbers():
    homes, ages = [1, 1, 2, 2, 3], [1.0, 2, 3, 4, 5]
    view = view_of(homes, ages, homes, ages)
    likelihood = np.full((5, 5), 0.1) + 5 * np.eye(5)
    turned = view.take(np.array([4, 3, 2, 1, 0]))
    law = law_of(view, likelihood[::-1])
    claims, _ = household_claims(turned, law, np.random.default_rng(1), None)
    assert claims.rows.tolist() == [4, 3, 2, 1, 0]


def test_files_that_do_not_show_who_lives_together_are_refused():
    homes, ages = [1, 1, 2, 2, 3], [1.0, 2, 3, 4, 5]
    view = view_of(homes, ages, homes, ages)
    refuse_unmatchable(view)
    with pytest.raises(NotApplicableError, match="who lives together"):
        refuse_unmatchable(replace(view, released=view.released.without(["home"])))
    with pytest.raises(NotApplicableError, match="who lives together"):
        refuse_unmatchable(replace(view, original=view.original.without(["home"])))
    with pytest.raises(NotApplicableError, match="every record"):
        refuse_unmatchable(view.take(np.arange(3)))
    with pytest.raises(NotApplicableError, match="other sizes"):
        refuse_unmatchable(view_of(homes, ages, [1, 2, 3, 4, 5], ages))
    with pytest.raises(NotApplicableError, match="other sizes"):
        refuse_unmatchable(view_of([1, 2, 3, 4, 4], ages, [1, 2, 2, 3, 3], ages))  # a pair more, and two fewer alone
    refuse_unmatchable(view_of(homes, ages, homes[:4], ages[:4]))


@pytest.mark.parametrize(("members", "exactly"), [(9, True), (10, False)])
def test_permanents_are_computed_of_up_to_nine_members(members, exactly, monkeypatch):
    monkeypatch.setattr(module, "permanents_and_shares", lambda weights: ("permanents", "shares"))
    monkeypatch.setattr(module, "log_means", lambda weights: (np.zeros(1), "means"))
    found = _of_matrices(np.zeros((1, members, members)))
    assert (found == ("permanents", "shares")) if exactly else (found[1] == "means")


@pytest.mark.parametrize(("members", "exactly"), [(5, True), (6, False)])
def test_permanents_of_all_classes_are_computed_of_up_to_five_members(members, exactly, monkeypatch):
    monkeypatch.setattr(module, "log_permanents", lambda weights: np.array([7.0]))
    monkeypatch.setattr(module, "log_means", lambda weights: (np.array([0.0]), None))
    found = _of_classes(np.zeros((1, members, 1, members)))
    assert np.exp(found[0, 0]) == pytest.approx(np.exp(7.0) if exactly else 720)  # six members in 6! orders


def test_forty_released_households_are_listed_however_much_their_likelihoods_differ():
    """Of 45 people who live alone; the likelihoods fall by a factor of e³⁰ from one to the next."""
    homes, ages = list(range(45)), [float(each) for each in range(45)]
    view = view_of(homes, ages, homes, ages)
    law = law_of(view, np.ones((45, 45)))
    entries = -30.0 * np.abs(np.arange(45)[:, None] - np.arange(45)[None, :])
    law = replace(law, blocks=(replace(law.blocks[0], entries=entries),))
    each = np.arange(45)[:, None]
    found = _Lists.of(law, HouseholdClasses(each, each, 0), np.array([0]))
    assert found.listed.tolist() == [list(range(40))]
    assert found.probability[0] == pytest.approx([1.0, *[0.0] * 39]) and found.left_out == pytest.approx([0.0])


@pytest.mark.parametrize(
    ("known", "targets", "whole"), [(20_000, True, True), (20_001, True, False), (20_001, False, True)]
)
def test_all_households_enter_the_inference_of_twenty_thousand_records(known, targets, whole, monkeypatch):
    class People(SimpleNamespace):
        def __len__(self):
            return known

    asked, weighed = [], []
    nothing = np.empty(0, np.int64)
    claims = SimpleNamespace(claims=lambda: HouseholdClaims(nothing, nothing, nothing, np.empty(0), np.empty(0)))
    monkeypatch.setattr(module, "_classes_by_size", lambda view, law: (["a size"], nothing))
    monkeypatch.setattr(module, "_Lists", SimpleNamespace(of=lambda law, size, among: asked.append(among) or claims))
    monkeypatch.setattr(module, "_weigh_jointly", lambda *_: weighed.append(True))
    view = People(released=range(known))
    found, _ = household_claims(view, None, np.random.default_rng(1), np.array([3, 5]) if targets else None)
    assert (asked[0] is None) is whole is bool(weighed)
    assert found.records.tolist() == ([3, 5] if targets else list(range(known)))


@pytest.mark.parametrize(("capacity", "relative"), [([1, 1], True), ([1, 2], False)])
def test_of_a_sample_likelihoods_are_relative_to_the_largest_of_a_released_household(capacity, relative, monkeypatch):
    """Three known households; where fewer were released, each of these belongs to one of several."""
    given = []

    def graph_of(starts, classes, likelihood, capacity, **options):
        given.append((starts.tolist(), classes.tolist(), likelihood.tolist()))
        return SimpleNamespace(with_unlisted=lambda left_out: None)

    monkeypatch.setattr(module, "CandidateGraph", SimpleNamespace(of=graph_of))
    monkeypatch.setattr(module, "posterior", lambda *_: SimpleNamespace(probability=np.arange(1.0, 6.0)))
    lists = SimpleNamespace(
        listed=np.array([[0, 1], [0, 1], [0, 1]]),
        log_likelihood=np.array([[0.0, -1.0], [2.0, -np.inf], [-3.0, 1.0]]),
        classes=SimpleNamespace(first=0),
        left_out=np.zeros(3),
        probability=np.full((3, 2), 9.0),
    )
    _weigh_jointly([lists], [SimpleNamespace(capacity=np.array(capacity))], np.random.default_rng(1))
    expected = [-2.0, -2.0, 0.0, -5.0, 0.0] if relative else [0.0, -1.0, 2.0, -3.0, 1.0]
    assert given == [([0, 2, 3, 5], [0, 1, 0, 0, 1], expected)]
    assert lists.probability.tolist() == [[1.0, 2.0], [3.0, 0.0], [4.0, 5.0]]
