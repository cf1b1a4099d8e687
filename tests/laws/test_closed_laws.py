"""Closed laws are the frequencies of many maskings, and maps of single values are exact, however few are known."""

import numpy as np
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.blocks import Deviations, Intervals, Table
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import ReleaseLaw, Source
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import Release, protect
from sdckit.risks import InformedIntruder, IntersectionAttack, MixedLinkage
from sdckit.testing.files import a_file, with_missing

COPIES = 4_000
ERROR = 4.5 * np.sqrt(0.25 / COPIES)  # of a share of so many


def law_of(release: Release, **knowledge) -> ReleaseLaw:
    return informed_law(Intruder(**knowledge).view(release, seed=1), np.random.default_rng(1))


def likelihoods(law: ReleaseLaw) -> np.ndarray:
    """The log-likelihood of every row for every known record."""
    records, rows = np.divmod(np.arange(law.records * len(law.rows.of)), len(law.rows.of))
    return np.asarray(sum(law.of_pairs(records, law.rows.of[rows]).values())).reshape(law.records, -1)


def copies_of(values: list, kind: Kind, categories: tuple[str, ...] | None = None) -> Microdata:
    column = np.tile(np.array(values), COPIES)
    return Microdata((Attribute("x", kind, Role.KEY, categories=categories),), {"x": column})


def assert_frequencies(release: Release, count: int) -> None:
    """The law of the first records, which are all different, is what became of their copies."""
    law = law_of(release, records=tuple(range(count)))
    assert set(law.sources.values()) == {Source.EXACT}
    released = release.masked.columns["x"]
    values, first = np.unique(released, return_index=True)
    stated = np.exp(np.array(law_pairs(law, count, first)))
    seen = np.array([[np.mean(released[record::count] == value) for value in values] for record in range(count)])
    assert stated == pytest.approx(seen, abs=ERROR)
    assert not seen[stated == 0].any()


def law_pairs(law: ReleaseLaw, count: int, rows: np.ndarray) -> list[np.ndarray]:
    classes = law.rows.of[rows]
    return [sum(law.of_pairs(np.full(len(rows), record), classes).values()) for record in range(count)]


def test_random_rounding_by_frequencies():
    data = copies_of([-7.5, 0.0, 1.0, 2.5, 13.0, 19.9, 20.0], Kind.CONTINUOUS)
    assert_frequencies(protect(data, "random-rounding:base=10", seed=1), 7)


def test_random_rounding_of_categories_by_frequencies():
    data = copies_of([0, 1, 2, 3, 4, 5, 6], Kind.DISCRETE, tuple("abcdefg"))
    assert_frequencies(protect(data, "random-rounding:base=4", seed=1), 7)


@pytest.mark.parametrize("recipe", ["rounding:base=4", "random-rounding:base=4"])
def test_a_category_rounded_beyond_the_last_one_is_the_last_one(recipe):
    data = Microdata((Attribute("x", Kind.DISCRETE, Role.KEY, tuple("abcdefg")),), {"x": np.arange(7)})
    release = protect(data, recipe, seed=1)
    law = law_of(release, records=(5, 6))
    assert (likelihoods(law)[[0, 1], [5, 6]] > -np.inf).all()


def test_flips_of_random_records_by_frequencies():
    data = copies_of([0, 1, 2, 3], Kind.UNORDERED, tuple("abcd"))
    assert_frequencies(protect(data, "value-flip:share=0.3,rarest=false", seed=1), 4)


def test_flips_of_a_fixed_number_of_records_are_no_ground_for_a_bound():
    data = a_file(60).only(["town", "grade"])
    assert not law_of(protect(data, "value-flip:share=0.3,rarest=false", seed=1)).exact


@pytest.mark.slow
def test_flips_of_the_rarest_records_by_frequencies():
    """Over many maskings each record has another value as often as the law of the file known whole says."""
    data = a_file(40).only(["town", "grade"])
    times = 2_000
    changed = np.zeros(40)
    for seed in range(times):
        release = protect(data, "value-flip:share=0.3", ["town"], seed=seed)
        changed += release.masked.columns["town"] != data.columns["town"]
    law = law_of(release)
    assert law.sources["town"] is Source.EXACT
    unchanged = np.flatnonzero(release.masked.columns["town"] == data.columns["town"])
    (table,) = [block for block in law.blocks if isinstance(block, Table) and block.names == ("town",)]
    towns = data.columns["town"]
    own = [table.of_pairs(np.array([i]), law.rows.of[unchanged[towns[unchanged] == towns[i]][:1]]) for i in range(40)]
    stated = np.array([np.exp(each[0]) for each in own])
    assert stated == pytest.approx(1 - changed / times, abs=4.5 * np.sqrt(0.25 / times))
    assert set(np.round(stated, 6)) > {0.0, 1.0} or len(set(np.round(stated, 6))) > 1


@pytest.mark.parametrize("recipe", ["aggregated-noise", "aggregated-rank-swapping"])
def test_the_law_that_a_method_states_pair_by_pair_is_used(recipe):
    """The blocks give the log-likelihood of the method itself, up to a constant for each record."""
    names = ["yearly income", "rent"]
    release = protect(a_file(60).only(names), recipe, seed=1)
    law = law_of(release)
    assert set(law.sources.values()) == {Source.EXACT}
    stated = release.recipe.steps[0].masking.law(release.masked, release.original)
    known, rows = release.original.matrix(names), release.masked.matrix(names)
    expected = stated.log_likelihood(known, rows)
    tables = [block for block in law.blocks if isinstance(block, Table)]
    records, row = np.divmod(np.arange(60 * 60), 60)
    found = sum(block.of_pairs(records, law.rows.of[row]) for block in tables).reshape(60, 60)
    gap = found - expected
    near = expected > expected.max(axis=1, keepdims=True) - 50
    assert np.where(near, gap - np.median(gap, axis=1, keepdims=True), 0.0) == pytest.approx(0.0, abs=0.02)


ERRONEOUS = {"rounding:base=2000": 2000.0, "top-coding:share=0.2": None}


@pytest.mark.parametrize("recipe", ERRONEOUS)
def test_an_error_in_known_values_is_convolved_with_a_map(recipe):
    """A row is as likely as the known value, less its error, is mapped to it."""
    data = a_file(200).only(["yearly income"])
    release = protect(data, recipe, seed=1)
    view = Intruder(noise=0.2).view(release, seed=1)
    law = informed_law(view, np.random.default_rng(1))
    assert set(law.sources.values()) == {Source.EXACT}
    known, rows = view.known.columns["yearly income"], release.masked.columns["yearly income"]
    error = 0.2 * data.columns["yearly income"].std()
    draws = known[:20, None] - error * np.random.default_rng(2).standard_normal(COPIES)
    top = rows.max()
    image = np.minimum(draws, top) if ERRONEOUS[recipe] is None else np.floor(draws / 2000 + 0.5) * 2000
    if ERRONEOUS[recipe] is None:  # only the highest value has more than one original
        stated, seen = np.exp(likelihoods(law)[:20][:, rows == top][:, 0]), (image == top).mean(axis=1)
    else:
        values = np.unique(rows)
        first = [np.flatnonzero(rows == value)[0] for value in values]
        stated = np.exp(likelihoods(law)[:20][:, first])
        seen = (image[:, :, None] == values).mean(axis=1)
    assert stated == pytest.approx(seen, abs=0.04)


def test_an_error_in_known_values_adds_to_the_noise():
    data = a_file(400).only(["yearly income"])
    release = protect(data, "additive-noise:variance_share=0.09", seed=1)
    law = law_of(release, noise=0.4)
    (block,) = [each for each in law.blocks if isinstance(each, Deviations)]
    deviation = np.ptp(release.masked.columns["yearly income"]) / np.ptp(block.of_row)
    assert deviation == pytest.approx(0.5 * data.columns["yearly income"].std(), rel=0.1)


def test_bounded_noise_is_within_its_width():
    release = protect(a_file(80).only(["yearly income"]), "bounded-noise:half_width=0.5", seed=1)
    law = law_of(release)
    values = release.original.columns["yearly income"]
    (box,) = [block for block in law.blocks if isinstance(block, Intervals)][:1]
    width = 0.5 * values.std(ddof=1)
    assert box.lower[:, 0] == pytest.approx(values - width, abs=1e-5 * width)
    assert box.upper[:, 0] == pytest.approx(values + width, abs=1e-5 * width)
    assert set(law.sources.values()) == {Source.EXACT}


@pytest.mark.parametrize("half_width", [0.1, 1.0, 3.0])
def test_an_estimated_width_leaves_the_true_row_possible(half_width):
    for seed in range(20):
        release = protect(a_file(50, seed=seed), f"bounded-noise:half_width={half_width}", seed=seed)
        view = Intruder(records=0.4).view(release, seed=1)
        law = informed_law(view, np.random.default_rng(1))
        assert (likelihoods(law)[np.arange(len(view)), view.records] > -np.inf).all()


MAPS = {
    "rounding:base=50": ("yearly income", "rent"),
    "top-coding": ("yearly income", "rent"),
    "top-coding:share=0,limit=900": ("rent",),
    "bottom-coding:share=0.2": ("yearly income",),
    "top-coding:tail_mean=true": ("rent",),
    "global-recoding": ("post code",),
}


@pytest.mark.parametrize("recipe", MAPS)
@pytest.mark.parametrize("missing", [False, True])
def test_a_map_of_single_values_is_exact_by_a_part_of_the_records(recipe, missing):
    names = MAPS[recipe]
    data = with_missing(a_file(80)) if missing else a_file(80)
    release = protect(data, recipe, names, seed=1)
    view = Intruder(attributes=names, records=0.3).view(release, seed=1)
    law = informed_law(view, np.random.default_rng(1))
    assert set(law.sources.values()) == {Source.EXACT}
    masked = [release.masked.columns[name] for name in names]
    same = np.ones((len(view), len(release.masked)), dtype=bool)
    for column in masked:  # a hole stays a hole
        same &= np.isclose(column[view.records][:, None], column[None, :], equal_nan=True)
    assert np.array_equal(likelihoods(law) > -np.inf, same)


def test_a_chain_of_maps_is_exact_too():
    release = protect(a_file(80), ["top-coding:share=0,limit=900", "rounding:base=50"], ["rent"], seed=1)
    law = law_of(release, attributes=("rent",), records=0.3)
    assert law.sources == {"rent": Source.EXACT}


def test_a_map_before_a_suppression_is_not_exact():
    release = protect(a_file(80), ["global-recoding", "local-suppression"], seed=1)
    assert law_of(release, attributes=("post code",), records=0.3).sources != {"post code": Source.EXACT}


def test_a_limit_that_depends_on_missing_values_is_not_taken_for_a_single_value():
    """The limit of top coding is not known where values are missing: the chain is replayed, and finds as many."""
    release = protect(with_missing(a_file(200)), ["top-coding", "rounding"], seed=1)
    found = InformedIntruder().measure(release, seed=1).value
    assert found >= MixedLinkage().measure(release, seed=1).value - 0.015


def test_promised_runs_of_groups_exclude_rows():
    """Whole records are swapped within a window of an aggregated order: rows beyond it are impossible."""
    release = protect(a_file(150), "aggregated-rank-swapping", seed=1)
    found = InformedIntruder().measure(release, seed=1)
    assert found.value >= IntersectionAttack().measure(release, seed=1).value - 0.015
    assert found.details["certain_matches"] <= found.value * 150 + 1e-9
