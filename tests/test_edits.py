"""Edits: linear conditions on a record."""

import numpy as np
import pytest

from sdckit.edits import Edit, Edits
from sdckit.errors import SchemaError


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
    assert str(Edit({"x": 1}, 2, 2)) == "x = 2"


def test_an_edit_that_can_never_hold_is_refused():
    with pytest.raises(SchemaError, match="can never hold"):
        Edit({"x": 1}, 3, 2)
    with pytest.raises(SchemaError, match="at least one attribute"):
        Edit({})
