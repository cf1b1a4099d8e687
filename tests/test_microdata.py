"""Microdata: columns with meanings, never changed in place."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.edits import Edit, Edits
from sdckit.errors import SchemaError, UnknownNameError
from sdckit.microdata import Attribute, Kind, Microdata, Role


@pytest.fixture
def file():
    frame = pl.DataFrame(
        {
            "name": ["Ann", "Bob", "Cy"],
            "age": [30, None, 52],
            "size": pl.Series(["s", "l", None], dtype=pl.Enum(["s", "m", "l"])),
            "pay": [1.5, 2.5, 2.5],
        }
    )
    return Microdata.from_frame(frame, roles={"name": "identifier", "age": "key", "size": "key", "pay": "confidential"})


def test_names_by_kind_and_role(file):
    assert file.names(role=Role.KEY) == ("age", "size")
    assert file.names(kind=Kind.ORDERED) == ("age", "size", "pay")
    assert file.names(kind=Kind.UNORDERED) == ("name",)
    assert file.names(kind=Kind.CONTINUOUS, role=[Role.KEY, Role.CONFIDENTIAL]) == ("pay",)


def test_the_matrix_has_positions_for_ordered_categories_and_nan_for_missing(file):
    np.testing.assert_array_equal(file.matrix(["age", "size"]), [[30, 0], [np.nan, 2], [52, np.nan]])


def test_an_unordered_attribute_has_no_matrix(file):
    with pytest.raises(SchemaError, match="has no numbers to compute with"):
        file.matrix(["name"])


def test_equal_values_have_equal_codes_and_missing_has_minus_one(file):
    codes = file.codes(["age", "size", "pay"])
    assert codes[:, 0].tolist().count(-1) == 1 and codes[1, 0] == -1
    assert codes[:, 1].tolist() == [0, 2, -1]
    assert codes[1, 2] == codes[2, 2] != codes[0, 2]


@settings(max_examples=30, deadline=None)
@given(arrays(float, st.integers(1, 20), elements=st.one_of(st.just(np.nan), st.integers(-3, 3).map(float))))
def test_codes_tell_apart_exactly_the_values_that_differ(values):
    file = Microdata((Attribute("x", Kind.CONTINUOUS),), {"x": values})
    codes = file.codes(["x"])[:, 0]
    same = (values[:, None] == values) | (np.isnan(values)[:, None] & np.isnan(values))
    np.testing.assert_array_equal(codes[:, None] == codes, same)
    np.testing.assert_array_equal(codes == -1, np.isnan(values))


@settings(max_examples=30, deadline=None)
@given(arrays(float, (4, 2), elements=st.floats(-1e6, 1e6)))
def test_a_matrix_put_in_comes_out(values):
    file = Microdata(
        (Attribute("x", Kind.CONTINUOUS), Attribute("y", Kind.CONTINUOUS)), {"x": np.zeros(4), "y": np.zeros(4)}
    )
    np.testing.assert_array_equal(file.with_matrix(["y", "x"], values).matrix(["y", "x"]), values)


def test_an_ordered_category_takes_the_nearest_position(file):
    masked = file.with_matrix(["size"], np.array([[0.6], [9.0], [np.nan]]))
    assert masked.values("size").tolist() == ["m", "l", None]


def test_nothing_changes_in_place(file):
    with pytest.raises(ValueError, match="read-only"):
        file.columns["pay"][0] = 9
    with pytest.raises(TypeError):
        file.columns["pay"] = np.zeros(3)
    values = np.array([1.0, 2, 3])
    held = file.with_columns({"pay": values})
    values[0] = 99
    assert held.columns["pay"][0] == 1
    assert file.columns["pay"][0] == 1.5


def test_rows_remember_where_they_came_from(file):
    twice = file.take(np.array([2, 0])).take(np.array([1, 1, 0]))
    assert twice.lineage.tolist() == [0, 0, 2]
    assert twice.values("name").tolist() == ["Ann", "Ann", "Cy"]


def test_the_lineage_is_not_shown(file):
    assert "lineage" not in repr(file.take(np.array([0])))


def test_roles_and_columns_can_be_changed_and_dropped(file):
    assert file.with_roles(pay="key").names(role=Role.KEY) == ("age", "size", "pay")
    assert "name" not in file.without(["name"])
    assert len(file.without(["name"])) == 3


def test_a_column_that_is_not_there_is_told_with_its_near_miss(file):
    with pytest.raises(UnknownNameError, match="did you mean 'age'"):
        file.attribute("aeg")
    with pytest.raises(UnknownNameError):
        file.with_columns({"aeg": np.zeros(3)})


def test_columns_of_different_length_or_of_one_name_are_refused():
    one, two = Attribute("x", Kind.CONTINUOUS), Attribute("y", Kind.CONTINUOUS)
    with pytest.raises(SchemaError, match="differ in length"):
        Microdata((one, two), {"x": np.zeros(2), "y": np.zeros(3)})
    with pytest.raises(SchemaError, match="stands twice"):
        Microdata((one, one), {"x": np.zeros(2)})


def test_kinds_and_roles_are_found_by_their_usual_names():
    assert Kind.named("Discrete ordered") is Kind.DISCRETE
    assert Kind.named("hierarchical") is Kind.PARTIALLY_ORDERED
    assert Role.named("quasi-identifier") is Role.KEY
    assert [Kind.named(kind.title) for kind in (Kind.CONTINUOUS, Kind.DISCRETE, Kind.UNORDERED)] == [
        Kind.CONTINUOUS,
        Kind.DISCRETE,
        Kind.UNORDERED,
    ]
    with pytest.raises(SchemaError, match="did you mean 'continuous'"):
        Kind.named("continous")
    with pytest.raises(SchemaError, match="there is no role 'boss'"):
        Role.named("boss")


def test_edits_on_a_dropped_column_go_with_it():
    data = Microdata.from_frame(
        pl.DataFrame({"net": [1, 2], "gross": [2, 1]}), edits=Edits((Edit({"gross": 1, "net": -1}, low=0),))
    )
    assert data.edits.violations(data.columns)
    assert len(data.without(["net"]).edits) == 0
