"""Closed laws are the frequencies of many maskings."""

import numpy as np
import polars as pl
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.blocks import Deviations, Intervals, Table
from sdckit.laws.closed import _mixture
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import ReleaseLaw, RowClasses, Source
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import Release, protect
from sdckit.risks import InformedIntruder, IntersectionAttack
from sdckit.testing.files import a_file

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


@pytest.mark.parametrize(("recipe", "names"), [("value-flip", ["town", "post code"]), ("microhybrid", ["age", "rent"])])
def test_the_law_that_a_method_states_for_the_file_known_whole_is_used(recipe, names):
    release = protect(a_file(60).only(names), recipe, seed=1)
    stated = release.recipe.steps[0].masking.law(release.masked, release.original)
    before, after = (
        np.column_stack([file.columns[name] for name in names]).astype(float)
        for file in (release.original, release.masked)
    )
    expected = stated.log_likelihood(before, after)
    assert likelihoods(law_of(release)) == pytest.approx(expected)


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


class Stated:
    """A method that states the likelihood of each row for each record."""

    def __init__(self, likelihood: np.ndarray) -> None:
        self.likelihood = likelihood

    def mixture_law(self, *files) -> "Stated":
        return self

    def log_likelihood(self, known: np.ndarray) -> np.ndarray:
        return np.log(self.likelihood)


@pytest.mark.parametrize("values", [[3.0, 1.0, 3.0, 2.0, 3.0, 1.0], [3.0, 1.0, 6.0, 2.0, 5.0, 4.0]])
def test_rows_that_look_the_same_share_their_mean_likelihood(values):
    data = Microdata((Attribute("x", Kind.CONTINUOUS, Role.KEY),), {"x": np.array(values)})
    view, rows = Intruder().view(Release.in_order(data, data)), RowClasses.by(data, ["x"])
    likelihood = np.random.default_rng(1).gamma(1.0, size=(6, 6))
    (table,), exact = _mixture(Stated(likelihood), view, ["x"], rows, sampled=False)
    for record in range(6):
        found = np.exp(table.of_pairs(np.full(6, record), rows.of))
        assert found == pytest.approx([likelihood[record, data.columns["x"] == value].mean() for value in values])
    assert not exact


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


def test_whole_numbers_reach_half_a_unit_beyond_the_width_and_are_not_exact():
    """Also beside an attribute that is exact: a value may be rounded away from the known one."""
    rng = np.random.default_rng(3)
    whole, other = rng.integers(0, 9, 60), rng.normal(size=60)
    data = Microdata.from_frame(pl.DataFrame({"whole": whole, "other": other}))
    release = protect(data, "bounded-noise:half_width=0.5", seed=1)
    law = law_of(release)
    box = next(block for block in law.blocks if isinstance(block, Intervals) and block.names == ("whole",))
    width = 0.5 * whole.std(ddof=1)
    assert box.lower[:, 0] == pytest.approx(whole - width - 0.5, abs=1e-5 * width)
    assert box.upper[:, 0] == pytest.approx(whole + width + 0.5, abs=1e-5 * width)
    assert not law.exact
    assert law_of(protect(data.only(["other"]), "bounded-noise:half_width=0.5", seed=1)).exact


@pytest.mark.parametrize("half_width", [0.1, 1.0, 3.0])
def test_an_estimated_width_leaves_the_true_row_possible(half_width):
    for seed in range(20):
        release = protect(a_file(50, seed=seed), f"bounded-noise:half_width={half_width}", seed=seed)
        view = Intruder(records=0.4).view(release, seed=1)
        law = informed_law(view, np.random.default_rng(1))
        assert (likelihoods(law)[np.arange(len(view)), view.records] > -np.inf).all()


def test_promised_runs_of_groups_exclude_rows():
    """Whole records are swapped within a window of an aggregated order: rows beyond it are impossible."""
    release = protect(a_file(150), "aggregated-rank-swapping", seed=1)
    found = InformedIntruder().measure(release, seed=1)
    assert found.value >= IntersectionAttack().measure(release, seed=1).value - 0.015
    assert found.details["certain_matches"] <= found.value * 150 + 1e-9
