"""A schema says what a file's columns mean, and TOML holds all of it."""

import tomllib
from datetime import date

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.edits import Edit, Edits
from sdckit.errors import FileError, SchemaError, UnknownNameError
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Kind, Microdata, Role
from sdckit.schema import Declared, Schema

names = st.text(min_size=1, max_size=8)
declared = st.builds(
    Declared,
    kind=st.sampled_from([None, Kind.CONTINUOUS, Kind.DISCRETE, Kind.PARTIALLY_ORDERED, Kind.UNORDERED]),
    role=st.sampled_from([None, *Role]),
    hierarchy=st.sampled_from(
        [None, {"prefix": [1, 2]}, {"levels": [["a", "A"], ["b", "B"]] * 20}, {"intervals": [5.0, 10.0]}]
    ),
    categories=st.one_of(st.none(), st.lists(st.one_of(names, st.integers(-99, 99)), max_size=30).map(tuple)),
    decimals=st.one_of(st.none(), st.integers(0, 9)),
    missing=st.lists(st.one_of(names, st.integers(-99, 99), st.floats(-9, 9)), max_size=3).map(tuple),
    label=st.one_of(st.none(), st.text(min_size=1, max_size=30)),
    value_labels=st.one_of(st.none(), st.dictionaries(names, st.text(max_size=20), min_size=1, max_size=4)),
)
ends = st.tuples(st.floats(-9, 9), st.floats(-9, 9)).map(sorted)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(names, declared, max_size=4),
    st.lists(st.tuples(st.dictionaries(names, st.floats(-9, 9), min_size=1, max_size=3), ends), max_size=3),
    st.text(max_size=20),
)
def test_whatever_is_declared_goes_through_toml(attributes, edits, reason):
    schema = Schema(attributes, Edits(tuple(Edit(terms, low, high) for terms, (low, high) in edits)))
    text = schema.to_toml({name: [reason, "why"] for name in attributes})
    assert Schema.from_dict(tomllib.loads(text)) == schema


def test_the_text_is_what_a_person_would_write():
    schema = Schema(
        {
            "age": Declared(kind=Kind.DISCRETE, role=Role.KEY),
            "post code": Declared(
                kind=Kind.PARTIALLY_ORDERED,
                role=Role.KEY,
                hierarchy=Hierarchy.by_prefix(["123", "124"]),
                missing=("999",),
                value_labels={"123": "Ely"},
            ),
        },
        Edits((Edit({"gross": 1, "net": -1}, low=0), Edit({"a": 1, "b": -1}, 0, 0))),
    )
    assert (
        schema.to_toml({"age": ["the name says so"]})
        == """\
# the name says so
[attributes.age]
kind = "discrete"
role = "key"

[attributes."post code"]
kind = "partially-ordered"
role = "key"
missing = ["999"]
hierarchy = { prefix = [1, 2] }

[attributes."post code".value_labels]
123 = "Ely"

[[edits]]
terms = { gross = 1, net = -1 }
low = 0

[[edits]]
terms = { a = 1, b = -1 }
equals = 0
"""
    )


def test_dates_may_be_categories():
    schema = Schema({"wave": Declared(categories=(date(2020, 1, 1), date(2021, 1, 1)))})
    assert Schema.from_dict(tomllib.loads(schema.to_toml())) == schema


@pytest.mark.parametrize(
    "tree",
    [
        Hierarchy.by_prefix(["101", "102", "201"]),
        Hierarchy.by_prefix(["101", "102", "201"], mask="x"),
        Hierarchy.by_levels([["101", "1"], ["102", "1"], ["201", "2"]]),
        Hierarchy.by_intervals([101, 102, 201], [10, 100], start=1),
        Hierarchy({"101": "low", "102": "low", "201": "*", "low": "*"}),
    ],
)
def test_what_is_known_of_a_file_goes_through_toml(tmp_path, tree):
    frame = pl.DataFrame({"zip": [101, 102, 201], "x": [1.5, 2.5, None]})
    file = Microdata.from_frame(frame, hierarchies={"zip": tree}, roles={"zip": "key"})
    path = tmp_path / "schema.toml"
    path.write_text(Schema.of(file).to_toml(), encoding="utf-8")
    again = Microdata.from_frame(frame, schema=Schema.from_toml(path))
    assert again.attributes == file.attributes


def test_a_hierarchy_file_lies_beside_the_schema(tmp_path):
    (tmp_path / "zip.csv").write_text("10;1*\n11;1*\n20;2*\n")
    (tmp_path / "schema.toml").write_text('[attributes.zip]\nhierarchy = { file = "zip.csv" }\n')
    schema = Schema.from_toml(tmp_path / "schema.toml")
    file = Microdata.from_frame(pl.DataFrame({"zip": [10, 20]}), schema=schema)
    assert file.attribute("zip").hierarchy.ancestors(10) == ("10", "1*", "*")


def test_other_tables_of_the_document_are_left_alone():
    assert Schema.from_dict({"recipe": [{"method": "x"}]}) == Schema()


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"attributes": {"age": {"kind": "discret"}}}, "did you mean 'discrete'"),
        ({"attributes": {"age": {"role": "kee"}}}, "did you mean 'key'"),
        ({"attributes": {"age": {"knid": "discrete"}}}, "has no entry 'knid'; did you mean 'kind'"),
        ({"attributes": {"age": 3}}, "must be a table"),
        ({"attributes": 3}, "must be tables"),
        ({"edits": [{"low": 0}]}, "an edit has terms"),
    ],
)
def test_a_slip_in_a_schema_is_told_with_its_near_miss(told, words):
    with pytest.raises(SchemaError, match=words):
        Schema.from_dict(told)


def test_a_column_that_is_not_there_is_told_with_its_near_miss():
    frame = pl.DataFrame({"income": [1, 2]})
    with pytest.raises(UnknownNameError, match="did you mean 'income'"):
        Microdata.from_frame(frame, roles={"incmoe": "key"})
    with pytest.raises(SchemaError, match="did you mean 'income'"):
        Microdata.from_frame(frame, edits=Edits.bounds(incmoe=(0, 1)))


def test_a_hierarchy_told_in_no_known_way_is_refused():
    with pytest.raises(SchemaError, match="prefix, intervals, levels or file"):
        Declared(hierarchy={"depth": 3}).tree(["a"])


def test_a_broken_document_is_told_with_its_place(tmp_path):
    path = tmp_path / "schema.toml"
    path.write_text("[attributes\n")
    with pytest.raises(FileError, match=r"not valid TOML.*line 1"):
        Schema.from_toml(path)
    path.write_bytes("é".encode("latin-1"))
    with pytest.raises(FileError, match="not UTF-8"):
        Schema.from_toml(path)
    with pytest.raises(FileError, match="cannot be read"):
        Schema.from_toml(tmp_path / "none.toml")
