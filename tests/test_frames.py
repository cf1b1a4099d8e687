"""Frames go in and out unchanged, whatever their library and dtypes."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from polars.testing import assert_frame_equal as assert_polars_equal

from sdckit.errors import SchemaError
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Kind, Microdata, Role
from sdckit.schema import Declared, Schema

STAMPS = ["2020-02-29 23:59:59", "1969-12-31 00:00:01.5", None]

PANDAS_COLUMNS = {
    "int64": pd.Series([1, -2, 3]),
    "int8": pd.Series([1, -128, 127], dtype="int8"),
    "uint8": pd.Series([0, 255, 7], dtype="uint8"),
    "float64": pd.Series([0.1, np.nan, -3.0]),
    "float32": pd.Series([0.1, np.nan, 2.0], dtype="float32"),
    "nullable integer": pd.Series([1, None, 3], dtype="Int64"),
    "nullable small integer": pd.Series([1, None, 3], dtype="UInt8"),
    "nullable float": pd.Series([1.5, None, 3], dtype="Float64"),
    "bool": pd.Series([True, False, True]),
    "nullable bool": pd.Series([True, None, False], dtype="boolean"),
    "bool objects": pd.Series([True, None, False], dtype=object),
    "text": pd.Series(["b", "a", None]),
    "text objects": pd.Series(["b", "a", None], dtype=object),
    "text objects with NaN": pd.Series(["b", "a", np.nan], dtype=object),
    "string": pd.Series(["b", None, "a"], dtype="string"),
    "category": pd.Series(pd.Categorical(["b", None, "a"], categories=["b", "a", "unused"])),
    "ordered category": pd.Series(pd.Categorical(["low", "high", None], categories=["low", "high"], ordered=True)),
    "category of numbers": pd.Series(pd.Categorical([3, 1, None])),
    "category of intervals": pd.Series(pd.cut([1, 5, 9], bins=[0, 3, 6, 10])),
    "datetime": pd.Series(pd.to_datetime(pd.Series(STAMPS), format="ISO8601")),
    "datetime in seconds": pd.Series(np.array(["2020-01-01", "9999-12-31", "NaT"], dtype="datetime64[s]")),
    "datetime with a zone": pd.to_datetime(pd.Series(STAMPS), format="ISO8601").dt.tz_localize("Europe/Madrid"),
    "datetime with an offset": pd.to_datetime(pd.Series(["2020-01-01 10:00:00+02:00"] * 3)),
    "timedelta": pd.Series(pd.to_timedelta(["1 day", None, "00:00:01"])),
    "date objects": pd.Series([date(2020, 1, 1), None, date(1950, 5, 5)], dtype=object),
    "time objects": pd.Series([time(1, 2, 3), None, time(23, 0)], dtype=object),
    "decimal objects": pd.Series([Decimal("1.10"), None, Decimal("-2.25")], dtype=object),
    "integer objects": pd.Series([1, None, 3], dtype=object),
    "beyond 2**53": pd.Series([2**53 + 1, 2**60 + 1, -5]),
    "all missing": pd.Series([np.nan] * 3),
    "all missing objects": pd.Series([None] * 3, dtype=object),
    "arrow integer": pd.Series([1, None, 3], dtype="int32[pyarrow]"),
    "arrow text": pd.Series(["a", None, "b"], dtype=pd.ArrowDtype(pa.string())),
    "arrow time": pd.Series([datetime(2020, 1, 1), None, None], dtype=pd.ArrowDtype(pa.timestamp("ns", "UTC"))),
}


@pytest.mark.parametrize("name", PANDAS_COLUMNS)
def test_a_pandas_column_of_any_dtype_comes_back(name):
    frame = pd.DataFrame({name: PANDAS_COLUMNS[name]})
    assert_frame_equal(Microdata.from_frame(frame).to_frame(), frame)


def test_a_wide_pandas_frame_comes_back_in_order_with_its_index():
    index = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["region", "id"])
    frame = pd.DataFrame({name: column.array for name, column in PANDAS_COLUMNS.items()}, index=index)
    assert_frame_equal(Microdata.from_frame(frame).to_frame(), frame)


@pytest.mark.parametrize(
    "labels", [[0, 1], [("a", 1), ("a", 2)], [date(2020, 1, 1), None], ["two words", "año\n☃"], ["a.b", 'q"uote']]
)
def test_labels_of_columns_need_not_be_text(labels):
    frame = pd.DataFrame([[1, "x"], [2, "y"]], columns=pd.Index(labels))
    assert_frame_equal(Microdata.from_frame(frame).to_frame(), frame)


def test_a_named_column_index_survives_dropping_a_column():
    frame = pd.DataFrame([[1, 2, 3]], columns=pd.Index([2019, 2020, 2021], name="year"))
    assert_frame_equal(Microdata.from_frame(frame).without(["2020"]).to_frame(), frame[[2019, 2021]])


def test_the_index_follows_the_rows():
    frame = pd.DataFrame({"x": [1, 2, 3]}, index=["p", "q", "r"])
    taken = Microdata.from_frame(frame).take(np.array([2, 0]))
    assert_frame_equal(taken.to_frame(), frame.loc[["r", "p"]])


POLARS = pl.DataFrame(
    {
        "i64": pl.Series([1, None, -3]),
        "i8": pl.Series([1, None, -128], dtype=pl.Int8),
        "u8": pl.Series([1, None, 255], dtype=pl.UInt8),
        "u64": pl.Series([1, None, 2**64 - 1], dtype=pl.UInt64),
        "f32": pl.Series([0.1, None, 2], dtype=pl.Float32),
        "f64": pl.Series([0.1, None, 2]),
        "bool": pl.Series([True, None, False]),
        "text": pl.Series(["b", None, "a"]),
        "enum": pl.Series(["low", None, "high"], dtype=pl.Enum(["low", "middle", "high"])),
        "categorical": pl.Series(["b", None, "a"], dtype=pl.Categorical),
        "date": pl.Series([date(2020, 2, 29), None, date(1, 1, 1)]),
        "datetime": pl.Series([datetime(2020, 2, 29, 1, 2, 3, 4), None, datetime(9999, 12, 31)]),
        "milliseconds": pl.Series([datetime(2020, 2, 29), None, datetime(1900, 1, 1)], dtype=pl.Datetime("ms")),
        "zoned": pl.Series([datetime(2020, 7, 1), None, datetime(2020, 1, 1)], dtype=pl.Datetime("ns", "Asia/Tokyo")),
        "duration": pl.Series([timedelta(days=1), None, timedelta(microseconds=1)]),
        "time": pl.Series([time(1, 2, 3), None, time(23, 59)]),
        "decimal": pl.Series([Decimal("1.10"), None, Decimal("-9999.99")], dtype=pl.Decimal(20, 2)),
        "wide decimal": pl.Series([Decimal("12345678901234567.89"), None, Decimal("1.00")], dtype=pl.Decimal(30, 2)),
        "nothing": pl.Series([None, None, None], dtype=pl.Null),
        "no texts": pl.Series([None, None, None], dtype=pl.String),
    }
)


def test_a_polars_frame_comes_back():
    assert_polars_equal(Microdata.from_frame(POLARS).to_frame(), POLARS, categorical_as_str=True)


def test_a_lazy_frame_comes_back_lazy():
    back = Microdata.from_frame(POLARS.lazy()).to_frame()
    assert isinstance(back, pl.LazyFrame)
    assert_polars_equal(back.collect(), POLARS, categorical_as_str=True)


def test_a_pyarrow_table_comes_back():
    table = pa.table(
        {
            "i8": pa.array([1, None, 3], pa.int8()),
            "f32": pa.array([0.5, None, 3], pa.float32()),
            "text": pa.array(["a", None, "b"]),
            "large": pa.array(["a", None, "b"], pa.large_string()),
            "bool": pa.array([True, None, False]),
            "date32": pa.array([date(2020, 1, 1), None, date(1950, 1, 1)]),
            "date64": pa.array([date(2020, 1, 1), None, date(1950, 1, 1)], pa.date64()),
            "seconds": pa.array([datetime(2020, 1, 1), None, None], pa.timestamp("s")),
            "zoned": pa.array([datetime(2020, 1, 1), None, None], pa.timestamp("us", "Europe/Madrid")),
            "decimal": pa.array([Decimal("1.10"), None, Decimal("2.00")], pa.decimal128(12, 2)),
            "dictionary": pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.int8()), ["u", "v"], ordered=True),
            "codes": pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.int16()), [10, 20]),
            "nothing": pa.nulls(3),
        }
    )
    back = Microdata.from_frame(table).to_frame()
    assert back.schema == table.schema
    assert back.to_pydict() == table.to_pydict()
    assert Microdata.from_frame(table).attribute("dictionary").kind is Kind.DISCRETE


def test_chunked_dictionaries_share_their_categories():
    chunks = [pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()]
    table = pa.table({"x": pa.chunked_array(chunks)})
    assert Microdata.from_frame(table).to_frame().to_pydict() == {"x": ["a", "b", "c", "a"]}


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_every_kind_of_frame_can_be_asked_for(backend):
    frame = pd.DataFrame(
        {
            "n": pd.Series([1, None], dtype="Int64"),
            "x": [0.5, np.nan],
            "when": pd.to_datetime(["2020-01-01", None]).tz_localize("UTC"),
            "town": ["Ely", None],
            "grade": pd.Categorical(["lo", "hi"], categories=["lo", "hi"], ordered=True),
        }
    )
    other = Microdata.from_frame(frame).to_frame(backend)
    back = Microdata.from_frame(other)
    assert back.missing("n") == back.missing("x") == back.missing("when") == back.missing("town") == 1
    assert back.values("town").tolist() == ["Ely", None]
    assert back.attribute("grade").categories == ("lo", "hi")
    assert back.attribute("grade").kind is Kind.DISCRETE
    assert back.attribute("n").integral


@given(
    st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=8),
    st.lists(st.one_of(st.none(), st.text(max_size=4)), min_size=8, max_size=8),
)
def test_any_integers_and_texts_come_back(numbers, texts):
    frame = pl.DataFrame(
        {"n": pl.Series(numbers, dtype=pl.Int64), "t": pl.Series(texts[: len(numbers)], dtype=pl.String)}
    )
    assert_polars_equal(Microdata.from_frame(frame).to_frame(), frame)


# What a masking may do to a column


def masked(frame, values, name="x"):
    file = Microdata.from_frame(frame)
    return file.with_columns({name: np.array(values, dtype=float)}).to_frame()


def test_whole_numbers_that_became_fractions_are_floats():
    assert masked(pd.DataFrame({"x": [1, 2]}), [1.5, 2])["x"].dtype == "float64"
    assert masked(pd.DataFrame({"x": pd.Series([1, 2], dtype="Int8")}), [1.5, 2])["x"].dtype == "Float64"
    assert masked(pl.DataFrame({"x": [1, 2]}), [1.5, 2])["x"].dtype == pl.Float64
    assert masked(pa.table({"x": pa.array([1, 2], pa.int8())}), [1.5, 2]).schema.field("x").type == pa.float64()


def test_numbers_beyond_their_width_take_the_widest():
    assert masked(pd.DataFrame({"x": pd.Series([1, 2], dtype="uint8")}), [-1, 256])["x"].tolist() == [-1, 256]
    assert masked(pl.DataFrame({"x": pl.Series([1, 2], dtype=pl.Int8)}), [1, 300])["x"].dtype == pl.Int64
    assert masked(pa.table({"x": pa.array([1, 2], pa.int8())}), [1, 300]).schema.field("x").type == pa.int64()


def test_a_suppressed_integer_is_missing_in_every_frame():
    assert masked(pd.DataFrame({"x": [1, 2]}), [1, np.nan])["x"].isna().tolist() == [False, True]
    assert masked(pl.DataFrame({"x": [1, 2]}), [1, np.nan])["x"].to_list() == [1, None]
    assert masked(pa.table({"x": [1, 2]}), [1, np.nan])["x"].to_pylist() == [1, None]


def test_an_averaged_time_is_rounded_to_a_tick():
    frame = pl.DataFrame({"x": [date(2020, 1, 1), date(2020, 1, 2)]})
    file = Microdata.from_frame(frame)
    assert file.with_columns({"x": file.columns["x"] + 0.4}).to_frame().equals(frame)


@pytest.mark.parametrize("dtype", ["int64", "int8", "float64", "Int16"])
def test_numbers_declared_unordered_are_categories_and_come_back_as_numbers(dtype):
    frame = pd.DataFrame({"sex": pd.Series([2, 1, 2], dtype=dtype)})
    file = Microdata.from_frame(frame, kinds={"sex": "unordered"})
    assert file.attribute("sex").categories == (1, 2)
    assert file.columns["sex"].tolist() == [1, 0, 1]
    assert_frame_equal(file.to_frame(), frame)


def test_codes_that_are_floats_beside_a_missing_value_are_whole_categories():
    frame = pd.DataFrame({"sex": [2.0, np.nan, 1.0]})
    file = Microdata.from_frame(frame, kinds={"sex": "unordered"})
    assert file.attribute("sex").categories == (1, 2)
    assert_frame_equal(file.to_frame(), frame)


def test_recoded_numbers_come_out_as_text():
    from dataclasses import replace

    file = Microdata.from_frame(pd.DataFrame({"age": [31, 38]}), kinds={"age": "unordered"})
    recoded = replace(file.attribute("age"), categories=("[30, 40)",))
    back = file.with_columns({"age": np.zeros(2, dtype=np.int32)}, [recoded]).to_frame()
    assert back["age"].tolist() == ["[30, 40)"] * 2


def test_a_suppressed_category_is_the_original_ones_with_a_gap():
    frame = pd.DataFrame({"x": pd.Categorical(["a", "b"], categories=["b", "a"])})
    back = Microdata.from_frame(frame).with_columns({"x": np.array([-1, 0])}).to_frame()
    assert back["x"].dtype == frame["x"].dtype
    assert back["x"].isna().tolist() == [True, False]


# What is declared


def test_declared_missing_codes_are_missing_in_numbers_texts_and_categories():
    frame = pd.DataFrame({"n": [1, 99, 3], "t": ["a", "?", "b"], "c": pd.Categorical(["?", "a", "b"])})
    schema = Schema({"n": Declared(missing=(99,)), "t": Declared(missing=("?",)), "c": Declared(missing=("?",))})
    file = Microdata.from_frame(frame, schema=schema)
    assert [file.missing(name) for name in "ntc"] == [1, 1, 1]
    assert file.attribute("c").categories == ("a", "b")
    assert file.values("c").tolist() == [None, "a", "b"]


def test_declared_categories_give_an_order_and_keep_unused_ones():
    schema = Schema({"size": Declared(categories=("small", "middle", "large"))})
    file = Microdata.from_frame(pl.DataFrame({"size": ["large", "small"]}), schema=schema)
    assert file.attribute("size").kind is Kind.DISCRETE
    assert file.matrix(["size"]).ravel().tolist() == [2, 0]


def test_declared_categories_may_be_an_unordered_domain():
    schema = Schema({"sex": Declared(kind=Kind.UNORDERED, categories=(1, 2, 3))})
    file = Microdata.from_frame(pl.DataFrame({"sex": [2, 1]}), schema=schema)
    assert file.attribute("sex").kind is Kind.UNORDERED
    assert file.columns["sex"].tolist() == [1, 0]


def test_an_unordered_category_of_numbers_can_be_declared_ordered():
    frame = pd.DataFrame({"x": pd.Categorical([10, 9], categories=[10, 9])})
    file = Microdata.from_frame(frame, kinds={"x": "discrete"})
    assert file.matrix(["x"]).ravel().tolist() == [1, 0]
    assert_frame_equal(file.to_frame(), frame)


def test_a_hierarchy_makes_an_attribute_partially_ordered():
    tree = Hierarchy.by_prefix(["10", "11"])
    file = Microdata.from_frame(pl.DataFrame({"zip": [10, 11, None]}), hierarchies={"zip": tree})
    assert file.attribute("zip").kind is Kind.PARTIALLY_ORDERED
    assert file.to_frame()["zip"].to_list() == [10, 11, None]


def test_ordered_numbers_may_have_a_hierarchy_and_stay_numbers():
    schema = Schema({"age": Declared(kind=Kind.DISCRETE, hierarchy={"intervals": [10]})})
    file = Microdata.from_frame(pl.DataFrame({"age": [31, 38, None]}), schema=schema)
    assert not file.attribute("age").coded
    assert file.attribute("age").hierarchy.ancestors(31) == ("31", "30–39", "*")


def test_value_labels_find_their_numbers_again():
    labels = {"1": "male", "2": "female"}
    schema = Schema({"sex": Declared(kind=Kind.UNORDERED, value_labels=labels), "x": Declared(value_labels=labels)})
    file = Microdata.from_frame(pl.DataFrame({"sex": [1, 2], "x": [1.0, 2.0]}), schema=schema)
    assert file.attribute("sex").value_labels == file.attribute("x").value_labels == {1: "male", 2: "female"}


def test_decimals_of_a_decimal_column_are_known():
    file = Microdata.from_frame(POLARS)
    assert file.attribute("decimal").decimals == 2
    assert file.attribute("i8").integral and not file.attribute("f32").integral


def test_without_roles_the_numbers_are_keys_and_with_some_the_rest_is_other():
    frame = pl.DataFrame({"age": [1], "pay": [2], "town": ["x"]})
    assert Microdata.from_frame(frame).names(role=Role.KEY) == ("age", "pay")
    given = Microdata.from_frame(frame, roles={"pay": "confidential"})
    assert [given.attribute(name).role for name in ("age", "pay")] == [Role.OTHER, Role.CONFIDENTIAL]


# What is refused


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame({"x": []}), "no records"),
        (pl.DataFrame({"x": [1]}).head(0), "no records"),
        (np.zeros((2, 2)), "no column names"),
        ([1, 2], "is not a frame"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "'a' appears twice"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "'1' appears twice"),
        (pa.table([[1], [2]], names=["a", "a"]), "'a' appears twice"),
        (pd.DataFrame({"x": [1, "two"]}), "mixes numbers and text \\(record 2 has \\[shown on a terminal only\\]\\)"),
        (pd.DataFrame({"x": [[1], [2]]}), "holds list values"),
        (pd.DataFrame({"x": [2**70]}, dtype=object), "write them as text"),
        (pl.DataFrame({"x": [[1], [2]]}), "holds list"),
        (pl.DataFrame({"x": [b"a"]}), "holds binary"),
        (pa.table({"x": [{"a": 1}]}), "holds struct"),
        (pd.DataFrame({"x": [1.0, np.inf]}), "infinite value \\(record 2\\)"),
        (pd.DataFrame({"x": [1.0, -9e200]}), "'x' has the value .* \\(record 2\\).* declare it as missing"),
    ],
)
def test_an_unusable_frame_is_refused_with_its_cure(frame, words):
    with pytest.raises(SchemaError, match=words) as caught:
        Microdata.from_frame(frame)
    assert "\n" not in str(caught.value)


def test_text_declared_continuous_is_refused():
    with pytest.raises(SchemaError, match="list its categories in order"):
        Microdata.from_frame(pl.DataFrame({"x": ["a"]}), kinds={"x": "continuous"})


def test_a_value_outside_its_declared_categories_is_refused():
    with pytest.raises(SchemaError, match=r"terminal only\] is not among its declared categories"):
        Microdata.from_frame(pl.DataFrame({"x": ["c"]}), schema=Schema({"x": Declared(categories=("a", "b"))}))


def test_a_value_outside_its_hierarchy_is_refused():
    with pytest.raises(SchemaError, match=r"terminal only\] is not in its hierarchy"):
        Microdata.from_frame(pl.DataFrame({"x": ["12"]}), hierarchies={"x": Hierarchy.by_prefix(["10", "11"])})


def test_an_unknown_frame_library_is_refused():
    with pytest.raises(SchemaError, match="use pandas, polars or pyarrow"):
        Microdata.from_frame(pl.DataFrame({"x": [1]})).to_frame("spark")


@pytest.mark.parametrize("name", PANDAS_COLUMNS)
def test_a_pandas_column_declared_unordered_comes_back_all_the_same(name):
    frame = pd.DataFrame({name: PANDAS_COLUMNS[name]})
    file = Microdata.from_frame(frame, kinds={name: "unordered"})
    assert file.attribute(name).coded
    assert_frame_equal(file.to_frame(), frame)


@pytest.mark.parametrize("name", POLARS.columns)
def test_a_polars_column_declared_unordered_comes_back_all_the_same(name):
    frame = POLARS.select(name)
    back = Microdata.from_frame(frame, kinds={name: "unordered"}).to_frame()
    assert back.schema == frame.schema
    assert back.rows() == frame.rows()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("name", PANDAS_COLUMNS)
def test_missing_stays_missing_in_a_frame_of_another_kind(name, backend):
    file = Microdata.from_frame(pd.DataFrame({name: PANDAS_COLUMNS[name]}))
    other = Microdata.from_frame(file.to_frame(backend))
    np.testing.assert_array_equal(other.absent(name), file.absent(name))
