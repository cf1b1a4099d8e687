"""Kinds of hierarchy are found in their folder and through entry points: a new one is one new file."""

from zipfile import ZipFile

import polars as pl
import pytest

from sdckit.errors import FileError, SchemaError
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


def test_codes_that_begin_alike_are_one_group_on_every_level():
    together = {"prefix": [2, 3], "together": {"000": ["036", "821"]}}
    tree = build(together, ["03601", "82190", "82201", "48201"])
    assert [tree.generalise("03601", level) for level in range(4)] == ["03601", "000", "000", "*"]
    assert tree.generalise("82190", 1) == tree.generalise("82190", 2) == "000"
    assert tree.ancestors("82201") == ("82201", "822**", "82***", "*")
    assert tree.ancestors("48201") == build({"prefix": [2, 3]}, ["48201"]).ancestors("48201")


def test_neighbours_in_an_order_are_joined_and_joined_again():
    grades = ["none", "low", "medium", "high", "extreme"]
    tree = build({"order": grades, "groups": [2, 2]}, grades)
    assert tree.ancestors("low") == ("low", "none – low", "none – high", "*")
    assert tree.ancestors("extreme") == ("extreme", "*")
    assert build({"order": [], "groups": [2]}, [10, 9, 2, 1]).ancestors("9") == ("9", "9 – 10", "*")
    with pytest.raises(SchemaError, match="add it to order"):
        build({"order": ["a", "b"], "groups": [2]}, ["c"])


def test_the_most_important_values_are_kept_longest():
    tree = build({"priority": ["flu", "asthma", "angina"], "kept": [2, 1]}, ["flu", "asthma", "angina", "gout"])
    assert tree.ancestors("flu") == ("flu", "*")
    assert tree.ancestors("asthma") == ("asthma", "not of the first 1", "*")
    assert tree.ancestors("gout") == ("gout", "not of the first 2", "not of the first 1", "*")
    for kept in ([3, 3], [4]):
        with pytest.raises(SchemaError, match="keeps fewer values from level to level"):
            build({"priority": ["flu", "asthma", "angina"], "kept": kept}, ["flu"])


def test_dates_become_longer_units():
    tree = build({"date": ["month", "quarter", "year", "decade"]}, ["2026-11-16", "2026-10-01T10:00:00", "1999-01-02"])
    assert tree.ancestors("2026-11-16") == ("2026-11-16", "2026-11", "2026-Q4", "2026", "2020s", "*")
    assert tree.generalise("2026-10-01T10:00:00", 2) == "2026-Q4"
    with pytest.raises(SchemaError, match="needs dates such as 2026-11-16"):
        build({"date": ["year"]}, ["16 November 2026"])
    with pytest.raises(SchemaError, match="there is no unit of dates 'yaer'; did you mean 'year'"):
        build({"date": ["yaer"]}, ["2026-11-16"])
    with pytest.raises(SchemaError, match="do not nest"):
        build({"date": ["year", "month"]}, ["2026-11-16"])


def test_either_side_of_a_text_is_redacted():
    codes = ["0123", "77"]
    assert build({"redaction": [1, 3], "side": "left"}, codes).ancestors("0123") == ("0123", "*123", "***3", "*")
    padded = build({"redaction": [2], "fill": "left", "filler": "0", "mask": "#"}, codes)
    assert padded.ancestors("77") == ("77", "00##", "*")
    with pytest.raises(SchemaError, match="use left or right"):
        build({"redaction": [1], "side": "top"}, codes)
    assert build({"redaction": []}, ["123", "124"]) == build({"prefix": []}, ["123", "124"])


@pytest.mark.parametrize(
    "declaration",
    [
        {"order": ["1", "2"], "groups": [2]},
        {"priority": ["1"], "kept": [1]},
        {"redaction": [1], "side": "left"},
        {"prefix": [1]},
        {"prefix": [1], "together": {"0": ["2"]}},
    ],
    ids=str,
)
def test_a_hierarchy_is_declared_as_it_was_built(declaration):
    tree = build(declaration, ["1", "2"])
    assert build(tree.declaration(), ["1", "2"]) == tree


@pytest.mark.parametrize(
    ("declaration", "values"),
    [
        ({"order": ["none", "low", "medium", "high"], "groups": [2]}, ["none", "low", "medium", "high"]),
        ({"date": ["month", "year"]}, ["2026-11-16"]),
        ({"priority": ["flu", "gout"], "kept": [2, 1]}, ["flu", "gout", "cold; and cough", 'say "ah"']),
        ({"redaction": [1, 2], "side": "left"}, ["123", "45", "6"]),
        ({"breaks": [[0, 15, 65], [0, 65]]}, [3, 70]),
        ({"groups": [{"alone": ["single"]}, {"any": ["alone", "married"]}]}, ["single", "married"]),
        ({"levels": [["a", "x", "y"], ["b", "x", "y"], ["c", "z", "z"]]}, ["a", "b", "c"]),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_every_tree_goes_to_a_csv_file_of_arx_and_back(declaration, values, tmp_path):
    tree = build(declaration, values)
    tree.to_csv(tmp_path / "tree.csv")
    back = Hierarchy.from_csv(tmp_path / "tree.csv")
    assert back == tree
    for leaf in tree.leaves:
        assert [back.generalise(leaf, level) for level in range(6)] == [
            tree.generalise(leaf, level) for level in range(6)
        ]


def test_the_hierarchy_of_an_attribute_is_read_from_an_arx_project(tmp_path):
    with ZipFile(tmp_path / "study.deid", "w") as project:
        project.writestr("metadata.xml", "<metadata/>")
        project.writestr("input/hierarchies/town.csv", "Ely;east;*\nRye;south;*\n")
    project = str(tmp_path / "study.deid")
    assert build({"file": project, "entry": "town"}, ["Ely"]) == Hierarchy.by_levels(
        [("Ely", "east"), ("Rye", "south")]
    )
    with pytest.raises(FileError, match="has no hierarchy of 'twn'; did you mean 'town'"):
        build({"file": project, "entry": "twn"}, ["Ely"])
    (tmp_path / "other.deid").write_text("no archive")
    with pytest.raises(FileError, match="cannot be read"):
        build({"file": str(tmp_path / "other.deid"), "entry": "town"}, ["Ely"])


def test_a_new_file_in_the_folder_is_a_kind(tmp_path):
    with one_more_file(PACKAGE, "first_letter", FIRST_LETTER, tmp_path):
        town = Microdata.from_frame(TOWNS, schema=Schema.from_dict(DECLARED)).attribute("town")
        assert town.hierarchy.ancestors("Exeter") == ("Exeter", "E…", "*")
        with pytest.raises(
            SchemaError, match=r"attributes\.town\.hierarchy\.first_letter must be true or false, not 3"
        ):
            Schema.from_dict({"attributes": {"town": {"hierarchy": {"first_letter": 3}}}})
        assert "first_letter" in str(json_schema())
    with pytest.raises(
        SchemaError,
        match="must have one of breaks, date, file, groups, intervals, levels, order, prefix, priority or redaction",
    ):
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


def test_a_band_that_stays_is_the_same_on_the_next_level():
    tree = build({"breaks": [[0, 15, 25, 65], [0, 25, 65]]}, [3, 16, 70])
    assert [tree.generalise(16, level) for level in range(4)] == ["16", "15–24", "0–24", "*"]
    assert [tree.generalise(70, level) for level in range(4)] == ["70", "65+", "65+", "*"]
    with pytest.raises(SchemaError, match="do not nest"):
        build({"breaks": [[0, 15], [0, 10]]}, [3])


def test_groups_by_hand_and_groups_of_groups():
    declared = {"groups": [{"alone": ["single", "widowed"]}, {"any": ["alone", "married"]}]}
    tree = build(declared, ["single", "widowed", "married"])
    assert [tree.generalise("married", level) for level in range(3)] == ["married", "married", "any"]
    assert tree.generalise("widowed", 1) == "alone"
    assert build({"groups": {"a": ["x"]}, "others": "rest"}, ["x", "y"]).generalise("y", 1) == "rest"
    with pytest.raises(SchemaError, match="two groups"):
        build({"groups": {"a": ["x"], "b": ["x"]}}, ["x"])
    with pytest.raises(SchemaError, match="which no level before has"):
        build({"groups": [{"a": ["x"]}, {"b": ["z"]}]}, ["x", "y"])


def test_numbers_written_with_decimals_fit_intervals_and_breaks():
    for declaration in ({"intervals": [10]}, {"breaks": [30, 40]}):
        assert build(declaration, ["31.0", "42.0"]).generalise("31.0", 1) == "30–39"


def test_dates_of_birth_become_ages_and_bands_of_ages():
    tree = build({"date": ["age"], "at": "2026-01-01", "breaks": [0, 18, 65]}, ["1980-05-17"])
    assert tree.ancestors("1980-05-17") == ("1980-05-17", "age 45", "18–64", "*")
    assert build({"date": ["year"], "format": "%d.%m.%Y"}, ["17.05.1980"]).generalise("17.05.1980", 1) == "1980"
    for wrong in ({"date": ["age"]}, {"date": ["age"], "at": "1970-01-01"}, {"date": ["year"], "at": "1970-01-01"}):
        with pytest.raises(SchemaError):
            build(wrong, ["1980-05-17"])


def test_levels_that_repeat_a_value_are_written_and_read_with_it(tmp_path):
    build({"breaks": [[0, 15, 65], [0, 65]]}, [3, 70]).to_csv(tmp_path / "age.csv")
    assert (tmp_path / "age.csv").read_text(encoding="utf-8").splitlines() == ["3;0–14;0–64;*", "70;65+;65+;*"]
    assert Hierarchy.from_csv(tmp_path / "age.csv").generalise("70", 2) == "65+"


def test_a_hierarchy_that_cannot_be_built_names_its_column():
    from sdckit.schema import Declared

    schema = Schema({"edu": Declared(hierarchy={"order": ["none", "primary"], "groups": [2]})})
    with pytest.raises(SchemaError, match="column 'edu': a hierarchy by order lacks the value"):
        Microdata.from_frame(pl.DataFrame({"edu": ["none", "phd"]}), schema=schema)
