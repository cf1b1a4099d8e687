"""The map of an intruder's file: what it converts, and mistakes that are named."""

import numpy as np
import polars as pl
import pytest
from jsonschema import Draft202012Validator

from sdckit import Intruder, Microdata, Release, check_document
from sdckit.errors import ParameterError, SchemaError, UnknownNameError
from sdckit.intruder_map import FORM, IntruderMap, map_errors
from sdckit.testing.files import a_file, fresh
from tests.test_external import ORDER, foreign, register

MAP = """
record = "person"

[columns]
years = "age"
district = "post code"
person = "name"

[columns.pay]
original = "yearly income"
factor = 4
"""


@pytest.fixture
def original():
    return fresh(a_file(40))


def test_a_map_gives_what_the_same_functions_give_in_python(original, tmp_path):
    path = tmp_path / "map.toml"
    path.write_text(MAP, encoding="utf-8")
    release = Release.in_order(original, original.without(["name"]))
    mapped = Intruder(file=IntruderMap.from_toml(path).external(foreign(original, ORDER)))
    in_python = Intruder(file=register(original, ORDER))
    assert mapped.known_attributes(release) == in_python.known_attributes(release)
    assert mapped.known_records(release).tolist() == in_python.known_records(release).tolist()
    for name in mapped.known_attributes(release):
        one, other = (each.known_file(release).values(name).tolist() for each in (mapped, in_python))
        assert one == other


def test_the_share_present_is_passed_on_and_a_wrong_one_is_named():
    mapped = IntruderMap.from_dict({"record": "id", "present": 0.25})
    assert mapped.external(pl.DataFrame({"id": ["p"]})).present == 0.25
    with pytest.raises(SchemaError, match="present must be at most 1"):
        IntruderMap.from_dict({"record": "id", "present": 25})


def translated(entry, values, original):
    mapped = IntruderMap.from_dict({"record": "id", "columns": {"x": entry}})
    file = pl.DataFrame({"id": range(len(values)), "x": values})
    return mapped.external(file).in_terms_of(Microdata.from_frame(original)).values("y").tolist()


def test_factor_and_offset_make_the_units_of_the_original():
    """Degrees Celsius to Fahrenheit: 1.8 · 100 + 32 = 212."""
    entry = {"original": "y", "factor": 1.8, "offset": 32}
    assert translated(entry, [100, 0], pl.DataFrame({"id": [0, 1], "y": [212.0, 32.0]})) == [212, 32]


def test_a_category_that_is_not_listed_is_unchanged_and_a_missing_one_stays_missing():
    entry = {"original": "y", "categories": {"agri": "A"}}
    original = pl.DataFrame({"id": [0, 1, 2], "y": ["A", "B", "C"]})
    assert translated(entry, ["agri", "B", None], original) == ["A", "B", None]


def test_codes_of_the_file_can_be_mapped_to_categories_and_to_numbers():
    towns = pl.DataFrame({"id": [0, 1], "y": ["Ely", "Rye"]})
    assert translated({"original": "y", "categories": {"1": "Ely", "2": "Rye"}}, [2, 1], towns) == ["Rye", "Ely"]
    ages = pl.DataFrame({"id": [0, 1], "y": [15.0, 70.0]})
    got = translated({"original": "y", "categories": {"young": 15, "old": 70}}, ["old", "unknown"], ages)
    assert got[0] == 70 and np.isnan(got[1])


def test_numbers_that_are_not_listed_are_unchanged_beside_categories_that_lead_to_numbers():
    ages = pl.DataFrame({"id": [0, 1, 2], "y": [15.0, 70.0, 33.0]})
    entry = {"original": "y", "categories": {"99": 70}}
    assert translated(entry, [99, 33, 15], ages) == [70, 33, 15]
    got = translated({"original": "y", "categories": {"90 and over": 92}}, ["33", "90 and over", None], ages)
    assert got[:2] == [33, 92] and np.isnan(got[2])


@pytest.mark.parametrize(
    ("document", "key", "message"),
    [
        ({}, "", "needs record"),
        ({"record": 3}, "", "must be text"),
        ({"record": "id", "colums": {}}, "", "did you mean 'columns'"),
        ({"record": "id", "columns": {"x": {"orginal": "y"}}}, "x", "did you mean 'original'"),
        ({"record": "id", "columns": {"x": {"factor": "much"}}}, "x", "must be a number"),
        ({"record": "id", "columns": {"x": {"factor": 0}}}, "x", "all values equal"),
        ({"record": "id", "columns": {"x": {"factor": 2, "categories": {"a": "b"}}}}, "x", "both categories"),
        ({"record": "id", "columns": {"x": "y", "z": "y"}}, "z", "both lead to 'y'"),
    ],
)
def test_a_mistake_is_named(document, key, message):
    [(at, error)] = map_errors(document)
    assert at == key and message in str(error)
    with pytest.raises(SchemaError, match=r"map\.toml: "):
        IntruderMap.from_dict(document, "map.toml")


def test_all_mistakes_are_listed_without_the_data(tmp_path):
    path = tmp_path / "map.toml"
    path.write_text('record = 1\n[columns]\na = 2\n[columns.b]\nfactor = "x"\n', encoding="utf-8")
    assert [(each.table, each.key) for each in check_document(path)] == [("", ""), ("columns", "a"), ("columns", "b")]
    path.write_text(MAP, encoding="utf-8")
    assert check_document(path) == []


def test_the_form_is_a_json_schema():
    Draft202012Validator.check_schema(FORM)
    assert Draft202012Validator(FORM).is_valid({"record": "id", "columns": {"x": "y", "z": {"factor": 2}}})
    assert not Draft202012Validator(FORM).is_valid({"columns": {}})


def test_columns_that_the_file_lacks_or_that_are_text_are_named():
    file = pl.DataFrame({"id": [1], "town": ["Ely"]})
    with pytest.raises(UnknownNameError, match="'idd'"):
        IntruderMap.from_dict({"record": "idd"}).external(file)
    with pytest.raises(UnknownNameError, match="did you mean 'town'"):
        IntruderMap.from_dict({"record": "id", "columns": {"twon": "y"}}).external(file)
    with pytest.raises(ParameterError, match="'town' contains text"):
        IntruderMap.from_dict({"record": "id", "columns": {"town": {"factor": 2}}}).external(file)


@pytest.mark.usefixtures("on_terminal")
def test_a_column_that_does_not_identify_the_records_is_refused():
    original = Microdata.from_frame(pl.DataFrame({"id": ["p", "p", "q"], "y": [1, 2, 3]}))
    own = IntruderMap("id").external(pl.DataFrame({"id": ["p"], "y": [1]}))
    with pytest.raises(ParameterError, match="'p' appears twice"):
        own.records(original)


def test_a_person_without_identifier_is_nobody():
    original = Microdata.from_frame(pl.DataFrame({"id": ["p", None, "q"], "y": [1, 2, 3]}))
    own = IntruderMap("id").external(pl.DataFrame({"id": ["q", None, "r"], "y": [1, 2, 3]}))
    assert own.records(original).tolist() == [2, -1, -1]
