"""Of several sets of columns that may be unchanged, the one that explains the others is taken, and doubt is left."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.agreement_fit import agreement_law
from sdckit.laws.explanations import (
    AT_RANDOM,
    DOUBT,
    NOTHING,
    _Compared,
    _first,
    _log_before,
    _often_best,
    _Pairs,
    _parted,
)
from sdckit.laws.first_agreements import first_agreements
from sdckit.laws.inference import inferred
from sdckit.laws.release_law import RowClasses
from sdckit.laws.unchanged import Unchanged
from sdckit.microdata import Kind, Microdata, Role
from sdckit.randomness import generator
from sdckit.release import Release, protect
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder
from sdckit.risk.linkage.mixed_linkage import MixedLinkage

NUMBERS, CODES = ["wage", "age", "hours"], ["region", "job"]


def people(records: int = 300, seed: int = 4) -> Microdata:
    """Three numbers without ties, which go together a little, and two categories; all are keys."""
    rng = np.random.default_rng(seed)
    common = rng.standard_normal(records)
    frame = pl.DataFrame(
        {name: np.round(rng.standard_normal(records) + 0.5 * common, 6) for name in NUMBERS}
        | {"region": rng.integers(0, 8, records).astype(str), "job": rng.integers(0, 6, records).astype(str)}
    )
    kinds = dict.fromkeys(CODES, Kind.UNORDERED)
    return Microdata.from_frame(frame, kinds=kinds).with_roles(**dict.fromkeys(frame.columns, Role.KEY))


def agreements(release: Release, **knowledge):
    view = Intruder(**knowledge).view(release)
    return first_agreements(view, RowClasses.by(view.released, view.attributes), generator(1))


def fixed(release: Release, **knowledge) -> set[str]:
    return {name for each in agreements(release, **knowledge).model if each.fixed for name in each.names}


def test_numbers_that_moved_together_are_compared_by_their_common_rank_and_the_categories_are_unchanged():
    found = agreements(protect(people(), "aggregated-rank-swapping:window=0.05", NUMBERS, seed=1))
    assert {each.names for each in found.model if each.fixed} == {("region",), ("job",)}
    assert [each.names for each in found.model if not each.fixed] == [tuple(sorted(NUMBERS))]
    assert found.doubt < 0.01


def test_categories_that_moved_together_leave_the_numbers_unchanged():
    original = people()
    order = np.random.default_rng(2).permutation(len(original))
    stays = np.random.default_rng(3).random(len(original)) < 0.6
    mixed = {name: np.where(stays, original.columns[name], original.columns[name][order]) for name in CODES}
    release = Release.in_order(original, original.with_columns(mixed), None)
    assert fixed(release) >= set(NUMBERS)


@pytest.mark.parametrize("recipe", ["rank-swapping:window=0.1", "additive-noise:variance_share=0.3"])
def test_numbers_masked_one_by_one_leave_the_categories_unchanged(recipe):
    found = agreements(protect(people(), recipe, NUMBERS, seed=1))
    assert {name for each in found.model if each.fixed for name in each.names} == set(CODES)
    assert found.doubt < 0.01


def test_a_category_by_itself_can_explain_what_moved_together():
    release = protect(people(400), "aggregated-rank-swapping:window=0.02", NUMBERS, seed=1)
    assert fixed(release, attributes=("region", *NUMBERS)) == {"region"}


def test_a_file_that_is_released_as_it_is_leaves_no_doubt():
    found = agreements(Release.in_order(people(), people(), None))
    assert all(each.fixed for each in found.model)
    assert found.doubt == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_exchanged_numbers_make_nobody_sure_of_the_wrong_rows(seed):
    release = protect(people(300, seed), "aggregated-rank-swapping:window=0.1", NUMBERS, seed=seed)
    score = OrdinaryIntruder().measure(release)
    assert score.value >= MixedLinkage().measure(release).value
    assert score.details["calibrated"]


def test_where_sets_are_exchanged_at_random_neither_is_believed_unchanged():
    original = people(200, 7)
    order = np.random.default_rng(5).permutation(len(original))
    exchanged = {name: original.columns[name][order] for name in NUMBERS}
    release = Release.in_order(original, original.with_columns(exchanged), None)
    assert agreements(release).doubt > 0.05  # so that no claim is a sure one


def test_sets_with_a_column_in_common_leave_no_doubt_about_each_other():
    """Suppressed values leave several sets of categories that look unchanged; they do not contradict each other."""
    rng = np.random.default_rng(6)
    known = rng.integers(0, 5, (200, 4))
    released = np.where(rng.random((200, 4)) < 0.02, -1, known)
    released[:, 3] = known[:, 3][rng.permutation(200)]
    files = Unchanged(known, released[rng.permutation(200)])
    assert files.sets[0][:2] == (0, 1)
    original = people(300, 8)
    holes = {
        name: np.where(np.random.default_rng(number).random(300) < 0.05, -1, original.columns[name])
        for number, name in enumerate(CODES)
    }
    moved = protect(original, "rank-swapping:window=0.1", NUMBERS, seed=2).masked
    assert agreements(Release.in_order(original, moved.with_columns(holes), None)).doubt < 0.05


def drawn_again(seed: int, records: int = 600) -> Release:
    """Degrees, which the years at school nearly determine, are drawn again among people with the same years."""
    rng = np.random.default_rng(seed)
    years = rng.integers(0, 8, records)
    codes = {"years": years, "degree": np.where(rng.random(records) < 0.97, years, (years + 1) % 8)}
    sizes = {"town": 3, "job": 9, "trade": 7, "status": 5, "age": 60}
    codes |= {name: rng.integers(0, size, records) for name, size in sizes.items()}
    frame = pl.DataFrame({name: values.astype(str) for name, values in codes.items()})
    original = Microdata.from_frame(frame, kinds=dict.fromkeys(codes, Kind.UNORDERED))
    original = original.with_roles(**dict.fromkeys(codes, Role.KEY))
    drawn = original.columns["degree"].copy()
    for each in range(8):
        alike = np.flatnonzero(years == each)
        drawn[alike] = drawn[rng.permutation(alike)]
    exchanged = rng.permutation(original.columns["age"])
    return Release.in_order(original, original.with_columns({"degree": drawn, "age": exchanged}), None)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_column_that_another_nearly_determines_does_not_hide_what_is_unchanged(seed):
    release = drawn_again(seed)
    found = OrdinaryIntruder().measure(release, seed=1).value
    assert found >= MixedLinkage().measure(release, seed=1).value - 0.015


def test_explanations_are_as_probable_as_they_are_often_the_best():
    equal = np.zeros((2, 50))
    assert _often_best(equal, np.zeros(2), generator(1)) == pytest.approx([0.5, 0.5])
    better = np.vstack([np.full(50, 0.1), np.zeros(50)])
    assert _often_best(better, np.zeros(2), generator(1)) == pytest.approx([1.0, 0.0])
    assert _often_best(better, np.array([0.0, 6.0]), generator(1)) == pytest.approx([0.0, 1.0])
    noise = np.random.default_rng(1).normal(0.0, 3.0, (2, 50))
    share = _often_best(noise - noise.mean(axis=1, keepdims=True), np.zeros(2), generator(1))
    assert share == pytest.approx([0.5, 0.5], abs=0.1)


def test_the_mean_over_the_records_of_a_row_counts_strangers_as_anybody():
    pairs = _Pairs(np.array([0, 0, 1]), np.array([0, 1, 2]), np.array([2.0, 0.0, 0.0]))
    assert pairs.mean(np.array([4.0, 2.0, 3.0])) == pytest.approx([(4 + 2 + 2) / 4, 3.0, 1.0])


def test_a_doubt_lowers_every_probability_and_the_claims_stay():
    release = protect(people(60), "rank-swapping", NUMBERS, seed=1)
    view = Intruder().view(release)
    law = agreement_law(view, generator(1))
    sure, unsure = (inferred(view, replace(law, doubt=doubt), generator(2)) for doubt in (0.0, 0.25))
    assert unsure.confidence == pytest.approx(0.75 * sure.confidence)
    assert (unsure.edge == sure.edge).all()
    assert 0 < DOUBT < 0.5


def test_parts_are_the_sets_that_moved_together_and_all_others_by_hand():
    files = SimpleNamespace(sets=[(0, 1), (1, 2), (3,)])
    assert _parted(files, 5) == [(0, 1), (2,), (3, 4)]
    assert _parted(files, 2) == [(0, 1)]


def test_what_a_part_says_first_adds_up_to_one():
    for count in (NOTHING + 1, NOTHING + 3):
        shares = _first(np.ones((count, 4)))
        assert shares.sum() == pytest.approx(1) and len(set(np.delete(shares, NOTHING))) == 1
        assert shares[NOTHING] == AT_RANDOM


def test_rows_meet_the_records_with_the_same_values_by_hand():
    """Records 0 and 1 look like row 0, nobody like row 1, and of the three rows like record 2 two are of strangers."""
    compared = _Compared.__new__(_Compared)
    known, released = np.array([[1], [1], [2]]), np.array([[1], [3], [2], [2], [2]])
    compared._files = SimpleNamespace(known=known, released=released)
    compared._rows, compared._rng = np.array([0, 1, 3]), np.random.default_rng(0)
    pairs = compared._pairs((0,))
    assert pairs.line.tolist() == [0, 0, 2] and sorted(pairs.records[:2]) == [0, 1] and pairs.records[2] == 2
    assert pairs.strangers.tolist() == [0, 0, 2]
    assert pairs.total(np.array([5.0, 7, 4])).tolist() == [12, 0, 6]
    assert pairs.mean(np.array([5.0, 7, 4])).tolist() == [6, 1, 2]
    assert len(compared._pairs(()).line) == 9


def test_parts_that_say_nothing_are_the_less_likely_the_more_rows_they_leave():
    """What was expected costs nothing, and even a part that says nothing at all stays possible."""
    assert _log_before(0.0) == _log_before(AT_RANDOM) == 0
    costs = [_log_before(share) for share in (0.2, 0.5, 0.9, 1.0)]
    assert np.isfinite(costs).all() and (np.diff([0, *costs]) < 0).all()
