"""Kinds of hierarchy are found in their folder and through entry points: a new one is one new file."""

import polars as pl
import pytest

from sdckit.errors import SchemaError
from sdckit.hierarchies import GROUP, build, kinds
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Microdata
from sdckit.schema import Schema
from sdckit.schema_form import json_schema
from tests.plugin_packages import another_package, one_more_file

PACKAGE = "sdckit.hierarchies"
FIRST_LETTER = '''
"""A hierarchy by the first letter."""

from sdckit.hierarchy import Hierarchy

KEYWORD = "first_letter"
PROPERTIES = {"first_letter": {"type": "boolean"}}


def build(values, declaration):
    return Hierarchy.by_levels([(value, value[:1] + "…") for value in values])
'''
DECLARED = {"attributes": {"town": {"hierarchy": {"first_letter": True}}}}
TOWNS = pl.DataFrame({"town": ["Ely", "Exeter", "Rye"]})


def test_each_kind_builds_what_its_constructor_builds(tmp_path):
    rows = [("Ely", "east"), ("Rye", "south")]
    Hierarchy.by_levels(rows).to_csv(tmp_path / "towns.csv")
    assert build({"prefix": [1, 2]}, ["123", "124"]) == Hierarchy.by_prefix(["123", "124"], [1, 2])
    assert build({"prefix": []}, ["123", "124"]) == Hierarchy.by_prefix(["123", "124"])
    assert build({"intervals": [5], "start": 1}, [1, 7]) == Hierarchy.by_intervals([1, 7], [5], 1)
    assert build({"levels": rows}, ["Ely"]) == Hierarchy.by_levels(rows)
    assert build({"file": str(tmp_path / "towns.csv")}, ["Ely"]) == Hierarchy.by_levels(rows)


def test_a_new_file_in_the_folder_is_a_kind(tmp_path):
    with one_more_file(PACKAGE, "first_letter", FIRST_LETTER, tmp_path):
        town = Microdata.from_frame(TOWNS, schema=Schema.from_dict(DECLARED)).attribute("town")
        assert town.hierarchy.ancestors("Exeter") == ("Exeter", "E…", "*")
        with pytest.raises(
            SchemaError, match=r"attributes\.town\.hierarchy\.first_letter must be true or false, not 3"
        ):
            Schema.from_dict({"attributes": {"town": {"hierarchy": {"first_letter": 3}}}})
        assert "first_letter" in str(json_schema())
    with pytest.raises(SchemaError, match="must have one of file, intervals, levels or prefix"):
        Schema.from_dict(DECLARED)


def test_another_package_adds_a_kind(tmp_path):
    with another_package(PACKAGE, GROUP, "strangers_hierarchy", FIRST_LETTER, tmp_path):
        assert kinds()[-1].keyword == "first_letter"
        assert build({"first_letter": True}, ["Ely"]).ancestors("Ely")[0] == "Ely"


def test_a_kind_that_cannot_be_imported_disables_no_other(tmp_path):
    with another_package(PACKAGE, GROUP, "broken_hierarchy", "1 / 0", tmp_path):
        assert build({"prefix": [1]}, ["12"]).height == 2
        with pytest.raises(SchemaError, match=r"broken_hierarchy could not be imported .ZeroDivisionError"):
            Schema.from_dict(DECLARED)
