"""Maps of single values are exact, however few are known, and an error in known values is convolved with them."""

import numpy as np
import pytest
from scipy.stats import norm

from sdckit.candidates import Candidates
from sdckit.intruder import Intruder
from sdckit.laws import determined, normal_blocks
from sdckit.laws.blocks import Deviations
from sdckit.laws.determined import determined_blocks, mapped_values, maps_values, near_preimage, preimages
from sdckit.laws.informed import informed_law
from sdckit.laws.normal_blocks import known_error
from sdckit.laws.release_law import RowClasses, Source
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.risks import InformedIntruder, MixedLinkage
from sdckit.testing.files import a_file, with_missing
from tests.laws.test_closed import COPIES, law_of, likelihoods
from tests.laws.views import categories, numbers, of_all_pairs, view_of


@pytest.mark.parametrize("recipe", ["rounding:base=4", "random-rounding:base=4"])
def test_a_category_rounded_beyond_the_last_one_is_the_last_one(recipe):
    data = Microdata((Attribute("x", Kind.DISCRETE, Role.KEY, tuple("abcdefg")),), {"x": np.arange(7)})
    release = protect(data, recipe, seed=1)
    law = law_of(release, records=(5, 6))
    assert (likelihoods(law)[[0, 1], [5, 6]] > -np.inf).all()


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


# By hand --------------------------------------------------------------------------------------------------------------


def seen(before: list, after: list, *chain: str, **knowledge):
    """A view of one number, the steps of its recipe, and the classes of its rows."""
    original = numbers({"x": before}, decimals=knowledge.pop("decimals", None))
    view = view_of(original, numbers({"x": after}), Recipe.of(list(chain), ["x"]), **knowledge)
    return view, view.published_recipe.steps, RowClasses.by(view.released, ["x"])


def test_values_go_through_the_steps_one_after_the_other():
    view, steps, _ = seen([1.0], [1.0], "rounding:base=5", "top-coding:share=0,limit=20", "rounding:base=7")
    values = np.array([1.0, 2.6, 12.4, 17.6, 99.0])
    assert mapped_values(view, steps, "x", values).tolist() == [0, 7, 7, 21, 21]
    assert mapped_values(view, steps[:2], "x", values, later=True).tolist() == [0, 5, 10, 20, 20]
    noise = Recipe.of("additive-noise", ["x"]).steps
    assert mapped_values(view, noise, "x", values) is None
    other = Recipe.of("rounding:base=5", ["z"]).steps
    assert mapped_values(view, other, "x", values).tolist() == values.tolist()


@pytest.mark.parametrize(
    ("method", "maps"),
    [
        ("rounding", True),
        ("top-coding", True),
        ("additive-noise", False),
        ("mdav", False),
        ("local-suppression", False),
    ],
)
def test_a_map_takes_each_value_by_itself(method, maps):
    assert maps_values(Recipe.of(method).steps[0].masking) is maps


def test_the_values_that_are_mapped_to_a_row_are_an_interval():
    """Rounding to 5 takes 2.5 … 7.5 to 5; what is above the second highest row became the highest by top coding."""
    chain = ("rounding:base=5", "top-coding:share=0,limit=20")
    view, steps, rows = seen([4.0, 19.0, 8.0, 3.0], [5.0, 20.0, None, 5.0], *chain)
    lower, upper = preimages(view, steps, "x", rows, np.array([4.0, 19.0]), 1.0)
    assert lower[rows.of] == pytest.approx([2.5, 7.5, np.nan, 2.5], nan_ok=True)
    assert upper[rows.of] == pytest.approx([7.5, np.inf, np.nan, 7.5], nan_ok=True)


def test_a_value_that_is_released_unchanged_has_a_narrow_interval():
    view, steps, rows = seen([4.0, 9.0, 30.0], [4.0, 9.0, 30.0], "top-coding:share=0,limit=100")
    lower, upper = preimages(view, steps, "x", rows, np.array([4.0, 9.0]), 2.0)
    assert (lower + upper)[:2] / 2 == pytest.approx([4.0, 9.0])
    assert (upper - lower)[:2] == pytest.approx([4e-3, 4e-3]) and upper[2] == np.inf


def test_a_map_that_draws_or_falls_has_no_intervals(monkeypatch):
    view, steps, rows = seen([4.0, 9.0], [4.0, 9.0], "additive-noise")
    assert preimages(view, steps, "x", rows, np.array([4.0, 9.0]), 2.0) is None
    monkeypatch.setattr(determined, "mapped_values", lambda view, steps, name, values: -values)
    assert preimages(view, steps, "x", rows, np.array([4.0, 9.0]), 2.0) is None
    empty, steps, rows = seen([4.0, 9.0], [None, None], "rounding:base=5")
    monkeypatch.undo()
    ends = preimages(empty, steps, "x", rows, np.array([4.0, 9.0]), 2.0)
    assert np.isnan(ends).all()


def test_a_number_known_with_an_error_has_the_probability_of_the_interval(monkeypatch):
    view, steps, rows = seen([4.0, 19.0, 8.0, None], [5.0, 20.0, 10.0, None], "rounding:base=5", noise=0.2)
    known = view.known.columns["x"]
    error = np.sqrt(0.04 / 1.04) * np.nanstd(known)
    found = of_all_pairs(near_preimage(view, steps, "x", rows), 4, len(rows.sizes))[:, rows.of]
    ends = np.array([5.0, 20.0, 10.0])
    expected = norm.cdf(ends + 2.5, known[:3, None], error) - norm.cdf(ends - 2.5, known[:3, None], error)
    assert np.exp(found[:3, :3]) == pytest.approx(expected, rel=1e-5)
    assert found[:3, 3].tolist() == [-np.inf] * 3 and found[3].tolist() == [0] * 4
    monkeypatch.setattr(normal_blocks, "CELLS", 0)
    assert near_preimage(view, steps, "x", rows) is None  # the intervals are wide beside the error
    fine, steps, rows = seen([4.0, 19.0, 8.0], [4.1, 19.2, 8.3], "rounding:base=0.1", noise=0.2)
    block = near_preimage(fine, steps, "x", rows)
    assert isinstance(block, Deviations)
    known = fine.known.columns["x"]
    error = np.sqrt(0.04 / 1.04) * known.std()
    gaps = (np.array([4.1, 19.2, 8.3]) - known[:, None]) / error
    assert of_all_pairs(block, 3, 3)[:, rows.of] == pytest.approx(-0.5 * gaps**2, rel=1e-5)


def determined_table(original: Microdata, masked: Microdata, chain: list, **knowledge) -> np.ndarray | None:
    view = view_of(original, masked, Recipe.of(chain), **knowledge)
    names = list(view.attributes)
    rows = RowClasses.by(view.released, names)
    blocks = determined_blocks(view, view.published_recipe, names, rows)
    if blocks is None:
        return None
    return sum(of_all_pairs(each, len(view), len(rows.sizes)) for each in blocks)[:, rows.of]


def test_only_the_row_with_the_image_is_possible():
    data, masked = numbers({"x": [4.0, 8.0, None, 11.0]}), numbers({"x": [5.0, 10.0, None, 10.0]})
    found = determined_table(data, masked, ["rounding:base=5"])
    assert np.exp(found).tolist() == [[1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 1], [0, 1, 0, 1]]
    assert determined_table(data, masked, ["additive-noise"]) is None
    assert determined_table(data, masked, ["rounding:base=5", "mdav"]) is None
    found = determined_table(data, masked, ["rounding:base=5", "simple-sampling"])
    assert np.exp(found).tolist()[0] == [1, 0, 0, 0]


def test_values_are_compared_as_they_are_published():
    data, masked = numbers({"x": [4.26, 8.0]}, decimals=1), numbers({"x": [4.3, 8.0]}, decimals=1)
    found = determined_table(data, masked, ["top-coding:share=0,limit=90"])
    assert np.exp(found).tolist() == [[1, 0], [0, 1]]


def test_an_error_beside_exact_categories():
    """The number has an error, and the category has none: one block each."""
    attributes = (Attribute("x", Kind.CONTINUOUS, Role.KEY), Attribute("t", Kind.UNORDERED, Role.KEY, ("a", "b")))
    data = Microdata(attributes, {"x": np.array([4.0, 19.0, 8.0]), "t": np.array([0, 1, 0])})
    masked = data.with_columns({"x": np.array([5.0, 20.0, 10.0])})
    recipe = Recipe.of("rounding:base=5", ["x"])
    found = determined_table(data, masked, recipe, noise=0.5)
    assert (found > -np.inf).tolist() == [[True, False, True], [False, True, False], [True, False, True]]
    assert len(set(found[found > -np.inf].tolist())) > 1


def test_codes_of_what_is_possible():
    view = view_of(categories({"x": "abc-"}), categories({"x": "cab-"}))
    allowed = np.array([[True, False, False], [False, False, False], [False, False, True], [True, True, True]])
    of_record, of_row = determined._codes(view, "x", Candidates(4, allowed={"x": allowed}))
    assert of_record.tolist() == [0, -2, 2, -1] and of_row.tolist() == [2, 0, 1, -1]
    several = allowed.copy()
    several[0, 1] = True
    assert determined._codes(view, "x", Candidates(4, allowed={"x": several})) is None
    assert determined._codes(view, "x", Candidates(4)) is None
    numbers_seen = view_of(numbers({"x": [1.0, 2.0, None]}), numbers({"x": [2.0, 1.0, None]}))
    ends = np.array([1.0, 2.0, -np.inf])
    exact = Candidates(3, {"x": ends}, {"x": np.abs(ends) * (1 + 1e-10)})
    assert [each.tolist() for each in determined._codes(numbers_seen, "x", exact)] == [[0, 1, -1], [1, 0, -1]]
    wide = Candidates(3, {"x": ends}, {"x": ends + np.array([0.0, 1e-3, 0.0])})
    assert determined._codes(numbers_seen, "x", wide) is None
    half_known = Candidates(3, {"x": ends}, {"x": np.array([1.0, np.inf, np.inf])})
    assert determined._codes(numbers_seen, "x", half_known) is None


def test_positions_of_categories_are_published_whole_and_within_their_range():
    masking = Recipe.of("rounding").steps[0].masking
    grade = Attribute("x", Kind.DISCRETE, Role.KEY, categories=("low", "middle", "high"))
    assert determined._published(masking, grade, np.array([-0.7, 0.6, 2.2, 5.0])).tolist() == [0, 1, 2, 2]
    cents = Attribute("x", Kind.CONTINUOUS, Role.KEY, decimals=2)
    assert determined._published(masking, cents, np.array([0.126])).tolist() == [0.13]
    assert determined._published(masking, Attribute("x", Kind.CONTINUOUS), np.array([0.126])).tolist() == [0.126]


def test_an_error_is_convolved_in_any_unit():
    """In tens, the error is less than one unit."""
    data, masked = np.array([4.0, 19.0, 8.0]), np.array([5.0, 20.0, 10.0])
    ones, tens = (
        determined_table(
            numbers({"x": data / unit}), numbers({"x": masked / unit}), [f"rounding:base={5 / unit}"], noise=0.2
        )
        for unit in (1.0, 10.0)
    )
    assert tens == pytest.approx(ones, rel=1e-4) and np.isfinite(ones).any()


@pytest.mark.parametrize("unit", [1.0, 10.0])
@pytest.mark.parametrize(("widths", "narrow"), [(1.5, True), (2.5, False)])
def test_intervals_narrower_than_two_errors_are_a_point(unit, widths, narrow, monkeypatch):
    """Where there are too many pairs for a table."""
    values = unit * np.array([4.0, 19.0, 8.0])
    view, _, rows = seen(values, values, "rounding:base=1", noise=0.2)
    base = widths * known_error(view, "x")
    view, steps, rows = seen(values, base * np.round(values / base), f"rounding:base={base}", noise=0.2)
    monkeypatch.setattr(normal_blocks, "CELLS", 0)
    assert (near_preimage(view, steps, "x", rows) is not None) is narrow


def test_a_map_that_falls_somewhere_has_no_intervals(monkeypatch):
    view, steps, rows = seen([4.0, 9.0], [4.0, 9.0], "rounding:base=1")
    monkeypatch.setattr(determined, "mapped_values", lambda view, steps, name, values: np.abs(values))
    assert preimages(view, steps, "x", rows, np.array([4.0, 9.0]), 2.0) is None


def test_what_is_below_the_lowest_row_by_bottom_coding_is_open():
    """What is below the second lowest row became the lowest one."""
    view, steps, rows = seen([-9.0, -7.0, 8.0], [-5.0, -5.0, 8.0], "bottom-coding:share=0,limit=-5")
    lower, upper = preimages(view, steps, "x", rows, np.array([-9.0, -7.0, 8.0]), 0.5)
    assert lower[rows.of] == pytest.approx([-np.inf, -np.inf, 8 - 5e-4])
    assert upper[rows.of] == pytest.approx([8.0, 8.0, 8 + 5e-4])


def test_intervals_of_small_numbers_are_those_of_large_ones_in_another_unit():
    ends = []
    for unit in (1.0, 1e-6):
        released = unit * np.array([5.0, -10.0, 20.0])
        view, steps, rows = seen(released, released, f"rounding:base={5 * unit}")
        ends.append(np.array(preimages(view, steps, "x", rows, released + unit, unit))[:, rows.of] / unit)
    assert ends[0] == pytest.approx(np.array([[2.5, -12.5, 17.5], [7.5, -7.5, 22.5]]))
    assert ends[1] == pytest.approx(ends[0])


def test_a_step_that_a_later_one_hides_is_not_read_off_the_release():
    """The limit of top coding at a quantile is the highest released value only where nothing was done to it since."""
    values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 11.0]
    part = {"records": (0, 1, 2)}
    coded = [min(each, 9.0) for each in values]
    assert determined_table(numbers({"x": values}), numbers({"x": coded}), ["top-coding:share=0.1"], **part) is not None
    rounded = [10.0 * round(each / 10) for each in coded]
    chain = ["top-coding:share=0.1", "rounding:base=10"]
    assert determined_table(numbers({"x": values}), numbers({"x": rounded}), chain, **part) is None
