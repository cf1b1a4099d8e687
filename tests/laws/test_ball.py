"""A ball around some targets gives their posteriors as the whole file does."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from sdckit.intruder import Intruder
from sdckit.laws import ball as balls
from sdckit.laws import release_law
from sdckit.laws.ball import Rivals, _merged, _wanted, ball_around
from sdckit.laws.inference import inferred
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import Candidates
from sdckit.matching.graph import CandidateGraph
from sdckit.methods import AdditiveNoise, Pram
from sdckit.microdata import Microdata
from sdckit.randomness import generator
from sdckit.recipe import Recipe, Step
from sdckit.release import Release, protect


def release_of(records: int, recipe: str, attributes: int = 3) -> Release:
    rng = np.random.default_rng(records)
    values = np.exp(rng.standard_normal((records, attributes)) + 0.5 * rng.standard_normal((records, 1)))
    frame = pl.DataFrame({f"x{j}": np.round(values[:, j] * 100, 1) for j in range(attributes)})
    return protect(Microdata.from_frame(frame), recipe, seed=1)


@pytest.fixture
def swapped() -> Release:
    return release_of(600, "rank-swapping:window=0.03")


def test_a_ball_that_closes_gives_the_posteriors_of_the_whole_file(swapped, monkeypatch):
    monkeypatch.setattr(balls, "IMPORTANT", 0.0)
    view = Intruder().view(swapped)
    truth = swapped.true_rows(view.records)
    law = informed_law(view, generator(1))
    targets = np.arange(0, 600, 60)
    whole = inferred(view, law, generator(2))
    near = inferred(view, law, generator(3), targets=targets, largest=0)
    assert len(near.records) < 600
    assert np.isin(targets, near.records).all()
    index = near.index(targets)
    assert near.of_truth(truth[near.records])[index] == pytest.approx(whole.of_truth(truth)[targets], abs=0.1)
    assert near.confidence[index].mean() == pytest.approx(whole.confidence[targets].mean(), abs=0.02)


def test_a_cut_ball_keeps_what_the_boundary_knows(swapped):
    view = Intruder().view(swapped)
    truth = swapped.true_rows(view.records)
    law = informed_law(view, generator(1))
    targets = np.arange(0, 600, 6)
    whole = inferred(view, law, generator(2))
    near = ball_around(law, targets, largest=130)
    assert len(near.records) <= 130
    assert near.graph.absences == 0
    assert near.graph.records + near.graph.strangers == law.rows.sizes[near.classes].sum()
    cut = inferred(view, law, generator(3), targets=targets, largest=0, ball=130)
    assert len(cut.records) <= 130
    difference = np.abs(cut.of_truth(truth[cut.records])[cut.index(targets)] - whole.of_truth(truth)[targets])
    assert difference.mean() < 0.05


def test_a_cut_ball_says_how_much_competition_it_leaves_out(swapped):
    view = Intruder().view(swapped)
    law = informed_law(view, generator(1))
    targets = np.arange(0, 600, 6)
    small, larger = (
        inferred(view, law, generator(3), targets=targets, largest=0, ball=records) for records in (130, 500)
    )
    outside = [float(each.outside[each.index(targets)].mean()) for each in (small, larger)]
    assert outside[0] > outside[1] >= 0
    assert outside[0] < 1
    assert (inferred(view, law, generator(3)).outside == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["rank-swapping:window=0.05", "rank-swapping:window=0.15"])
def test_a_ball_cut_at_half_of_the_file_is_near_the_whole_chain(recipe):
    release = release_of(2000, recipe, attributes=4)
    view = Intruder().view(release)
    truth = release.true_rows(view.records)
    law = informed_law(view, generator(1))
    targets = np.sort(generator(3).choice(2000, 200, replace=False))
    whole = inferred(view, law, generator(5))
    cut = inferred(view, law, generator(5), targets=targets, largest=0, ball=1000)
    index = cut.index(targets)
    difference = np.abs(cut.of_truth(truth[cut.records])[index] - whole.of_truth(truth)[targets])
    assert difference.mean() < 0.03
    assert cut.correct(truth[cut.records])[index].mean() == pytest.approx(
        whole.correct(truth)[targets].mean(), abs=0.04
    )
    assert cut.confidence[index].mean() == pytest.approx(whole.confidence[targets].mean(), abs=0.03)


def test_a_list_that_is_too_short_leaves_its_share_to_the_other_rows():
    starts, classes = np.array([0, 1, 2]), np.array([0, 1])
    graph = CandidateGraph.of(starts, classes, np.zeros(2), np.ones(2, np.int64))
    vague = graph.with_unlisted(np.array([0.5, 0.0]))
    assert vague.background.tolist() == [1.0, 0.0]  # as likely as the one that is listed


def test_a_ball_with_unknown_people_has_room_for_them(swapped):
    view = Intruder(records=0.5).view(swapped)
    law = informed_law(view, generator(1))
    near = ball_around(law, np.arange(20), strangers=300)
    assert near.graph.records + near.graph.strangers >= near.graph.row_count
    assert near.graph.strangers > 0


def test_an_indexed_law_gives_the_lists_of_all_pairs(swapped, monkeypatch):
    view = Intruder().view(swapped)
    law = informed_law(view, generator(1))
    pairs = law.candidates(5)
    monkeypatch.setattr(release_law, "INDEXED", 0)
    found = law.candidates(5, thorough=True)
    assert (np.diff(found.starts) <= np.diff(pairs.starts)).all()
    assert found.left_out == pytest.approx(pairs.left_out, abs=1e-3)
    first = np.diff(pairs.starts) > 0
    assert found.log_likelihood[found.starts[:-1][first]] == pytest.approx(
        pairs.log_likelihood[pairs.starts[:-1][first]], abs=0
    )


def test_the_candidates_of_targets_are_searched_thoroughly(swapped, monkeypatch):
    """Those of the others may be left to a short search, of which little is known."""
    view = Intruder().view(swapped)
    law = informed_law(view, generator(1))
    monkeypatch.setattr(release_law, "INDEXED", 0)
    monkeypatch.setattr(release_law, "QUICK", (0, 1))
    targets = np.arange(0, 600, 60)
    near = ball_around(law, targets, largest=130)
    own, thorough = np.searchsorted(near.records, targets), law.candidates(balls.LISTED, targets, thorough=True)
    assert near.left_out[own] == pytest.approx(thorough.left_out)
    assert near.left_out[own].max() < 0.5 < np.delete(near.left_out, own).max()


def three_rivals() -> Rivals:
    """Records 1 and 2 compete for class 7, record 5 for class 3; others take the rest."""
    shares = np.array([0.5, 0.3, 0.6])
    return Rivals(10, np.array([7, 3]), np.array([7, 7, 3]), np.array([1, 2, 5]), shares, np.zeros(2))


def test_the_share_of_some_records_in_each_row_by_hand():
    """Record 1 has its half of class 7, and 9 is one of the other 8 of 10 people, who take a fifth.

    Neither is a rival for class 3: they are two of nine who take two fifths. Nobody looked for rivals for class 4.
    """
    found = three_rivals().share_of(np.array([1, 9]), np.array([3, 4, 7]))
    assert found == pytest.approx([0.4 * 2 / 9, np.nan, 0.5 + 0.2 / 8], nan_ok=True)


@pytest.mark.parametrize(("inside", "most", "expected"), [([1], 5, [2, 5]), ([1], 1, [2]), ([], 2, [1, 2])])
def test_the_strongest_rivals_outside_come_first_by_hand(inside, most, expected):
    """Class 7 is wanted by one and class 3 by half a one, so that records 2 and 5 take three tenths each."""
    wanted = np.array([0, 0, 0, 0.5, 0, 0, 0, 1.0])
    found, strength = three_rivals().outside(np.array(inside, dtype=np.int64), wanted, most)
    assert found.tolist() == expected
    assert strength == pytest.approx([{1: 0.5, 2: 0.3, 5: 0.3}[record] for record in expected])
    assert not len(three_rivals().outside(np.array([1]), wanted * 1e-3, 5)[0])


def test_lists_are_merged_in_the_order_of_their_records():
    old = Candidates(np.array([0, 2, 3]), np.array([10, 11, 12]), np.array([0.0, -1, -2]), *np.array([[0.1, 0.2]] * 2))
    new = Candidates(np.array([0, 1]), np.array([20]), np.array([-3.0]), np.array([0.3]), np.array([0.4]))
    both, records = _merged(np.array([1, 4]), old, np.array([2]), new)
    assert records.tolist() == [1, 2, 4] and both.starts.tolist() == [0, 2, 3, 4]
    assert both.classes.tolist() == [10, 11, 20, 12] and both.log_likelihood.tolist() == [0, -1, -3, -2]
    assert both.left_out.tolist() == [0.1, 0.3, 0.2] and both.unlisted.tolist() == [0.1, 0.4, 0.2]


def test_records_share_their_importance_among_their_candidates_by_hand():
    """Two rows that are half as likely are wanted as much as one; the second record is half as important."""
    law = SimpleNamespace(rows=SimpleNamespace(sizes=np.array([1, 2, 1])))
    likelihood = np.log([0.2, 0.1, 0.003])
    lists = Candidates(np.array([0, 2, 3]), np.array([0, 1, 2]), likelihood, np.zeros(2), np.zeros(2))
    assert _wanted(law, lists, np.array([1.0, 0.5])) == pytest.approx([0.5, 0.5, 0.5])


def test_classes_do_not_depend_on_the_order_of_the_rows():
    released = release_of(200, "rounding:base=100").masked
    order = np.random.default_rng(1).permutation(200)
    names = [each.name for each in released.attributes]
    one = release_law.RowClasses.by(released, names)
    other = release_law.RowClasses.by(released.take(order), names)
    assert len(one.sizes) < 200
    assert (one.of[order] == other.of).all()
    assert (one.sizes == other.sizes).all()
    assert (one.of[one.first] == np.arange(len(one.sizes))).all()


@pytest.mark.slow
@pytest.mark.parametrize("ball", [3_000, 20_000])
def test_claims_about_a_vague_release_of_a_large_file_are_not_overconfident(ball):
    """The posterior of a record spreads over more rows than are listed, and the ball is cut, or has all records."""
    rng = np.random.default_rng(8)
    records = 9_000
    place, work = rng.integers(0, 9, records), rng.integers(0, 12, records)
    frame = pl.DataFrame(
        {
            "age": np.round(rng.uniform(15, 95, records)),
            "place": [f"place {each}" for each in place],
            "work": [f"work {each}" for each in np.where(rng.random(records) < 0.4, place, work)],
        }
    )
    data = Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"))
    steps = (Step(Pram(stay=0.7), ("place", "work")), Step(AdditiveNoise(variance_share=0.3), ("age",)))
    release = protect(data, Recipe(steps), seed=1)
    view = Intruder().view(release)
    truth = release.true_rows(view.records)
    targets = np.arange(0, records, 4)
    found = inferred(view, informed_law(view, generator(1)), generator(2), targets=targets, largest=0, ball=ball)
    correct = found.correct(truth[found.records])[found.index(targets)].mean()
    expected = found.confidence[found.index(targets)].mean()
    error = np.sqrt(expected * (1 - expected) / len(targets))
    assert abs(correct - expected) < 4 * error


@pytest.mark.parametrize("least", [1e-2, 0.9])
def test_classes_that_are_not_looked_for_are_those_below_the_least_likelihood(least, monkeypatch):
    """The tree is left early, and no class at or above the least share of the largest likelihood is missed."""
    monkeypatch.setattr(release_law, "INDEXED", 0)
    view = Intruder().view(release_of(300, "additive-noise:variance_share=0.05"))
    law = informed_law(view, generator(1))
    every, some = law.candidates(300), law.candidates(300, least=least)
    for record in range(law.records):
        all_of, found = (slice(each.starts[record], each.starts[record + 1]) for each in (every, some))
        likely = every.log_likelihood[all_of] > every.log_likelihood[all_of].max() + np.log(least)
        assert set(every.classes[all_of][likely]) <= set(some.classes[found])
    assert len(some.classes) < len(every.classes)
