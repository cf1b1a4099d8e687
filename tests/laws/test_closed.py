"""Closed laws are the frequencies of many maskings."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from sdckit.edits import Edits
from sdckit.intruder import Intruder
from sdckit.laws import closed
from sdckit.laws.blocks import Deviations, Intervals, Table
from sdckit.laws.closed import _about_rows, _blocks_of, _factor, _mixture, _transition, closed_blocks
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import ReleaseLaw, RowClasses, Source
from sdckit.likelihood import (
    FactorLaw,
    NeighbourLaw,
    RecordTable,
    RecordTableLaw,
    RecordTransitionLaw,
    TransitionLaw,
    UniformLaw,
)
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.normal_law import ClusterNormalLaw, NormalLaw, RowNormalLaw
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.risks import InformedIntruder, IntersectionAttack
from sdckit.testing.files import a_file
from tests.laws.views import categories, numbers, of_all_pairs, view_of

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


# Blocks of a law beside the law itself, pair by pair ------------------------------------------------------------------

NOISE = Recipe.of("additive-noise").steps[0].masking
ROUNDED = np.log(1e-6)


def said(law, original: Microdata, masked: Microdata, *, whole: bool = True, masking=NOISE, **knowledge):
    """What the blocks of a law say of each record and row, and whether they are exact."""
    view = view_of(original, masked, **knowledge)
    names = list(view.attributes)
    rows = RowClasses.by(view.released, names)
    found = _blocks_of(law, masking, view, names, rows, whole=whole)
    if found is None:
        return None
    return sum(of_all_pairs(each, len(view), len(rows.sizes)) for each in found[0])[:, rows.of], found[1]


BEFORE, AFTER = [-3.0, 0.0, 1.0, 2.5, None, 7.0], [-2.0, 0.0, 4.0, 3.0, None, 6.0]


def test_multiplied_values_keep_their_sign_and_deviate_by_their_logarithm():
    """A sign or a zero changes by rounding alone, whatever the size."""
    found, exact = said(FactorLaw(0.25), numbers({"x": BEFORE}), numbers({"x": AFTER}))
    for record, before in enumerate(BEFORE):
        for row, after in enumerate(AFTER):
            if before is None:
                expected = 0.0
            elif after is None:
                expected = -np.inf if before else ROUNDED
            else:
                expected = 0.0 if np.sign(before) == np.sign(after) else ROUNDED
                if before and after:
                    expected -= 0.5 * ((np.log(abs(after / before)) + 0.125) / 0.5) ** 2
                elif before:  # a zero counts as one whose logarithm is 0
                    expected -= 0.5 * ((np.log(abs(before)) - 0.125) / 0.5) ** 2
            assert found[record, row] == pytest.approx(expected), (before, after)
    assert not exact


def test_random_rounding_is_said_as_the_law_says_it():
    law = NeighbourLaw(2.0)
    before, after = np.array([-3.0, -2.0, 0.5, 1.0, np.nan, 7.9]), np.array([-4.0, -2.0, 0.0, 2.0, np.nan, 8.0])
    found, exact = said(law, numbers({"x": before}), numbers({"x": after}))
    expected = law.log_likelihood(before[:, None], after[:, None])
    assert exact and found == pytest.approx(expected)


def test_random_rounding_of_categories_goes_to_the_nearest_one():
    """Of seven categories in steps of 4: beyond 4 the next multiple is the last category, 6."""
    grade = Attribute("x", Kind.DISCRETE, Role.KEY, categories=tuple("abcdefg"))
    known, rows = np.array([0, 1, 4, 5, 6, -1]), np.array([0, 4, 6, 3, -1, 0])
    found, exact = said(NeighbourLaw(4.0), Microdata((grade,), {"x": known}), Microdata((grade,), {"x": rows}))
    shares = {0: {0: 1.0}, 1: {0: 0.75, 4: 0.25}, 4: {4: 1.0}, 5: {4: 0.75, 6: 0.25}, 6: {4: 0.5, 6: 0.5}}
    for record, code in enumerate(known):
        expected = [1.0 if code < 0 else shares[code].get(row, 0.0) for row in rows]
        assert np.exp(found[record]) == pytest.approx(expected)
    assert exact


def test_uniform_noise_reaches_its_width():
    law = UniformLaw(np.array([2.0]))
    after = [-1.0, 2.0, 3.000001, 3.1, None, 5.0]
    found, exact = said(law, numbers({"x": BEFORE}), numbers({"x": after}))
    dense = law.log_likelihood(np.array(BEFORE, dtype=float)[:, None], np.array(after, dtype=float)[:, None])
    dense[2, 2] = 0.0  # within a millionth of the width
    assert exact and np.array_equal(found, dense)
    assert not said(law, numbers({"x": BEFORE}), numbers({"x": after}), whole=False)[1]
    bounded = Edits.bounds(x=(-1.0, 4.0))
    clipped, exact = said(law, numbers({"x": BEFORE}, bounded), numbers({"x": [-1.0, 4.0, 5.0] * 2}, bounded))
    assert not exact and (clipped[5] == 0).tolist() == [False, True, False] * 2
    assert (clipped[0] == 0).tolist() == [True, False, False] * 2
    tenths, exact = said(law, numbers({"x": BEFORE}, decimals=1), numbers({"x": [3.05, 3.06, -1.06] * 2}, decimals=1))
    assert exact and (tenths[2] == 0).tolist() == [True, False, False] * 2


def test_transitions_are_said_as_the_law_says_them():
    table = np.log(np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.25, 0.25, 0.5]]))
    original, masked = categories({"x": "abc-"}), categories({"x": "cab-"})
    found, exact = said(TransitionLaw((table,)), original, masked)
    dense = TransitionLaw((table,)).log_likelihood(
        *(np.where(file.columns["x"] < 0, np.nan, file.columns["x"])[:, None] for file in (original, masked))
    )
    dense[:3, 3] = -np.inf  # a hole where the record has a value is impossible
    assert exact and np.array_equal(found, dense)
    assert not said(TransitionLaw((table,), independent=False), original, masked)[1]
    assert not said(TransitionLaw((table,)), original, masked, whole=False)[1]


def test_categories_beyond_the_table_say_nothing_and_are_impossible():
    """A coarser category that the intruder knows says nothing; one that no category becomes is impossible."""
    table = np.log(np.array([[0.75, 0.25], [0.5, 0.5]]))
    found, _ = said(TransitionLaw((table,)), categories({"x": "abc"}), categories({"x": "cab"}))
    assert np.exp(found) == pytest.approx(np.array([[0, 0.75, 0.25], [0, 0.5, 0.5], [0, 1, 1]]))


def test_classes_of_records_have_tables_of_their_own():
    tables = np.log(np.array([[[0.75, 0.25], [0.5, 0.5]], [[0.1, 0.9], [0.2, 0.8]]]))
    law = RecordTransitionLaw((tables,), np.array([0, 1, 1, 0]))
    original, masked = categories({"x": "abb-"}, "ab"), categories({"x": "aba-"}, "ab")
    found, exact = said(law, original, masked)
    assert np.exp(found) == pytest.approx(np.array([[0.75, 0.25, 0.75, 0], *[[0.2, 0.8, 0.2, 0]] * 2, [1] * 4]))
    assert not exact


def test_tables_of_single_records_and_of_clusters():
    table = np.log(np.random.default_rng(1).random((4, 3)))
    law = RecordTableLaw((RecordTable(("x",), table, np.array([2, 0, 1, 2])),))
    found, exact = said(law, numbers({"x": [1.0, 2, 3, 4]}), numbers({"x": [5.0, 1, 2, 5]}))
    assert exact and np.array_equal(found, table[:, [2, 0, 1, 2]])
    clusters = ClusterNormalLaw(np.array([0, 1, 1, 0]), np.array([[1.0], [4.0]]), np.array([[[4.0]], [[1.0]]]))
    found, exact = said(clusters, numbers({"x": [1.0, 2, 3, 4]}), numbers({"x": [5.0, 1, 2, 5]}))
    rows = np.array([[5.0], [1], [2], [5]])
    assert not exact and found == pytest.approx(clusters.log_likelihood(np.zeros((4, 1)), rows))


def test_too_many_clusters_have_no_table(monkeypatch):
    clusters = ClusterNormalLaw(np.array([0, 1]), np.array([[1.0], [4.0]]), np.ones((2, 1, 1)))
    files = numbers({"x": [1.0, 2.0]}), numbers({"x": [5.0, 1.0]})
    monkeypatch.setattr(closed, "CELLS", 4)
    assert said(clusters, *files) is not None
    monkeypatch.setattr(closed, "CELLS", 3)
    assert said(clusters, *files) is None


def test_laws_of_exact_values_have_no_blocks_where_values_are_known_with_an_error():
    files = numbers({"x": BEFORE}), numbers({"x": AFTER})
    for law in (FactorLaw(0.25), NeighbourLaw(2.0), UniformLaw(np.array([2.0])), None):
        assert said(law, *files, noise=0.1) is None
    normal = NormalLaw(np.eye(1), np.zeros(1), np.eye(1))
    assert said(normal, *files, noise=0.1) is not None
    assert said(None, *files) is None


class AboutRows:
    """A method by which the record behind a row is normal about a point of the row."""

    def row_law(self, released, attributes, known=None):
        points = np.column_stack([released.columns["x"], 10 + released.columns["x"] ** 2])
        return RowNormalLaw(points, np.array([[4.0, 1.0], [1.0, 9.0]]))


def test_records_deviate_about_the_mean_point_of_equal_rows():
    """By the known attribute, rows 0 and 2 look the same; their points are 1 and 3, and so 2 in the mean."""
    original = numbers({"x": [0.0, 1.0, 2.0], "y": [5.0, 6.0, 7.0]})
    view = view_of(original, numbers({"x": [1.0, 2.0, 3.0], "y": [5.0, 6.0, 5.0]}), attributes=("y",))
    rows = RowClasses.by(view.released, ["y"])
    (block,), exact = _about_rows(AboutRows(), view, ["x", "y"], ["y"], rows)
    found = of_all_pairs(block, 3, 2)[:, rows.of]
    points = np.array([(11 + 19) / 2, 14, (11 + 19) / 2])
    assert not exact and found == pytest.approx(-0.5 * (points - np.array([[5.0], [6.0], [7.0]])) ** 2 / 9)
    holes = view_of(numbers({"y": [5.0, None, 7.0]}), numbers({"x": [1.0, 2.0, 3.0], "y": [5.0, 6.0, 5.0]}))
    assert _about_rows(AboutRows(), holes, ["x", "y"], ["y"], rows) is None


def test_a_mixture_is_for_complete_records_of_small_files(monkeypatch):
    data = numbers({"x": [3.0, 1.0]})
    view, rows = view_of(data, data), RowClasses.by(data, ["x"])
    law = Stated(np.ones((2, 2)))
    monkeypatch.setattr(closed, "CELLS", 4)
    assert _mixture(law, view, ["x"], rows, sampled=False) is not None
    monkeypatch.setattr(closed, "CELLS", 3)
    assert _mixture(law, view, ["x"], rows, sampled=False) is None
    monkeypatch.undo()
    holes = view_of(numbers({"x": [3.0, None]}), data)
    assert _mixture(law, holes, ["x"], rows, sampled=False) is None


def test_what_entered_is_read_where_the_whole_file_is_known():
    """Else the noise is estimated from the release: a share of 1 is half of its variance."""
    before, after = [1.0, 2.0, 4.0], [0.0, 3.0, 9.0]
    masking = Recipe.of("additive-noise:variance_share=1").steps[0].masking

    def variance(sampled: bool = False, **knowledge) -> float:
        view = view_of(numbers({"x": before}), numbers({"x": after}), **knowledge)
        rows = RowClasses.by(view.released, ["x"])
        ((block,), exact) = closed_blocks(masking, view, ["x"], rows, sampled=sampled)
        assert exact
        return float((np.diff(np.array(after)[:2]) / np.diff(block.of_row[:2, 0]))[0] ** 2)

    assert variance() == pytest.approx(np.var(before, ddof=1))
    assert variance(sampled=True) == pytest.approx(np.var(after, ddof=1) / 2)
    assert variance(records=(0, 2)) == pytest.approx(np.var(after, ddof=1) / 2)


def test_a_method_on_several_numbers_needs_all_of_them():
    before = {"x": [1.0, 2.0, 4.0], "y": [0.0, 3.0, 9.0]}
    view = view_of(numbers(before), numbers(before), attributes=("x",))
    rows = RowClasses.by(view.released, ["x"])
    correlated, single = (Recipe.of(name).steps[0].masking for name in ("correlated-noise", "additive-noise"))
    assert closed_blocks(correlated, view, ["x", "y"], rows) is None
    assert closed_blocks(correlated, view, ["x"], rows) is not None
    assert closed_blocks(single, view, ["x", "y"], rows) is not None
    assert closed_blocks(Recipe.of("mdav").steps[0].masking, view, ["x"], rows) is None


def test_the_law_about_rows_is_taken_where_a_method_has_one():
    original = numbers({"x": [0.0, 1.0, 2.0], "y": [5.0, 6.0, 7.0]})
    view = view_of(original, numbers({"x": [1.0, 2.0, 3.0], "y": [5.0, 6.0, 5.0]}), attributes=("y",))
    rows = RowClasses.by(view.released, ["y"])
    (block,), exact = closed_blocks(AboutRows(), view, ["x", "y"], rows)
    (expected,), _ = _about_rows(AboutRows(), view, ["x", "y"], ["y"], rows)
    assert not exact and np.array_equal(of_all_pairs(block, 3, 2), of_all_pairs(expected, 3, 2))


def test_a_mixture_is_taken_where_all_values_are_known_exactly():
    data = numbers({"x": [1.0, 3.0], "y": [2.0, 8.0]})
    likelihood = np.array([[0.5, 0.25], [0.125, 1.0]])

    def found(masking, **knowledge):
        view = view_of(data, data, **knowledge)
        return closed_blocks(masking, view, ["x", "y"], RowClasses.by(data, list(view.attributes)))

    (table,), exact = found(Stated(likelihood))
    assert not exact and np.exp(of_all_pairs(table, 2, 2)) == pytest.approx(likelihood)
    assert found(Stated(likelihood), noise=0.5) is None
    assert found(Stated(likelihood), attributes=("x",)) is None

    class Unstated(Stated):
        def mixture_law(self, *files):
            return None

    assert found(Unstated(likelihood)) is None


@pytest.mark.parametrize(
    ("knowledge", "seen", "sampled", "whole"),
    [
        ({}, {}, False, True),
        ({}, {}, True, False),
        ({"records": (0, 2)}, {}, False, False),
        ({"noise": 0.1}, {}, False, False),
        ({"attributes": ("y",)}, {}, False, False),
        ({}, {"holes": True}, False, False),
    ],
)
def test_a_mixture_reads_the_file_that_entered_where_it_is_known_whole(knowledge, seen, sampled, whole):
    data = numbers({"x": [3.0, 1.0, 2.0], "y": [2.0, 8.0, 4.0]})
    view = replace(view_of(data, data, **knowledge), **seen)
    view = replace(view, known=view.known if "x" in view.known else data)
    given = []

    class Asked(Stated):
        def mixture_law(self, released, masked, known, original):
            given.append(original)

    _mixture(Asked(np.ones((3, 3))), view, ["x"], RowClasses.by(data, ["x"]), sampled=sampled)
    assert [each is not None for each in given] == [whole]


def test_pairs_of_a_mixture_and_of_clusters_are_counted_as_a_product(monkeypatch):
    data = numbers({"x": [3.0, 1.0, 2.0]})
    view, rows = view_of(data, data), RowClasses.by(data, ["x"])
    monkeypatch.setattr(closed, "CELLS", 8)
    assert _mixture(Stated(np.ones((3, 3))), view, ["x"], rows, sampled=False) is None
    clusters = ClusterNormalLaw(np.array([0, 1, 1]), np.array([[1.0], [4.0]]), np.ones((2, 1, 1)))
    monkeypatch.setattr(closed, "CELLS", 5)
    assert said(clusters, data, data) is None


def test_noise_that_depends_on_the_record_is_exact_in_a_small_file_that_is_known_whole(monkeypatch):
    class Level:
        def deviations(self, known):
            return np.abs(known)

        def log_likelihood(self, known, released):
            raise NotImplementedError

    files = numbers({"x": [1.0, 2.0]}), numbers({"x": [1.5, 3.0]})
    monkeypatch.setattr(closed, "EXACT", 2)
    assert said(Level(), *files)[1] and not said(Level(), *files, whole=False)[1]
    monkeypatch.setattr(closed, "EXACT", 1)
    assert not said(Level(), *files)[1]


@pytest.mark.parametrize(("columnwise", "used"), [(False, True), (True, False)])
def test_tables_of_several_numbers_are_used_where_a_method_acts_on_all_of_them(columnwise, used):
    class Tables:
        def tables(self, known, released):
            yield np.log(np.array([[0.25, 0.75], [0.5, 0.5]])), np.array([0, 1]), np.array([1, 0])

        def log_likelihood(self, known, released):
            raise NotImplementedError

    files = numbers({"x": [1.0, 2.0]}), numbers({"x": [1.5, 3.0]})
    found = said(Tables(), *files, masking=SimpleNamespace(columnwise=columnwise))
    assert (found is not None) is used
    if used:
        assert not found[1] and np.exp(found[0]) == pytest.approx(np.array([[0.75, 0.25], [0.5, 0.5]]))


@pytest.mark.parametrize(("variance", "deviation"), [(0.25, 0.5), (0.0, 1e-6)])
def test_the_density_of_a_factor_has_its_size(variance, deviation):
    view = view_of(numbers({"x": [1.0, 2.0]}), numbers({"x": [1.0, 2.0]}))
    size, _ = _factor(FactorLaw(variance), view, "x", RowClasses.by(view.released, ["x"]))
    assert size.constant == pytest.approx(-np.log(deviation))
    assert size.of_record[:, 0] == pytest.approx(np.log([1.0, 2.0]) / deviation - np.sqrt(variance) / 2)
    assert size.of_row[:, 0] == pytest.approx(np.log([1.0, 2.0]) / deviation)


@pytest.mark.parametrize(
    ("before", "after", "shape"),
    [("aa", "aa", (2, 3)), ("ac", "aa", (3, 3)), ("aa", "ac", (2, 4)), ("--", "--", (2, 3))],
)
def test_a_table_of_transitions_has_a_line_and_a_column_for_every_code_and_one_for_holes(before, after, shape):
    view = view_of(categories({"x": before}), categories({"x": after}))
    table = np.log(np.array([[0.75, 0.25], [0.5, 0.5]]))
    found = _transition(table, view, "x", RowClasses.by(view.released, ["x"]))
    assert found.entries.shape == shape and np.array_equal(found.entries[:2, :2], table)
    assert (found.entries[:, 2:] == -np.inf).all() and (found.entries[2:, :2] == 0).all()
