"""Normal noise that is rounded: every published value has the probability of what is rounded to it."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import norm

from sdckit.edits import Edits
from sdckit.laws import normal_blocks as module
from sdckit.laws.blocks import Deviations, Table
from sdckit.laws.normal_blocks import (
    _density_table,
    _distinct,
    _free,
    _log_cell,
    _mean_by,
    _step,
    interval_table,
    is_fine,
    known_error,
    normal_blocks,
    rounded_table,
    varying_noise_blocks,
)
from sdckit.laws.release_law import RowClasses
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.normal_law import NormalLaw
from sdckit.recipe import Recipe
from tests.laws.views import categories, numbers, of_all_pairs, view_of


def chances(**attribute) -> np.ndarray:
    """The probabilities of published values for three means, with noise of three units of rounding."""
    file = Microdata((Attribute("x", Kind.CONTINUOUS, Role.KEY, **attribute),), {"x": np.arange(5.0)})
    unit = 10.0 ** -attribute.get("decimals", 0)
    values = np.round(np.arange(-40, 41) * unit, 6)
    masking = Recipe.of("additive-noise").steps[0].masking
    table = rounded_table(masking, file, "x", unit * np.array([-0.3, 0.0, 2.5]), values, 3.0 * unit)
    return np.exp([table.of_pairs(np.full(81, record), np.arange(81)) for record in range(3)])


@pytest.mark.parametrize("attribute", [{"integral": True}, {"decimals": 1}])
def test_some_rounded_value_is_published(attribute):
    assert chances(**attribute).sum(axis=1) == pytest.approx(1.0)


def test_a_rounded_value_is_as_likely_as_draws_are_rounded_to_it():
    draws = np.rint(2.5 + 3.0 * np.random.default_rng(1).standard_normal(40_000))
    seen = [(draws == value).mean() for value in range(-40, 41)]
    assert chances(integral=True)[2] == pytest.approx(seen, abs=0.01)


@pytest.mark.parametrize(("decimals", "width"), [(None, 1.0), (0, 1.0), (2, 0.01), (-1, 10.0)])
def test_a_published_value_has_the_density_times_its_width(decimals, width):
    """A continuous one has the density of the standard normal distribution itself, 1 / √(2π) at 0."""
    masking, released = SimpleNamespace(decimals=lambda each: decimals), SimpleNamespace(attribute=lambda name: None)
    assert np.exp(_log_cell(masking, released, "x")) == pytest.approx(width / np.sqrt(2 * np.pi))


def test_steps_have_about_equally_many_values_by_hand():
    values = np.array([5.0, 0, 7, 2, 3, np.nan, 1, 4, 6])
    assert _step(values, 2).tolist() == [1, 0, 1, 0, 1, 2, 0, 1, 1]
    assert _step(np.array([np.nan, np.nan]), 3).tolist() == [3, 3]
    assert _step(np.full(4, 8.0), 3).tolist() == [0] * 4


NOISE = Recipe.of("additive-noise").steps[0].masking
BEFORE, AFTER = {"a": [1.0, 2.0, None], "b": [5.0, 3.0, 4.0]}, {"a": [1.5, 2.0, None], "b": [5.0, 2.0, 4.5]}


def pairs_of(blocks: list, view, rows: RowClasses) -> list[np.ndarray]:
    return [of_all_pairs(each, len(view), len(rows.sizes))[:, rows.of] for each in blocks]


def law_on(
    noise: np.ndarray, before: dict = BEFORE, after: dict = AFTER, edits: Edits = Edits(), error=0.0, **declared
):
    """The blocks of a law with a slope, and whether they are exact."""
    law = NormalLaw(np.array(noise), np.array([2.0, 4.0]), np.array([[0.5, 0.0], [0.0, 2.0]]))
    view = view_of(numbers(before, edits, **declared), numbers(after, edits, **declared), noise=error)
    rows = RowClasses.by(view.released, ["a", "b"])
    found = normal_blocks(NOISE, law, view, ["a", "b"], rows)
    return found if found is None else (pairs_of(found[0], view, rows), found[0], found[1], view)


def test_noise_of_single_numbers_gives_deviations_about_their_images():
    (one, other), blocks, exact, _ = law_on([[4.0, 0.0], [0.0, 9.0]])
    gaps = (np.array([1.5, 2.0]) - (2 + 0.5 * (np.array([[1.0], [2.0]]) - 2))) / 2
    assert one[:2, :2] == pytest.approx(-0.5 * gaps**2)
    assert one[:2, 2].tolist() == [-np.inf] * 2 and one[2].tolist() == [0] * 3
    gaps = (np.array([5.0, 2.0, 4.5]) - (4 + 2 * (np.array([[5.0], [3.0], [4.0]]) - 4))) / 3
    assert other == pytest.approx(-0.5 * gaps**2)
    assert exact and [each.names for each in blocks] == [("a",), ("b",)]
    half_log = 0.5 * np.log(2 * np.pi)
    assert [each.constant for each in blocks] == pytest.approx([-half_log - np.log(2), -half_log - np.log(3)])


def test_correlated_noise_gives_the_quadratic_form_and_its_size():
    noise = np.array([[4.0, 3.0], [3.0, 9.0]])
    whole = {"a": [1.0, 2.0, 6.0], "b": BEFORE["b"]}
    (found,), (block,), exact, _ = law_on(noise, before=whole)
    image = np.array([2.0, 4.0]) + (np.array([whole["a"], whole["b"]]).T - [2, 4]) * [0.5, 2.0]
    gaps = np.array([[1.5, 5.0], [2.0, 2.0]])[None] - image[:, None]
    assert found[:, :2] == pytest.approx(-0.5 * np.einsum("rci,ij,rcj->rc", gaps, np.linalg.inv(noise), gaps))
    assert exact and block.constant == pytest.approx(-np.log(2 * np.pi) - 0.5 * np.log(np.linalg.det(noise)))
    assert law_on(noise) is None  # of a record with a hole
    (_,), (cents,), exact, _ = law_on(noise, before=whole, decimals=2)
    assert not exact and cents.constant == pytest.approx(block.constant - 4 * np.log(10))


def test_the_error_of_what_is_known_is_noise_before_the_slope():
    (one, _), _, _, view = law_on([[4.0, 0.0], [0.0, 9.0]], error=0.5)
    known = view.known.columns["a"][:2]
    variance = 4 + 0.25 * (0.25 / 1.25 * known.var())
    gaps = np.array([1.5, 2.0]) - (2 + 0.5 * (known[:, None] - 2))
    assert one[:2, :2] == pytest.approx(-0.5 * gaps**2 / variance)
    assert known_error(view, "a") == pytest.approx(np.sqrt(0.2) * known.std())
    letters = view_of(categories({"x": "ab"}), categories({"x": "ab"}), noise=0.5)
    assert known_error(letters, "x") == 0 == known_error(view_of(numbers(BEFORE), numbers(AFTER)), "a")


def test_coarse_rounding_gives_the_probability_of_each_published_value():
    after = {"a": [1.0, 2.0, 3.0], "b": [5.0, 2.0, 4.0]}
    (one, _), blocks, exact, _ = law_on([[4.0, 0.0], [0.0, 81.0]], after=after, decimals=0)
    means = 2 + 0.5 * (np.array([[1.0], [2.0]]) - 2)
    values = np.array([1.0, 2.0, 3.0])
    assert np.exp(one[:2]) == pytest.approx(norm.cdf(values + 0.5, means, 2) - norm.cdf(values - 0.5, means, 2))
    assert exact and isinstance(blocks[0], Table) and isinstance(blocks[1], Deviations)


def test_a_clipped_value_that_is_not_rounded_is_not_exact():
    (_, _), blocks, exact, _ = law_on([[4.0, 0.0], [0.0, 9.0]], edits=Edits.bounds(a=(0, np.inf)))
    assert not exact and all(isinstance(each, Deviations) for each in blocks)


@pytest.mark.parametrize(
    ("decimals", "bounds", "deviation", "fine"),
    [
        (None, (-np.inf, np.inf), 0.0, True),
        (None, (0, np.inf), 1.0, False),
        (None, (-np.inf, 0), 1.0, False),
        (1, (-np.inf, np.inf), 0.8, True),
        (1, (-np.inf, np.inf), 0.79, False),
        (0, (-np.inf, np.inf), 8.0, True),
        (0, (-np.inf, 99), 8.0, False),
    ],
)
def test_rounding_is_fine_from_eight_units_on_where_nothing_is_clipped(decimals, bounds, deviation, fine):
    file = numbers({"x": [1.0]}, Edits.bounds(x=bounds), decimals=decimals)
    assert is_fine(NOISE, file, "x", deviation) is fine
    assert _free(NOISE, file, "x") is (decimals is None and np.isinf(bounds).all())


@pytest.mark.parametrize("bounds", [(-np.inf, np.inf), (1.0, 3.0), (1.2, 2.7)])
def test_rounded_values_at_the_ends_of_a_range_have_all_that_is_beyond(bounds):
    file = numbers({"x": [1.0]}, Edits.bounds(x=bounds), decimals=0)
    values = np.array([1.0, 2.0, 3.0, np.nan])
    table = rounded_table(NOISE, file, "x", np.array([1.4, np.nan]), values, np.array([0.5, 0.5]))
    found = np.exp(of_all_pairs(table, 2, 4))
    lower = np.where(values[:3] - 0.5 < bounds[0], -np.inf, values[:3] - 0.5)
    upper = np.where(values[:3] + 0.5 > bounds[1], np.inf, values[:3] + 0.5)
    assert found[0, :3] == pytest.approx(norm.cdf(upper, 1.4, 0.5) - norm.cdf(lower, 1.4, 0.5))
    assert found[0, 3] == 0 and found[1].tolist() == [1, 1, 1, 1]
    assert rounded_table(NOISE, numbers({"x": [1.0]}), "x", np.array([1.4]), values, 0.5) is None


def test_probabilities_of_intervals_are_exact_far_out(monkeypatch):
    means, deviations = np.array([0.0, 10.0, 0.0, np.nan]), np.array([1.0, 2.0, 1.0, 1.0])
    lower, upper = np.array([-np.inf, 30.0, -31.0, 3.0, np.nan]), np.array([0.0, 31.0, -30.0, 3.0, np.nan])
    table = interval_table("x", means, deviations, lower, upper)
    found = of_all_pairs(table, 4, 5)
    expected = norm.logsf(30) + np.log1p(-np.exp(norm.logsf(31) - norm.logsf(30)))
    assert found[0] == pytest.approx([np.log(0.5), expected, expected, -np.inf, -np.inf])
    assert found[1, 1] == pytest.approx(np.log(norm.sf(10) - norm.sf(10.5)))
    assert found[2].tolist() == found[0].tolist() and found[3].tolist() == [0] * 5
    monkeypatch.setattr(module, "CELLS", 3 * 5)
    assert interval_table("x", means, deviations, lower, upper) is not None
    monkeypatch.setattr(module, "CELLS", 3 * 5 - 1)
    assert interval_table("x", means, deviations, lower, upper) is None
    sharp = interval_table("x", np.array([1.0]), np.zeros(1), np.array([0.5, 2.0]), np.array([2.0, 3.0]))
    assert sharp.entries.tolist() == [[0, -np.inf]]


def test_distinct_pairs_by_hand():
    pairs, of = _distinct(np.array([2.0, 1.0, 2.0, 1.0]), np.array([5.0, 7.0, 5.0, 5.0]))
    assert (pairs.tolist(), of.tolist()) == ([[1, 5], [1, 7], [2, 5]], [2, 1, 2, 0])


def test_means_of_the_values_that_are_there():
    values = np.array([1.0, 5.0, np.nan, 9.0, np.nan])
    assert _mean_by(values, np.array([0, 0, 0, 2, 1]), 4).tolist() == [3, 0, 9, 0]


class Level:
    """Noise with a standard deviation of its own for each record: as large as the value."""

    def deviations(self, known):
        return np.abs(known)


@pytest.mark.parametrize("cells", [4_000_000, 0])
def test_noise_that_depends_on_the_record_has_its_density(cells, monkeypatch):
    """In steps fine enough for every value to have one of its own, a table by steps says the same."""
    monkeypatch.setattr(module, "CELLS", cells)
    before, after = {"x": [1.0, 2.0, None, 4.0]}, {"x": [1.5, None, 3.0, 1.5]}
    view = view_of(numbers(before), numbers(after))
    rows = RowClasses.by(view.released, ["x"])
    (block,) = varying_noise_blocks(NOISE, Level(), view, ["x"], rows)
    (found,) = pairs_of([block], view, rows)
    values = np.array([1.5, 3.0, 1.5])
    for record, value in ((0, 1.0), (1, 2.0), (3, 4.0)):
        assert found[record, [0, 2, 3]] == pytest.approx(-0.5 * ((values - value) / value) ** 2 - np.log(value))
        assert found[record, 1] == -np.inf
    assert found[2].tolist() == [0] * 4


def test_rounded_noise_that_depends_on_the_record_is_a_probability():
    view = view_of(numbers({"x": [1.0, 2.0, 16.0]}, decimals=0), numbers({"x": [1.0, 3.0, 20.0]}, decimals=0))
    rows = RowClasses.by(view.released, ["x"])
    (block,) = varying_noise_blocks(NOISE, Level(), view, ["x"], rows)
    (found,) = pairs_of([block], view, rows)
    means, values = np.array([[1.0], [2.0], [16.0]]), np.array([1.0, 3.0, 20.0])
    assert np.exp(found) == pytest.approx(norm.cdf(values + 0.5, means, means) - norm.cdf(values - 0.5, means, means))


def test_near_values_share_lines_and_columns_of_a_large_table(monkeypatch):
    monkeypatch.setattr(module, "CELLS", 3)
    monkeypatch.setattr(module, "MEANS", 2)
    monkeypatch.setattr(module, "DEVIATIONS", 1)
    monkeypatch.setattr(module, "ROWS", 2)
    mean, after = np.array([0.0, 1.0, 10.0, 12.0, 14.0]), np.array([0.0, 2.0, 10.0, 12.0, 14.0, np.nan])
    table = _density_table("x", mean, np.ones(5), after)
    found = of_all_pairs(table, 5, 6)
    lines, columns = np.array([0.5, 0.5, 12.0, 12.0, 12.0]), np.array([1.0, 1.0, 12.0, 12.0, 12.0])
    assert found[:, :5] == pytest.approx(-0.5 * (columns[None, :] - lines[:, None]) ** 2)
    assert found[:, 5].tolist() == [-np.inf] * 5 and table.entries.shape == (2, 3)


def test_records_with_near_values_and_other_deviations_have_other_lines(monkeypatch):
    monkeypatch.setattr(module, "CELLS", 3)
    monkeypatch.setattr(module, "MEANS", 2)
    monkeypatch.setattr(module, "DEVIATIONS", 2)
    mean, deviation = np.repeat([0.0, 1.0, 10.0, 12.0, 14.0], 2), np.tile([1.0, 2.0], 5)
    table = _density_table("x", mean, deviation, np.array([3.0]))
    near = np.where(mean < 5, 0.5, 12.0)
    found = of_all_pairs(table, 10, 1)[:, 0]
    assert len(table.entries) == 4
    assert found == pytest.approx(-0.5 * ((3.0 - near) / deviation) ** 2 - np.log(deviation))


def test_a_table_by_steps_has_so_many_lines_and_columns(monkeypatch):
    monkeypatch.setattr(module, "CELLS", 0)
    many = np.arange(2_500.0)
    assert _density_table("x", many, np.ones(2_500), many).entries.shape == (300, 1_000)
    assert _density_table("x", np.zeros(2_500), 1 + many, np.zeros(1)).entries.shape == (10, 1)


def test_correlated_noise_of_which_one_number_is_rounded_is_not_exact():
    attributes = (Attribute("a", Kind.CONTINUOUS, Role.KEY), Attribute("b", Kind.CONTINUOUS, Role.KEY, decimals=2))
    file = Microdata(attributes, {"a": np.array([1.0, 2.0]), "b": np.array([5.0, 3.0])})
    view = view_of(file, file)
    law = NormalLaw(np.array([[4.0, 3.0], [3.0, 9.0]]), np.zeros(2), np.eye(2))
    assert normal_blocks(NOISE, law, view, ["a", "b"], RowClasses.by(file, ["a", "b"]))[1] is False


@pytest.mark.parametrize(("cells", "lines"), [(12, 4), (11, 3)])
def test_a_table_has_a_line_for_each_record_up_to_so_many_pairs(cells, lines, monkeypatch):
    """Four records and three rows; where these are too many, three steps of values and two of deviations."""
    for name, value in (("CELLS", cells), ("MEANS", 3), ("DEVIATIONS", 2), ("ROWS", 3)):
        monkeypatch.setattr(module, name, value)
    mean = np.array([0.0, 1.0, 2.0, 3.0])
    assert len(_density_table("x", mean, np.ones(4), np.array([0.0, 1.0, 2.0])).entries) == lines


def test_lines_of_steps_are_of_a_value_and_a_deviation(monkeypatch):
    """The first step of values with the second one of deviations is no line of the second step of values."""
    monkeypatch.setattr(module, "CELLS", 0)
    monkeypatch.setattr(module, "MEANS", 2)
    monkeypatch.setattr(module, "DEVIATIONS", 2)
    mean, deviation = np.array([0.0, 0.0, 9.0, 9.0, 9.0]), np.array([1.0, 5.0, 1.0, 5.0, 5.0])
    found = of_all_pairs(_density_table("x", mean, deviation, np.array([3.0])), 5, 1)[:, 0]
    assert found == pytest.approx(-0.5 * ((3.0 - mean) / deviation) ** 2 - np.log(deviation))


@pytest.mark.parametrize("ends", [(np.nan, 2.0), (1.0, np.nan)])
def test_no_value_lies_in_an_interval_of_which_an_end_is_not_there(ends):
    table = interval_table("x", np.array([1.5]), np.ones(1), np.array([ends[0], 1.0]), np.array([ends[1], 2.0]))
    assert of_all_pairs(table, 1, 2)[0] == pytest.approx([-np.inf, np.log(norm.cdf(0.5) - norm.cdf(-0.5))])


def test_a_value_at_half_a_unit_from_a_bound_is_not_clipped():
    file = numbers({"x": [1.0]}, Edits.bounds(x=(0.5, 2.5)), decimals=0)
    table = rounded_table(NOISE, file, "x", np.array([1.5]), np.array([1.0, 2.0]), np.array([1.0]))
    expected = norm.cdf([0.0, 1.0]) - norm.cdf([-1.0, 0.0])
    assert np.exp(of_all_pairs(table, 1, 2)[0]) == pytest.approx(expected)
