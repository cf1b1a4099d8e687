"""A schema says what a file's columns mean, and TOML holds all of it."""

import tomllib
from datetime import date

import polars as pl
import pytest
from hypothesis import given
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


terms = st.dictionaries(names, st.floats(-9, 9), min_size=1, max_size=3)
edits = st.lists(st.tuples(terms, ends).map(lambda each: Edit(each[0], *each[1])), max_size=3).map(tuple)
any_schema = st.builds(Schema, st.dictionaries(names, declared, max_size=4), edits.map(Edits))


@given(any_schema, st.text(max_size=20))
def test_every_declaration_survives_toml(schema, reason):
    text = schema.to_toml({name: [reason, "why"] for name in schema.attributes})
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
def test_the_schema_of_a_file_survives_toml(tmp_path, tree):
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


def test_other_tables_of_the_document_are_ignored():
    assert Schema.from_dict({"recipe": [{"method": "x"}]}) == Schema()


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"attributes": {"age": {"kind": "discret"}}}, "did you mean 'discrete'"),
        ({"attributes": {"age": {"role": "kee"}}}, "did you mean 'key'"),
        ({"attributes": {"age": {"knid": "discrete"}}}, "has no entry 'knid'; did you mean 'kind'"),
        ({"attributes": {"age": 3}}, "must be a table"),
        ({"attributes": 3}, "attributes must be a table, not 3"),
        ({"edits": [{"low": 0}]}, "edits, item 1 needs terms"),
        ({"edits": 3}, "edits must be a list, not 3"),
        ({"edits": [3]}, "edits, item 1 must be text or a table, not 3"),
        ({"edits": [{"terms": 3}]}, "edits, item 1, terms must be a table, not 3"),
        ({"edits": [{"terms": {}}]}, "edits, item 1, terms is empty"),
        ({"edits": [{"terms": {"x": "a"}}]}, "edits, item 1, terms, x must be a number, not 'a'"),
        ({"edits": [{"terms": {"x": 1}, "low": "x"}]}, "edits, item 1, low must be a number, not 'x'"),
        ({"edits": [{"terms": {"x": 1}, "hihg": 1}]}, "no entry 'hihg'; did you mean 'high'"),
        ({"edits": [{"terms": {"x": 1}, "low": 2, "high": 1}]}, "can never hold"),
        ({"attributes": {"age": {"kind": 3}}}, "attributes.age.kind must be text, not 3"),
        ({"attributes": {"age": {"role": ["key"]}}}, "attributes.age.role must be text"),
        ({"attributes": {"age": {"categories": 5}}}, "attributes.age.categories must be a list, not 5"),
        (
            {"attributes": {"age": {"categories": [[1]]}}},
            "item 1 must be text or a number or true or false",
        ),
        ({"attributes": {"age": {"missing": "NA"}}}, "attributes.age.missing must be a list, not 'NA'"),
        ({"attributes": {"age": {"decimals": 1.5}}}, "attributes.age.decimals must be an integer, not 1.5"),
        ({"attributes": {"age": {"decimals": True}}}, "attributes.age.decimals must be an integer, not True"),
        ({"attributes": {"age": {"decimals": -1}}}, "attributes.age.decimals must be at least 0, not -1"),
        ({"attributes": {"age": {"label": 3}}}, "attributes.age.label must be text, not 3"),
        ({"attributes": {"age": {"value_labels": {"1": 2}}}}, "value_labels.1 must be text, not 2"),
        ({"attributes": {"age": {"hierarchy": "prefix"}}}, "hierarchy must be a table"),
        ({"attributes": {"age": {"hierarchy": {}}}}, "must have one of"),
        ({"attributes": {"age": {"hierarchy": {"prefix": [1], "file": "x.csv"}}}}, "must have one of"),
        ({"attributes": {"age": {"hierarchy": {"prefix": 1}}}}, "hierarchy.prefix must be a list, not 1"),
        ({"attributes": {"age": {"hierarchy": {"prefix": ["a"]}}}}, "prefix, item 1 must be an integer"),
        ({"attributes": {"age": {"hierarchy": {"intervals": [0]}}}}, "intervals, item 1 must be above 0, not 0"),
        ({"attributes": {"age": {"hierarchy": {"intervals": [], "start": 1}}}}, "intervals is empty"),
        ({"attributes": {"age": {"hierarchy": {"intervals": [5], "strat": 1}}}}, "did you mean 'start'"),
        ({"attributes": {"age": {"hierarchy": {"levels": ["a"]}}}}, "levels, item 1 must be a list, not 'a'"),
        ({"attributes": {"age": {"hierarchy": {"file": 3}}}}, "hierarchy.file must be text, not 3"),
        ({"attributes": {"age": {"hierarchy": {"file": "a", "delimiter": ";;"}}}}, "must have 1 character, not 2"),
    ],
)
def test_a_mistake_in_a_schema_is_named_with_its_entry(document, words):
    with pytest.raises(SchemaError, match=f"^schema: .*{words}"):
        Schema.from_dict(document)


def test_an_unknown_column_is_refused_with_the_near_miss():
    frame = pl.DataFrame({"income": [1, 2]})
    with pytest.raises(UnknownNameError, match="did you mean 'income'"):
        Microdata.from_frame(frame, roles={"incmoe": "key"})
    with pytest.raises(SchemaError, match="did you mean 'income'"):
        Microdata.from_frame(frame, edits=Edits.bounds(incmoe=(0, 1)))


def test_a_hierarchy_of_no_known_kind_is_refused():
    with pytest.raises(SchemaError, match="levels, order, prefix, priority or redaction"):
        Declared(hierarchy={"depth": 3}).tree(["a"])


def test_intervals_of_text_are_refused():
    with pytest.raises(SchemaError, match=r"needs numbers, but .* is not one"):
        Declared(hierarchy={"intervals": [5]}).tree(["abc"])


def test_a_document_that_is_not_toml_is_refused_with_the_line(tmp_path):
    path = tmp_path / "schema.toml"
    path.write_text("[attributes\n")
    with pytest.raises(FileError, match=r"not valid TOML.*line 1"):
        Schema.from_toml(path)
    path.write_bytes("é".encode("latin-1"))
    with pytest.raises(FileError, match="not UTF-8"):
        Schema.from_toml(path)
    with pytest.raises(FileError, match="cannot be read"):
        Schema.from_toml(tmp_path / "none.toml")


def test_an_edit_on_a_column_with_a_hyphen_is_refused_with_the_way_to_write_it():
    frame = pl.DataFrame({"hours-per-week": [40, 20]})
    with pytest.raises(SchemaError, match="write `hours-per-week` in backquotes"):
        Microdata.from_frame(frame, edits=["1 <= hours-per-week <= 99"])
    assert Microdata.from_frame(frame, edits=["1 <= `hours-per-week` <= 99"]).edits
