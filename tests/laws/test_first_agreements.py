"""What is believed of each attribute before anything is learned, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.laws import first_agreements as module
from sdckit.laws.agreement import Agreement
from sdckit.laws.explanations import Explanation
from sdckit.laws.first_agreements import (
    _categories,
    _cells,
    _common_rank,
    _first,
    _holes,
    _not_equal,
    _numbers,
    first_agreements,
)
from sdckit.laws.movement import CellsOfRanks, movement_lifts
from sdckit.laws.release_law import RowClasses
from sdckit.laws.unchanged import Unchanged
from sdckit.microdata import Attribute, Kind, Microdata, Role
from tests.laws.views import categories, numbers, view_of

RNG = np.random.default_rng(0)


def test_numbers_are_exact_at_first_with_one_in_a_hundred():
    """A value that two of four known records have is twice as likely for one of these as for anybody."""
    view = view_of(numbers({"x": [1.0, 2.0, 2.0, 5.0]}), numbers({"x": [2.0, 5.0, 7.0, None]}))
    rows = RowClasses.by(view.released, ["x"])
    code, row_code = np.array([0, 1, 1, 2]), np.array([1, 2, 3, -1])
    found = _numbers(view, "x", rows, code, row_code)
    assert found.names == ("x",) and found.code_of_row[rows.of].tolist() == [1, 2, 3, -1]
    assert found.rarity[rows.of].tolist()[:3] == [2.0, 4.0, 4.0]  # what nobody has is as rare as one record's
    mine, theirs = (
        CellsOfRanks(column, np.sort(column[~np.isnan(column)]), 2)
        for column in (view.known.columns["x"], view.released.columns["x"])
    )
    lifts, weights = movement_lifts(mine, theirs)
    assert found.first == pytest.approx([0.01, *(0.99 * weights)]) and found.shares is found.first
    assert found.lifts[:, :, :2] == pytest.approx(lifts) and (found.lifts[:, :, 2] == 1).all()
    assert found.of_record.tolist() == mine.of.tolist() and found.of_row[rows.of].tolist()[3] == 2
    assert found.of_row[rows.of].tolist()[:3] == theirs.of.tolist()[:3]


def test_of_some_records_ranks_are_those_among_both_files():
    original = numbers({"x": [1.0, 2.0, 3.0, 8.0]})
    view = view_of(original, numbers({"x": [2.0, 5.0, 7.0, 9.0]}), records=(0, 3))
    rows = RowClasses.by(view.released, ["x"])
    found = _numbers(view, "x", rows, np.array([0, 3]), np.array([1, 2, 4, 5]))
    both = np.array([1.0, 2, 5, 7, 8, 9])
    assert found.of_record.tolist() == CellsOfRanks(np.array([1.0, 8.0]), both, 2).of.tolist()
    assert found.of_row.tolist() == CellsOfRanks(np.array([2.0, 5, 7, 9]), both, 2).of.tolist()
    assert found.rarity.tolist() == [2.0, 2.0, 2.0, 2.0]


@pytest.mark.parametrize(("rows", "cells"), [(1, 2), (4, 2), (7, 3), (400, 200), (1000, 200)])
def test_a_cell_of_ranks_has_two_rows(rows, cells):
    assert _cells(np.zeros(rows)) == cells


def test_a_category_goes_with_itself_and_with_what_comprises_it():
    """Of four known records two are in a, one in b and one in c; the release has a root above all of them."""
    original = categories({"x": "aabc"})
    coarse = Attribute("x", Kind.UNORDERED, Role.KEY, ("a", "b", "c", "*"))
    view = view_of(original, Microdata((coarse,), {"x": np.array([0, 3, 2, -1])}))
    rows = RowClasses.by(view.released, ["x"])
    found = _categories(view, "x", rows)
    stays = np.array([[2, 0, 0, 1, 1], [0, 4, 0, 1, 1], [0, 0, 4, 1, 1], [0, 0, 0, 1, 1]], dtype=float)
    assert found.lifts.tolist() == [stays.tolist(), np.ones((4, 5)).tolist()]
    assert found.first.tolist() == [0.0, 0.9, 0.1] and not found.rarity.any()
    assert found.of_record.tolist() == [0, 0, 1, 2] and found.of_row[rows.of].tolist() == [0, 3, 2, 4]
    assert found.code_of_row[rows.of].tolist() == [0, 3, 2, -1]


def test_a_category_that_nobody_known_has_counts_as_that_of_one():
    view = view_of(categories({"x": "aab-"}), categories({"x": "abc-"}))
    found = _categories(view, "x", RowClasses.by(view.released, ["x"]))
    assert np.diag(found.lifts[0]).tolist() == pytest.approx([1.5, 3.0, 4.0])
    assert found.of_record.tolist() == [0, 0, 1, -1]


def test_a_hole_goes_with_a_hole_or_is_independent():
    rows = RowClasses(np.array([0, 1, 1, 0]), np.array([2, 2]), np.array([0, 1]))
    found = _holes(("x",), np.array([True, False, False]), np.array([True, False, False, True]), rows)
    assert found.of_record.tolist() == [1, 0, 0] and found.of_row.tolist() == [1, 0]
    assert found.lifts.tolist() == [[[2, 0], [0, 2]], [[1, 1], [1, 1]]] and found.first.tolist() == [0, 0.5, 0.5]
    whole = _holes(
        ("x",), np.array([True]), np.array([False] * 4), RowClasses(np.zeros(4, int), np.array([4]), np.array([0]))
    )
    assert whole.lifts[0].tolist() == [[1, 0], [0, 4]]


def agreement(first: list[float], rarity: list[float] = (1.0, 1.0), name: str = "x") -> Agreement:
    codes, shares = np.array([0, 1]), np.array(first)
    lifts = np.ones((len(first) - 1, 2, 3))
    return Agreement((name,), codes, codes, codes, codes, np.array(rarity), lifts, shares, shares)


def test_without_equal_values_the_other_parts_share_all():
    found = _not_equal(agreement([0.2, 0.6, 0.2]))
    assert found.first == pytest.approx([0.0, 0.75, 0.25]) and found.shares is found.first
    same = agreement([0.0, 0.5, 0.5])
    assert _not_equal(same) is same


def test_a_number_that_goes_with_no_other_column_is_not_equal():
    view = view_of(
        numbers({"x": [1.0, 2, 3, 4], "y": [4.0, 3, 2, 1]}), numbers({"x": [1.0, 2, 3, 4], "y": [4.0, 3, 2, 1]})
    )
    rows = RowClasses.by(view.released, ["x", "y"])
    code = np.arange(4), np.arange(4)
    both = np.column_stack([np.arange(4), np.arange(4)[::-1]])
    assert _first(view, "x", rows, code, Unchanged(both, both), 0).first[0] == 0.01
    mixed = np.column_stack([np.arange(4), [0, 2, 1, 3]])
    assert _first(view, "x", rows, code, Unchanged(both, mixed), 0).first[0] == 0.0


def test_the_common_rank_of_numbers_is_their_mean_rank():
    columns = {"x": [1.0, 2.0, None, 4.0], "y": [10.0, 40.0, 20.0, 30.0]}
    view = view_of(numbers(columns), numbers({"x": [2.0, 4.0, 1.0, 3.0], "y": [4.0, 3.0, 2.0, None]}))
    rows = RowClasses.by(view.released, ["x", "y"])
    found = _common_rank(view, ["x", "y"], rows)
    ranks = np.array([(1 / 6 + 1 / 8) / 2, (3 / 6 + 7 / 8) / 2, np.nan, (5 / 6 + 5 / 8) / 2])
    theirs = np.array([(3 / 8 + 5 / 6) / 2, (7 / 8 + 3 / 6) / 2, (1 / 8 + 1 / 6) / 2, np.nan])
    mine, others = (CellsOfRanks(each, np.sort(each[~np.isnan(each)]), 2) for each in (ranks, theirs))
    lifts, weights = movement_lifts(mine, others)
    assert found.lifts[:, :, :2] == pytest.approx(lifts) and found.first == pytest.approx([0.0, *weights])
    assert found.of_record.tolist() == mine.of.tolist() and found.code_of_record.tolist() == [0, 0, -1, 0]
    assert found.code_of_row[rows.of].tolist() == [0, 0, 0, -1] and not found.rarity.any()


@pytest.mark.parametrize(
    ("explanation", "names"),
    [
        (Explanation((2,), 0.25), [("a",), ("b",), ("c",)]),
        (Explanation((2,), 0.25, ((0, 1),)), [("a",), ("b",), ("c",)]),
        (Explanation((2,), 0.25, ((0, 1),), ((0, 1),)), [("a", "b"), ("c",)]),
        (Explanation((0, 1), 0.0), [("a",), ("b",), ("c",)]),
    ],
)
def test_columns_are_unchanged_or_moved_together_as_explained(explanation, names, monkeypatch):
    """Columns that moved together say the same, so that each counts by its part, or by their common rank."""
    values = RNG.permuted(np.tile(np.arange(12.0), (3, 1)), axis=1)
    data = numbers({"b": values[1], "c": [None, *values[2, 1:]], "a": values[0]})
    view = view_of(data, data.with_columns({"c": data.columns["c"][::-1]}))
    rows = RowClasses.by(view.released, view.attributes)
    monkeypatch.setattr(module, "likeliest_explanation", lambda *arguments: explanation)
    found = first_agreements(view, rows, np.random.default_rng(1))
    assert found.doubt == explanation.doubt
    assert [each.names for each in found.model] == [*names, ("c",)]  # the holes of c come last
    by_name = {each.names: each for each in found.model[:-1]}
    for index, name in enumerate("abc"):
        each = by_name.get((name,))
        if each is not None:
            assert each.fixed is (index in explanation.unchanged)
            together = any(index in moved for moved in explanation.moved)
            assert each.weight == (0.5 if together else 1.0)
            assert name == "c" or bool(each.first[0] == 0) is together


def test_sets_of_numbers_may_have_moved_together():
    files = Unchanged(np.tile(np.arange(6)[:, None], 3), np.tile(np.arange(6)[:, None], 3))
    columns = [agreement([0.5, 0.5]), agreement([0.5, 0.5]), agreement([0.0, 1.0])]
    assert module._of_numbers(files, columns) == [(0, 1, 2)]
    columns[1] = replace(columns[1], rarity=np.zeros(2))
    assert module._of_numbers(files, columns) == []


@pytest.mark.parametrize(("before", "after", "holes"), [("aab-", "aabb", 0), ("aabb", "aab-", 0), ("aab-", "ab-b", 1)])
def test_holes_are_compared_where_both_files_have_some(before, after, holes):
    view = view_of(categories({"x": before}), categories({"x": after}))
    found = first_agreements(view, RowClasses.by(view.released, ["x"]), np.random.default_rng(1))
    assert len(found.model) == 1 + holes


def test_a_value_that_only_the_last_record_and_row_have_is_as_rare_as_one_of_them():
    """The highest code is that of a known record, of a row, or the only one there is."""
    for known, released, code, row_code, rarity in (
        ([1.0, 2.0], [1.0, 1.0], [0, 1], [0, 0], [2.0, 2.0]),
        ([1.0, 1.0], [1.0, 2.0], [0, 0], [0, 1], [1.0, 2.0]),
        ([1.0, 1.0], [1.0, 1.0], [0, 0], [0, 0], [1.0, 1.0]),
        ([None, None], [None, None], [-1, -1], [-1, -1], [2.0, 2.0]),
    ):
        view = view_of(numbers({"x": known}), numbers({"x": released}))
        rows = RowClasses.by(view.released, ["x"])
        found = _numbers(view, "x", rows, np.array(code), np.array(row_code))
        assert found.rarity[rows.of].tolist() == rarity
