"""Donor leaves: candidate sets by hand, in the limits, and on mixtures of copies and fresh rows."""

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import polars
import pytest
from tests.risk.synthesis.stand_ins import SHARES, population

import sdckit
from sdckit import Microdata, Release, build, protect
from sdckit.errors import NotApplicableError
from sdckit.methods import PartialTrees, SequentialTrees
from sdckit.recipe import Recipe
from sdckit.risk.synthesis.donor_leaves import candidate_sets
from sdckit.rows import Unrelated


def test_candidates_are_the_records_that_share_every_leaf():
    records = np.array([[0, 1], [0, 1], [0, 2], [3, 1]])
    rows = np.array([[0, 1], [0, 2], [3, 2]])
    sizes, of_row, owner = candidate_sets(records, rows)
    assert sizes.tolist() == [2, 1, 0]
    assert owner[of_row[1]] == 2


@pytest.mark.parametrize("smoothing", [True, False])
def test_records_led_down_their_own_trees_reach_their_own_leaves(smoothing):
    data = population(200, 1)
    names = [each.name for each in data.attributes]
    records, rows = SequentialTrees(leaf_size=5, smoothing=smoothing).donor_leaves(data, data, names)
    assert np.array_equal(records, rows)


def test_the_codes_of_a_tree_by_hand():
    """A category decides which of two values a number has: its leaves are the categories."""
    frame = polars.DataFrame({"g": ["a"] * 4 + ["b"] * 4, "y": [1.0, 2, 1, 2, 11, 12, 11, 12]})
    data = Microdata.from_frame(frame)
    records, _ = SequentialTrees(leaf_size=4).donor_leaves(data, data, ["g", "y"])
    assert len(np.unique(records[:, 1])) == 2
    assert len(np.unique(records[:4, 1])) == 1


@lru_cache
def score(copied: float) -> sdckit.Score:
    data, fresh = population(400, 1), population(400, 500)
    copies = np.random.default_rng(3).random(400) < copied
    columns = {
        each.name: np.where(copies, data.columns[each.name], fresh.columns[each.name]) for each in data.attributes
    }
    recipe = Recipe.of(SequentialTrees(leaf_size=5)).resolve(data)
    release = Release(data, data.with_rows(columns), recipe, Unrelated(), control=population(400, 1001))
    return build("risk", "donor-leaves").measure(release, seed=1)


def test_the_figure_rises_with_the_share_of_copies():
    assert all(less < more for less, more in pairwise(score(copied).value for copied in SHARES))


def test_an_independent_synthesis_is_like_the_control_and_copies_are_not():
    assert score(0.0).details["excess_interval"][0] == 0
    assert score(1.0).details["excess"] > 0.9


def test_no_row_of_an_unsmoothed_release_is_without_a_donor_of_its_first_value():
    data = population(200, 2)
    release = protect(data, SequentialTrees(leaf_size=5, smoothing=False), seed=1)
    names = [each.name for each in data.attributes]
    records, rows = release.recipe.steps[0].masking.donor_leaves(release.original, release.masked, names)
    for column in range(len(names)):  # each value was drawn from a record in the leaf
        assert set(rows[:, column]) <= set(records[:, column])


def test_smaller_leaves_leave_fewer_candidates():
    data = population(400, 1)
    large, small = (
        build("risk", "donor-leaves").measure(protect(data, SequentialTrees(leaf_size=size), seed=1), seed=1)
        for size in (100, 3)
    )
    assert large.details["median_candidates"] >= small.details["median_candidates"]


def test_the_leaves_of_partial_trees_are_those_that_the_given_attributes_lead_to():
    """A given category decides which of two values a number has: donors are the records of the category."""
    frame = polars.DataFrame({"g": ["a"] * 4 + ["b"] * 4, "y": [1.0, 2, 1, 2, 11, 12, 11, None]})
    data = Microdata.from_frame(frame, roles={"g": "key", "y": "key"})
    release = protect(data, PartialTrees(leaf_size=3), ["y"], seed=1)
    records, rows = release.recipe.steps[0].masking.donor_leaves(data, release.masked, ["y"])
    assert np.array_equal(records, rows)  # the only tree is on what is released unchanged
    assert len(np.unique(records[:4])) == 1 and len(np.unique(records[4:7])) == 1
    assert records[0] != records[4] and records[7] not in records[:7]  # a missing value stays, and is no donor


def partial(leaf_size: int, *, smoothing: bool = True) -> sdckit.Score:
    data = population(400, 1)
    release = protect(
        data, PartialTrees(leaf_size=leaf_size, smoothing=smoothing, given=("region",)), list("abcd"), seed=1
    )
    return build("risk", "donor-leaves").measure(replace(release, control=population(400, 1001)), seed=1)


def agreeing(data: Microdata, *names: str) -> np.ndarray:
    """How many records have the bins of each one, itself included; numbers have 255 bins of their order."""
    codes = []
    for name in names:
        values = np.sort(data.columns[name])
        chosen = values[(np.arange(255) * (len(values) - 1) / 254).astype(int)]
        middles = (chosen[1:] + chosen[:-1]) / 2
        bins = (data.columns[name][:, None] > middles).sum(axis=1)
        codes.append(data.columns[name] if name == "region" else bins)
    of = np.column_stack(codes)
    return (of[:, None] == of[None]).all(axis=2).sum(axis=1)


def test_leaves_of_one_bin_copy_as_many_records_as_bins_hold_one():
    """The first number is drawn from a record of the region. Each later one is that record's with probability 1/m, m
    the number of records which agree in region and bins so far; one number of another leaves no candidate.
    """
    copies, data = partial(1, smoothing=False), population(400, 1)
    follows = 1 / (agreeing(data, "region", "a") * agreeing(data, "region", *"ab") * agreeing(data, "region", *"abc"))
    region = data.columns["region"]
    by_row = np.array([follows[region == each].mean() for each in region])  # rows are drawn independently
    standard_error = np.sqrt((by_row * (1 - by_row)).sum()) / len(by_row)
    assert copies.details["control"] == 0  # nobody else has the very values
    assert copies.details["excess"] == copies.value
    assert abs(copies.value - by_row.mean()) < 4 * standard_error


def test_partial_trees_range_from_nobody_to_most_rows():
    """One leaf is a draw from all records; leaves of one record copy it."""
    one_leaf = partial(400)
    assert one_leaf.value == 0 == one_leaf.details["own_record"]
    figures = [partial(size).value for size in (100, 20, 5)]
    assert all(less <= more for less, more in pairwise(figures)) and figures[0] < figures[-1]


def test_no_row_of_unsmoothed_partial_trees_is_without_a_donor_of_each_value():
    data = population(200, 2)
    release = protect(data, PartialTrees(leaf_size=5, smoothing=False), ["a", "c", "region"], seed=1)
    records, rows = release.recipe.steps[0].masking.donor_leaves(data, release.masked, ["a", "c", "region"])
    for column in range(3):
        assert set(rows[:, column]) <= set(records[:, column])


def test_other_recipes_are_not_applicable():
    data = population(60, 1)
    for recipe in ("gaussian-copula", ["sequential-trees", "additive-noise"]):
        with pytest.raises(NotApplicableError):
            build("risk", "donor-leaves").measure(protect(data, recipe, seed=1))


def test_missing_values_a_constant_column_and_categories_that_only_the_control_has():
    data = population(80, 1)
    a = data.columns["a"].copy()
    a[::3] = np.nan
    data = data.with_columns({"a": a, "b": np.ones(80)})
    others = polars.DataFrame(
        {"a": [0.0], "b": [1.0], "c": [0.0], "d": [0.0], "region": ["X"], "illness": ["unheard of"]}
    )
    release = replace(protect(data, SequentialTrees(), seed=1), control=Microdata.from_frame(others))
    assert 0 <= build("risk", "donor-leaves").measure(release).value <= 1
