"""Microdata: columns with meanings, never changed in place."""

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.dataset import Dataset
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


@given(arrays(float, st.integers(1, 20), elements=st.one_of(st.just(np.nan), st.integers(-3, 3).map(float))))
def test_codes_differ_exactly_where_values_differ(values):
    file = Microdata((Attribute("x", Kind.CONTINUOUS),), {"x": values})
    codes = file.codes(["x"])[:, 0]
    same = (values[:, None] == values) | (np.isnan(values)[:, None] & np.isnan(values))
    np.testing.assert_array_equal(codes[:, None] == codes, same)
    np.testing.assert_array_equal(codes == -1, np.isnan(values))


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
    other = file.with_columns({"pay": values})
    values[0] = 99
    assert other.columns["pay"][0] == 1
    assert file.columns["pay"][0] == 1.5


def test_columns_that_cannot_change_are_shared(file):
    def shared(other, name):
        return np.shares_memory(other.columns[name], file.columns[name])

    assert all(shared(file.only(["pay", "age"]), name) for name in ("pay", "age"))
    assert all(shared(file.without(["name"]), name) for name in ("age", "size", "pay"))
    assert all(shared(file.with_roles(pay="key"), name) for name in file.columns)
    other = file.with_columns({"pay": np.zeros(3)})
    assert shared(other, "age") and not shared(other, "pay")


def test_a_column_that_a_caller_could_change_is_copied():
    attribute = Attribute("x", Kind.CONTINUOUS)
    values = np.arange(6.0)
    window = values[:3]
    window.flags.writeable = False  # read-only itself, but a view of an array that is not
    files = [Microdata((attribute,), {"x": each}) for each in (values, window)]
    values[0] = 99
    assert [file.columns["x"][0] for file in files] == [0, 0]


def test_a_column_of_a_matrix_is_copied_so_that_the_matrix_can_go():
    matrix = np.zeros((4, 3))
    matrix.flags.writeable = False
    file = Microdata((Attribute("x", Kind.CONTINUOUS),), {"x": matrix[:, 0]})
    assert file.columns["x"].flags.c_contiguous and not np.shares_memory(file.columns["x"], matrix)


def test_operations_on_a_large_file_need_no_second_copy_of_it():
    names = [f"x{number}" for number in range(10)]
    data = Microdata(tuple(Attribute(name, Kind.CONTINUOUS) for name in names), dict.fromkeys(names, np.zeros(100_000)))
    column = data.columns["x0"].nbytes
    rows = np.arange(100_000)

    def peak(operation):
        tracemalloc.start()
        result = operation()
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert result is not None
        return used

    assert peak(lambda: data.only(names[:5])) < column / 10
    assert peak(lambda: data.with_roles(x1="key")) < column / 10
    assert column <= peak(lambda: data.with_columns({"x1": np.ones(100_000)})) < 2.1 * column
    assert peak(lambda: data.take(rows)) < 12.1 * column  # ten columns, the lineage and what it is made from


def test_other_rows_have_the_same_attributes_and_come_from_no_record(file):
    columns = {"name": [0, 1], "age": [1.0, np.nan], "size": [2, -1], "pay": [7.0, 8.0]}
    other = file.take(np.array([2, 0])).with_rows(columns)
    assert len(other) == 2 and other.attributes == file.attributes
    assert other.lineage.tolist() == [-1, -1]
    assert other.values("size").tolist() == ["l", None]
    assert len(file.with_rows({name: [] for name in columns})) == 0


def test_other_rows_need_every_column_and_no_other(file):
    with pytest.raises(SchemaError, match="'age' has no column"):
        file.with_rows({"name": [0]})
    with pytest.raises(UnknownNameError, match="did you mean 'age'"):
        file.with_rows({"aeg": [0]})


def test_new_rows_of_a_pandas_file_have_an_index_of_their_own():
    frame = pd.DataFrame({"x": [1.0, 2.0]}, index=["a", "b"])
    other = Microdata.from_frame(frame).with_rows({"x": [5.0, 6.0]})
    assert other.to_frame().index.tolist() == [0, 1]


def test_microdata_is_a_dataset(file):
    assert isinstance(file, Dataset)
    summary = file.describe()
    assert (summary.records, [each.name for each in summary.attributes]) == (3, ["name", "age", "size", "pay"])
    assert summary.to_dict()["attributes"][1] == {"name": "age", "kind": "discrete", "role": "key", "missing": 1}
    assert "Ann" not in str(summary)


def test_the_lineage_gives_the_record_of_each_row(file):
    twice = file.take(np.array([2, 0])).take(np.array([1, 1, 0]))
    assert twice.lineage.tolist() == [0, 0, 2]
    assert twice.values("name").tolist() == ["Ann", "Ann", "Cy"]


def test_the_lineage_is_not_shown(file):
    assert "lineage" not in repr(file.take(np.array([0])))


def test_roles_and_columns_can_be_changed_and_dropped(file):
    assert file.with_roles(pay="key").names(role=Role.KEY) == ("age", "size", "pay")
    assert "name" not in file.without(["name"])
    assert len(file.without(["name"])) == 3


def test_an_unknown_column_is_refused_with_the_near_miss(file):
    with pytest.raises(UnknownNameError, match="did you mean 'age'"):
        file.attribute("aeg")
    with pytest.raises(UnknownNameError):
        file.with_columns({"aeg": np.zeros(3)})


def test_columns_of_different_length_or_of_one_name_are_refused():
    one, two = Attribute("x", Kind.CONTINUOUS), Attribute("y", Kind.CONTINUOUS)
    with pytest.raises(SchemaError, match="differ in length"):
        Microdata((one, two), {"x": np.zeros(2), "y": np.zeros(3)})
    with pytest.raises(SchemaError, match="appears twice"):
        Microdata((one, one), {"x": np.zeros(2)})


def test_kinds_and_roles_are_found_by_their_common_names():
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
