"""Edits: linear conditions on a record."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.datasets import simulate_business
from sdckit.edit_checks import broken_edits, compare_edits, numbers, rounding_units
from sdckit.edits import BrokenEdit, CategoryColumn, Edit, EditComparison, Edits, numbers_of
from sdckit.errors import SchemaError
from sdckit.microdata import Attribute, Kind, Microdata

amounts = st.lists(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=5), min_size=1, max_size=10)


def test_each_shape_of_edit_by_hand():
    columns = {"total": np.array([3.0, 4, 3]), "a": np.array([1.0, 1, 2]), "b": np.array([2.0, 2, 1])}
    assert Edit({"total": 1, "a": -1, "b": -1}, 0, 0).violations(columns).tolist() == [False, True, False]
    assert Edit({"b": 1, "a": -1}, low=0).violations(columns).tolist() == [False, False, True]
    assert Edit({"total": 1}, high=3).violations(columns).tolist() == [False, True, False]
    assert Edit({"a": 1, "total": -0.4}, high=0).violations(columns).tolist() == [False, False, True]


def test_a_record_with_a_missing_value_breaks_nothing():
    assert not Edit({"x": 1}, 0, 1).violations({"x": np.array([np.nan])}).any()


def test_rounding_errors_break_nothing():
    columns = {"total": np.array([0.3]), "a": np.array([0.1]), "b": np.array([0.2])}
    assert not Edit({"total": 1, "a": -1, "b": -1}, 0, 0).violations(columns).any()


def test_a_sum_of_large_amounts_may_be_off_by_their_rounding():
    parts = {f"p{i}": np.array([1e12 / 3]) for i in range(3)}
    edit = Edit({"total": 1, **dict.fromkeys(parts, -1)}, 0, 0)
    assert not edit.violations({"total": np.array([1e12]), **parts}).any()
    assert edit.violations({"total": np.array([1e12 + 1e5]), **parts}).all()


def test_only_broken_edits_are_counted():
    edits = Edits((Edit({"x": 1}, 0), Edit({"x": 1}, high=5)))
    assert edits.violations({"x": np.array([1.0, 6, 7])}) == {"x ≤ 5": 2}


def test_the_tightest_bounds_of_an_attribute_count():
    edits = Edits((Edit({"x": 1}, 0, 10), Edit({"x": 2}, high=8), Edit({"y": 1}, 3)))
    assert edits.bound("x") == (0, 4)
    assert edits.bound("z") == (-np.inf, np.inf)
    assert Edits.bounds(x=(1, 2)).bound("x") == (1, 2)


def test_a_negative_coefficient_turns_the_bound_round():
    assert Edits((Edit({"x": -1}, -5, -2),)).bound("x") == (2, 5)


def test_an_edit_reads_as_it_would_be_written():
    assert str(Edit({"gross": 1, "net": -1}, 0)) == "0 ≤ gross − net"
    assert str(Edit({"tax": -1, "income": 0.4}, 0, 9)) == "0 ≤ −tax + 0.4·income ≤ 9"
    assert str(Edit({"x": 1}, 2, 2)) == "x = 2"


def test_an_edit_that_can_never_hold_is_refused():
    with pytest.raises(SchemaError, match="can never hold"):
        Edit({"x": 1}, 3, 2)
    with pytest.raises(SchemaError, match="at least one attribute"):
        Edit({})


@pytest.mark.parametrize(
    ("terms", "ends", "words"),
    [
        (3, {}, "coefficients by attribute"),
        ({"x": "one"}, {}, "coefficient of 'x' in an edit must be a number, not 'one'"),
        ({"x": True}, {}, "must be a number, not True"),
        ({"x": float("inf")}, {}, "must be a number, not inf"),
        ({"x": 1}, {"low": "x"}, "low end of the edit on x must be a number, not 'x'"),
        ({"x": 1}, {"high": float("nan")}, "high end of the edit on x must be a number, not nan"),
    ],
)
def test_an_edit_that_is_no_condition_is_refused(terms, ends, words):
    with pytest.raises(SchemaError, match=words):
        Edit(terms, **ends)


# Before and after


def test_records_that_break_an_edit_are_counted_before_and_after():
    edits = Edits((Edit({"gross": 1, "net": -1}, low=0), Edit({"net": 1}, low=0), Edit({"gone": 1}, low=0)))
    original = {"gross": np.array([3.0, 1, 5, np.nan]), "net": np.array([2.0, 2, np.nan, 9])}
    masked = {"gross": np.array([1.0, 1, 5, 5]), "net": np.array([2.0, 2, np.nan, -9])}
    assert edits.compared(original, masked) == (
        EditComparison(edits.edits[0], before=1, after=2),
        EditComparison(edits.edits[1], before=0, after=1),
    )
    assert edits.broken(masked) == (BrokenEdit(edits.edits[0], 2), BrokenEdit(edits.edits[1], 1))


def a_file(edits, **columns):
    attributes = tuple(Attribute(name, Kind.CONTINUOUS, decimals=2) for name in columns)
    return Microdata(attributes, {name: np.array(column, dtype=float) for name, column in columns.items()}, edits)


TOTAL = Edits((Edit({"total": 1, "a": -1, "b": -1}, 0, 0),))


def test_rounding_to_the_declared_decimals_breaks_no_sum():
    assert broken_edits(a_file(TOTAL, total=[6.67], a=[3.33], b=[3.33])) == ()  # 6.666 = 3.333 + 3.333
    assert broken_edits(a_file(TOTAL, total=[6.68], a=[3.33], b=[3.33]))  # off by two cents: three halves at most


def test_values_that_are_not_rounded_have_no_such_tolerance():
    assert broken_edits(a_file(TOTAL, total=[6.6695], a=[3.33], b=[3.33])) == ()  # total alone is exact: two halves
    assert broken_edits(a_file(TOTAL, total=[6.6705], a=[3.3301], b=[3.3301]))


@given(amounts.filter(lambda rows: len({len(row) for row in rows}) == 1), st.integers(0, 3))
def test_a_sum_that_holds_still_holds_when_every_value_is_rounded(rows, decimals):
    parts = {f"p{number}": column for number, column in enumerate(np.array(rows).T)}
    exact = parts | {"total": np.sum(list(parts.values()), axis=0)}
    edit = Edit({"total": 1, **dict.fromkeys(parts, -1)}, 0, 0)
    rounded = {name: np.round(column, decimals) for name, column in exact.items()}
    assert not edit.violations(rounded, units=dict.fromkeys(rounded, 10.0**-decimals)).any()


def test_rounding_excuses_no_broken_bound_and_no_broken_order():
    units = {"net": 1.0, "gross": 1.0}
    columns = {"net": np.array([-1.0, 3, 3]), "gross": np.array([5.0, 2, 3])}
    assert Edit({"net": 1}, low=0).violations(columns, units=units).tolist() == [True, False, False]
    assert Edit({"gross": 1, "net": -1}, low=0).violations(columns, units=units).tolist() == [False, True, False]


def test_a_count_is_exact():
    names = ("members", "adults", "children")
    attributes = tuple(Attribute(name, Kind.DISCRETE, integral=True) for name in names)
    edits = Edits((Edit({"members": 1, "adults": -1, "children": -1}, 0, 0),))
    data = Microdata(attributes, {"members": [3, 4], "adults": [2, 2], "children": [1, 1]}, edits)
    assert broken_edits(data) == (BrokenEdit(edits.edits[0], 1),)
    assert rounding_units(data, names) == {}


def test_a_category_counts_as_its_number_and_a_missing_one_is_not_checked():
    size, grade = (
        Attribute("size", Kind.DISCRETE, categories=(5, 10, 20)),
        Attribute("grade", Kind.DISCRETE, categories=("a", "b")),
    )
    edits = Edits((Edit({"size": 1}, low=6), Edit({"grade": 1}, low=5)))
    data = Microdata((size, grade), {"size": [0, 1, -1, 2], "grade": [0, 1, 0, -1]}, edits)
    np.testing.assert_array_equal(numbers(data, "size"), [5, 10, np.nan, 20])
    assert np.isnan(numbers(data, "grade")).all()
    assert broken_edits(data) == (BrokenEdit(edits.edits[0], 1),)


def test_an_edit_on_a_column_that_was_not_released_is_left_out():
    original = a_file(Edits((*TOTAL, Edit({"a": 1}, low=0))), total=[3], a=[1], b=[2])
    masked = original.without(["b"]).with_columns({"a": np.array([-1.0])})
    assert compare_edits(original, masked) == (EditComparison(Edit({"a": 1}, low=0), 0, 1),)


def test_noise_is_seen_to_break_a_sum():
    data = simulate_business(200, seed=1)
    noisy = data.with_columns({"profit": data.columns["profit"] + 10})
    broken = {str(each.edit): (each.before, each.after) for each in compare_edits(data, noisy)}
    assert broken["turnover − total_costs − profit = 0"] == (0, 200)


@pytest.mark.parametrize(
    ("terms", "ends", "units", "error"),
    [
        ({"a": 2}, (0, 0), {"a": 1.0}, 0.0),
        ({"a": 1, "b": -1}, (0, np.inf), {"a": 1.0, "b": 1.0}, 0.0),
        ({"a": 1, "b": -1}, (-np.inf, 0), {"a": 1.0, "b": 1.0}, 0.0),
        ({"a": 1, "b": -1}, (0, np.inf), {}, 0.0),
        ({"a": 1, "b": -1}, (0, np.inf), {"a": 1.0}, 0.5),
        ({"a": 1, "b": -1}, (1, np.inf), {"a": 1.0, "b": 1.0}, 1.0),
        ({"a": 1, "b": -1}, (0, 5), {"a": 1.0, "b": 1.0}, 1.0),
        ({"a": 1, "b": 1}, (0, np.inf), {"a": 1.0, "b": 1.0}, 1.0),
        ({"a": 1, "b": -0.4}, (0, np.inf), {"a": 0.01, "b": 1.0}, 0.205),
        ({"a": 1, "b": 1, "c": -2}, (0, 0), {"a": 1.0, "b": 1.0, "c": 1.0}, 2.0),
    ],
)
def test_a_sum_is_off_by_half_a_unit_of_each_term_unless_it_is_an_order_of_two(terms, ends, units, error):
    edit = Edit(terms, *ends)
    assert edit.rounding_error(units) == pytest.approx(error, abs=1e-15)
    assert edit.linear_parts() == ((terms, *ends, False),)


def test_a_difference_counts_beyond_a_billionth_of_the_amounts():
    """The magnitudes of 600 and −400 add up to 1000: a difference of 1e-6 is a billionth of them."""
    edit = Edit({"a": 1, "b": 1}, 200, 200)
    for difference, broken in ((0.9e-6, False), (1.2e-6, True), (-0.9e-6, False), (-1.2e-6, True)):
        columns = {"a": np.array([600 + difference]), "b": np.array([-400.0])}
        assert edit.violations(columns).tolist() == [broken]
    small = Edit({"a": 1}, 0, 0)
    assert small.violations({"a": np.array([0.9e-9, 1.1e-9, -1.1e-9])}).tolist() == [False, True, True]
    assert small.violations({"a": np.array([0.3])}, tolerance=0.25).all()
    assert not small.violations({"a": np.array([0.2])}, tolerance=0.25).any()
    total, magnitude = edit.sums({"a": np.array([600.0, np.nan]), "b": np.array([-400.0, 1.0])})
    assert (total[0], magnitude[0]) == (200, 1000) and np.isnan(total[1])


def test_a_bound_is_that_of_edits_on_one_attribute_with_a_coefficient():
    edits = Edits((Edit({"x": 0}, -1, 1), Edit({"x": 2}, 2), Edit({"x": 1, "y": 1}, 5, 5), Edit({"x": -2}, -8, 0)))
    assert edits.bound("x") == (1, 4)
    assert Edits((Edit({"x": 1}, 3), Edit({"x": 1}, 2, 9), Edit({"x": 1}, -1, 7))).bound("x") == (3, 7)
    assert (len(edits), [edit.attributes for edit in edits.among(["x"])]) == (4, [("x",)] * 3)


def test_categories_that_are_written_as_numbers_count_as_these():
    column = CategoryColumn(np.array([0, 1, 2, 3, 4, 5, -1]), ("5", " -1.5e1 ", "5-9", 7, True, None))
    np.testing.assert_array_equal(numbers_of(column), [5, -15, np.nan, 7, np.nan, np.nan, np.nan])
    assert not column.ordered


def test_an_edit_is_written_with_its_coefficients():
    assert str(Edit({"x": -2, "y": -1}, -np.inf, 3)) == "−2·x − y ≤ 3"
    assert str(Edit({"x": 1}, 0, 0, text="x is zero")) == "x is zero"
    assert str(Edit({"x": 1}, 0, 0)) == "x = 0"
