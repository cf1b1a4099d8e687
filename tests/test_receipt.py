"""The receipt of a subject: cases by hand, all pairs compared by force, and what a changed file does to it."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit import Hierarchy, Microdata, Release, build, protect
from sdckit.errors import FileError, SchemaError
from sdckit.receipt import Receipt
from sdckit.subject_distance import OwnValue, own_values, subject_distance
from tests.methods.files import correlated, numeric


def own(**values):
    return [OwnValue(name, value, str(value)) for name, value in values.items()]


def test_a_case_by_hand():
    """The subject has (3, 30). Ranks of the rows in a: 1 2 3 4, in b: 4 3 2 1; hers are 3 in both.

    Rows are at max(2, 1), max(1, 0), max(0, 1) and max(1, 2) ranks, so two rows are nearest, at distance 1.
    """
    file = numeric(np.array([[1.0, 40.0], [2.0, 30.0], [3.0, 20.0], [4.0, 10.0]]))
    found = subject_distance(own(a=3.0, b=30.0), file)
    assert (found.distance, found.rows, found.share) == (1, 2, 0.25)
    a, b = found.attributes
    assert a.nearest_ranks == (3, 3) and b.nearest_ranks == (3, 3)
    assert (a.low, a.high, a.rows) == ("2", "4", 3)
    assert (b.low, b.high) == ("20", "40")
    assert a.exact_rows == 1
    assert a.standard_deviation == pytest.approx(np.std([2, 3, 4]))


def test_a_value_that_was_not_released_has_the_rank_of_the_nearest():
    found = subject_distance(own(a=2.9), numeric(np.array([[1.0], [3.0], [9.0]])))
    assert found.distance == 0 and found.attributes[0].nearest_ranks == (2, 2)
    assert found.attributes[0].exact_rows == 0


def test_equal_rows_hide_a_subject_at_distance_0():
    found = subject_distance(own(a=5.0), numeric(np.array([[5.0], [5.0], [5.0], [8.0]])))
    assert (found.distance, found.rows) == (0, 3)


VALUES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6)


def ranks_by_force(column, value):
    """Every rank that a value can take: that of a nearest value, tied ones in any order."""
    nearest = min(abs(other - value) for other in column)
    return [rank for rank, other in enumerate(sorted(column)) if abs(other - value) == nearest]


@settings(deadline=None)
@given(VALUES, st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_it_is_the_smallest_of_the_largest_gaps_in_rank(rows, subject):
    columns = list(zip(*rows, strict=True))
    of_row = []
    for row in rows:
        gaps = []
        for column, value, hers in zip(columns, row, subject, strict=True):
            possible, mine = ranks_by_force(column, value), ranks_by_force(column, hers)
            full = range(min(mine), max(mine) + 1)  # two nearest values, below and above, span what is between
            gaps.append(min(abs(one - other) for one in possible for other in full))
        of_row.append(max(gaps))
    found = subject_distance(own(a=float(subject[0]), b=float(subject[1])), numeric(np.array(rows, dtype=float)))
    assert (found.distance, found.rows) == (min(of_row), of_row.count(min(of_row)))


@pytest.mark.parametrize("window", [0.05, 0.3])
def test_where_values_are_only_permuted_no_subject_is_farther_than_her_own_row(window):
    release = protect(numeric(correlated(60, 3, seed=1)), f"rank-swapping:window={window}", seed=1)
    moved = 1 - build("risk", "permutation-distance").measure(release).by_record
    for record in range(60):
        found = subject_distance(own_values(release.original, record, "abc"), release.masked)
        assert found.share <= moved[record] + 1e-12


def test_an_unchanged_file_has_a_row_at_distance_0_for_everybody():
    data = numeric(correlated(20, 2, seed=2))
    assert {subject_distance(own_values(data, record, "ab"), data).distance for record in range(20)} == {0}


def people(town, grade=None, hierarchy=None):
    columns = {"town": pl.Series(town, dtype=pl.String)}
    if grade is not None:
        columns["grade"] = pl.Series(grade).cast(pl.Enum(["low", "mid", "top"]))
    return Microdata.from_frame(pl.DataFrame(columns), hierarchies={"town": hierarchy} if hierarchy else {})


def test_a_nominal_category_agrees_or_is_as_far_as_can_be():
    file = people(["Ely", "Rye", "Rye", None])
    found = subject_distance(own(town="Rye"), file)
    assert found.rows == 2 and found.attributes[0].exact_rows == 2
    missing = subject_distance(own(town="Hove"), file)
    assert (missing.distance, missing.share, missing.rows) == (4, 1.0, 4)


def test_categories_that_were_read_as_numbers_are_compared_as_categories():
    file = numeric(np.array([[2.0], [np.nan], [7.0]]))
    assert subject_distance(own(a="7"), file).rows == 1
    assert subject_distance(own(a="0"), file).distance == 3


def test_a_wider_category_agrees_and_ordered_ones_have_ranks():
    hierarchy = Hierarchy.by_levels([("Ely", "east"), ("Rye", "south")])
    original = people(["Ely", "Rye"], ["low", "top"], hierarchy)
    released = people(["east", "south", "Ely"], ["mid", "low", "top"])
    values = own_values(original, 0, ["town", "grade"])
    assert values[0].wider == ("east",) and values[1].order == ("low", "mid", "top")
    # The rows with town east or Ely have grades mid and top, 1 and 2 ranks above low.
    found = subject_distance(values, released)
    assert (found.distance, found.rows) == (1, 1)
    assert [each.exact_rows for each in found.attributes] == [1, 1]


def test_a_missing_value_of_the_subject_is_not_compared_and_a_released_hole_is_far():
    original = numeric(np.array([[1.0, np.nan], [2.0, 3.0]]))
    released = numeric(np.array([[np.nan, 3.0], [2.0, 3.0]]))
    found = subject_distance(own_values(original, 0, "ab"), released)
    assert [each.name for each in found.attributes] == ["a"]
    assert (found.distance, found.rows) == (0, 1)
    with pytest.raises(SchemaError, match="no value to compare"):
        subject_distance(own_values(numeric(np.array([[np.nan], [1.0]])), 0, "a"), released)


def test_dates_are_written_as_dates():
    from datetime import date

    file = Microdata.from_frame(pl.DataFrame({"born": [date(1980, 1, 1), date(1990, 5, 7), date(2000, 1, 1)]}))
    values = own_values(file, 1, ["born"])
    assert values[0].text == "1990-05-07"
    assert subject_distance(values, file).attributes[0].low == "1990-05-07"


@pytest.fixture
def release():
    return protect(numeric(correlated(50, 3, seed=3)), "additive-noise", seed=1)


@pytest.fixture
def receipt(release):
    return Receipt.of(own_values(release.original, 7, "abc"), release.masked)


def test_it_is_confirmed_by_the_file_in_any_order_of_rows_and_columns(release, receipt):
    shuffled = release.masked.take(np.random.default_rng(1).permutation(50)).only(["c", "a", "b"])
    assert Receipt.from_json(receipt.to_json()).differences(shuffled) == []


def test_it_does_not_depend_on_which_row_is_hers(release, receipt):
    """Without the correspondence the same text comes out: the receipt cannot point at a row."""
    shuffled = release.masked.take(np.random.default_rng(2).permutation(50))
    again = Receipt.of(own_values(release.original, 7, "abc"), shuffled)
    assert again.to_json() == receipt.to_json()


def test_another_file_is_not_confirmed(release, receipt):
    moved = release.masked.with_columns({"a": release.masked.columns["a"][::-1].copy()})
    assert "not the one" in receipt.differences(moved)[0]
    nearer = Release.in_order(release.original, release.original).masked
    assert any("nearest row is at a distance of 0" in each for each in receipt.differences(nearer))
    assert receipt.differences(release.masked.without(["b"])) == ["the published file has no column 'b'"]


def test_a_receipt_that_was_changed_or_is_none_is_refused(receipt):
    content = json.loads(receipt.to_json())
    content["found"]["distance"] += 10
    with pytest.raises(FileError, match="was changed"):
        Receipt.from_json(json.dumps(content))
    for text in ("", "[]", '{"format": "sdckit-key"}'):
        with pytest.raises(FileError, match="not a receipt"):
            Receipt.from_json(text)
    with pytest.raises(FileError, match="version 9"):
        Receipt.from_json('{"format": "sdckit-receipt", "version": 9}')


def test_the_text_says_the_distance_and_its_limits(receipt):
    text = receipt.to_text("safe.csv")
    assert f"{receipt.found.distance} ranks" in text
    assert "does not say which row is hers" in text and "--verify" in text
    assert all(each.text in text for each in receipt.own)
