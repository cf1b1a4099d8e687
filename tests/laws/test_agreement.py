"""How well attributes agree is learned from two files without their correspondence, and claims are calibrated."""

from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.agreement_fit import agreement_law, posteriors_of_some
from sdckit.laws.first_agreements import _fixed, _ranks, first_agreements
from sdckit.laws.release_law import Candidates, RowClasses
from sdckit.microdata import Microdata, Role
from sdckit.randomness import generator
from sdckit.release import Release, protect
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder


def tied_file(records: int = 400, holes: float = 0.0) -> Microdata:
    """Hours of which half are forty, ages in years, amounts and two categories; all are keys."""
    rng = np.random.default_rng(4)
    columns = {
        "hours": np.where(rng.random(records) < 0.5, 40.0, np.round(rng.normal(38, 12, records))),
        "age": np.round(rng.gamma(9, 4.5, records)),
        "amount": np.round(rng.lognormal(10, 1, records)),
    }
    frame = pl.DataFrame(columns)
    if holes:
        frame = frame.with_columns(
            [pl.when(pl.Series(rng.random(records) >= holes)).then(pl.col(name)).alias(name) for name in columns]
        )
    labels = np.array(list("abcdef"))
    frame = frame.with_columns(
        [pl.Series(f"c{index}", labels[np.minimum(rng.geometric(0.4, records) - 1, 5)]) for index in range(2)]
    )
    return Microdata.from_frame(frame).with_roles(**dict.fromkeys(frame.columns, Role.KEY))


@pytest.fixture(scope="module")
def swapped() -> Release:
    return protect(tied_file(), "rank-swapping:window=0.15", ["hours", "age", "amount"], seed=3)


def test_true_pairs_give_the_share_of_categories_that_stay():
    release = protect(tied_file(), "pram:stay=0.7", ["c0", "c1"], seed=5)
    view = Intruder().view(release)
    rows = RowClasses.by(view.released, view.attributes)
    model = {each.names[0]: each for each in first_agreements(view, rows, generator(1)).model}
    truth = release.true_rows(view.records)
    same = view.known.columns["c0"] == view.released.columns["c0"][truth]
    fitted = model["c0"].refitted(np.arange(len(view)), rows.of[truth], np.ones(len(view)))
    staying, anew = fitted.shares[1:]
    by_chance = (np.bincount(view.known.columns["c0"]) / len(view)) ** 2
    assert staying + anew * by_chance.sum() == pytest.approx(same.mean(), abs=0.05)


def test_without_any_pair_the_first_shares_stay(swapped):
    view = Intruder().view(swapped)
    model = first_agreements(view, RowClasses.by(view.released, view.attributes), generator(1)).model
    none = np.empty(0, np.int64)
    for each in model:
        assert each.refitted(none, none, np.empty(0)).shares == pytest.approx(each.first)


@pytest.mark.parametrize("holes", [0.0, 0.15])
@pytest.mark.parametrize("recipe", ["rank-swapping:window=0.3", "pram:stay=0.7", "top-coding:share=0.1"])
def test_the_first_shares_of_an_attribute_are_a_distribution(recipe, holes):
    view = Intruder().view(protect(tied_file(holes=holes), recipe, seed=3))
    for each in first_agreements(view, RowClasses.by(view.released, view.attributes), generator(1)).model:
        assert each.first.sum() == pytest.approx(1.0)
        assert (each.first >= 0).all()


def test_claims_after_swapping_with_ties_are_not_overconfident(swapped):
    score = OrdinaryIntruder().measure(swapped)
    assert score.value > 0.4
    assert score.details["expected_found"] <= score.value + 0.06
    assert score.details["sure_claims_correct"] >= 0.9 * score.details["sure_claims"]


@pytest.mark.slow
def test_a_hole_that_stays_helps_to_find_its_record():
    names = ["hours", "age", "amount"]
    release = protect(tied_file(holes=0.15), "rank-swapping:window=0.3", names, seed=3)
    view = Intruder().view(release)
    model = first_agreements(view, RowClasses.by(view.released, view.attributes), generator(1)).model
    assert sorted(each.names[0] for each in model) == sorted([*view.attributes, *names])
    law = agreement_law(view, generator(1))
    truth = release.true_rows(view.records)
    parts = law.of_pairs(np.arange(len(view)), law.rows.of[truth])
    missing = view.known.absent("age")
    assert missing.any()
    assert (parts["age",][missing] > 1.0).all()


@pytest.mark.slow
def test_the_correspondence_is_not_used(swapped):
    view = Intruder().view(swapped)
    order = np.random.default_rng(1).permutation(len(view))
    other = Intruder().view(Release.in_order(swapped.original, swapped.masked.take(order), swapped.recipe))
    one, shuffled = (agreement_law(each, generator(1)) for each in (view, other))
    for mine, theirs in zip(one.blocks, shuffled.blocks, strict=True):
        assert (mine.of_record == theirs.of_record).all()
        assert getattr(mine, "entries", np.zeros(1)).tobytes() == getattr(theirs, "entries", np.zeros(1)).tobytes()


def test_a_row_that_others_want_is_less_likely_the_records_own():
    found = Candidates(np.array([0, 2, 3]), np.array([0, 1, 1]), np.log([50.0, 50.0, 80.0]), np.zeros(2), np.zeros(2))
    first, second, _ = posteriors_of_some(found, RowClasses(np.arange(2), np.ones(2, np.int64), np.arange(2)))
    assert first + second == pytest.approx(1.0)
    assert first == pytest.approx(5 * second)  # (80 + 20) / 20


@pytest.mark.parametrize("recipe", ["rank-swapping:window=0.3", "pram:stay=0.7"])  # equal values have equal ranks
def test_blocks_that_are_compared_with_anybody_are_the_mixture_itself(recipe):
    view = Intruder().view(protect(tied_file(60, holes=0.1), recipe, seed=3))
    rows = RowClasses.by(view.released, view.attributes)
    records, classes = (each.ravel() for each in np.meshgrid(np.arange(len(view)), np.arange(len(rows.sizes))))
    for each in first_agreements(view, rows, generator(1)).model:
        total = sum(block.of_pairs(records, classes) for block in each.blocks(compared=True))
        assert np.exp(total) == pytest.approx(each.lift(records, classes))
        assert each.lift(records, classes) == pytest.approx(each.shares @ each.parts(records, classes))


def test_a_sample_that_is_not_masked_is_claimed_as_surely_as_it_is_found():
    release = protect(tied_file(120), "simple-sampling:share=0.5", seed=3)
    score = OrdinaryIntruder().measure(release)
    assert score.value > 0.45
    assert score.details["expected_found"] == pytest.approx(score.value, abs=0.05)


def test_middle_ranks_by_hand():
    assert _ranks(np.array([np.nan, 3.0])) == pytest.approx([np.nan, 0.5], nan_ok=True)
    assert _ranks(np.array([2.0, 1.0, 4.0, 2.0, np.nan])) == pytest.approx(
        [0.5, 0.125, 0.875, 0.5, np.nan], nan_ok=True
    )


@dataclass
class Part:
    shares: np.ndarray
    lifts: np.ndarray
    rarity: np.ndarray
    first: np.ndarray | None = None
    fixed: bool = False


@pytest.mark.parametrize(("rarity", "place"), [([0.0, 2.0], 0), ([0.0, 0.0], 1)])
def test_a_column_that_looks_unchanged_is_so_but_for_some_doubt(rarity, place):
    """Numbers are equal, which comes first; categories stay, which comes next."""
    found = _fixed(Part(np.full(4, 0.25), np.ones((3, 2)), np.array(rarity)))
    assert found.fixed and found.first is found.shares and found.first.sum() == pytest.approx(1)
    assert found.first.argmax() == place and found.first[place] >= 1 - 1e-3
    assert np.delete(found.first, [0, place]) == pytest.approx(1e-3 / 3)
