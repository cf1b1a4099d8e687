"""Codes of missing values that a schema declares come out of a file as they went in."""

from pathlib import Path

import polars as pl
import pyreadstat
import pytest

from sdckit import Schema, protect, read, write

CELLS = "age;pay;job\n31;2100,50;clerk\n44;-9,00;n.a.\n52;3900,25;nurse\n29;-8;clerk\n47;-9,00;nurse\n63;;nurse\n"
SCHEMA = Schema.from_dict(
    {
        "attributes": {
            "age": {"role": "key"},
            "pay": {"role": "confidential", "kind": "continuous", "missing": [-9, -8]},
            "job": {"role": "other", "missing": ["n.a."]},
        }
    }
)


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    path.write_text(CELLS, encoding="utf-8")
    return path


def test_a_text_file_has_each_code_as_it_was_written(survey: Path) -> None:
    data = read(survey, SCHEMA)
    assert data.missing("pay") == 4 and data.missing("job") == 1
    write(data, survey.with_name("again.csv"))
    assert survey.with_name("again.csv").read_text("utf-8") == CELLS


def test_masked_values_are_masked_among_those_that_answered(survey: Path) -> None:
    release = protect(read(survey, SCHEMA), "rank-swapping:window=1", ["pay"], seed=1)
    write(release, survey.with_name("safe.csv"))
    cells = pl.read_csv(survey.with_name("safe.csv"), separator=";", infer_schema=False)
    assert cells["pay"].to_list()[1::2] == ["-9,00", "-8", None] and cells["pay"][4] == "-9,00"
    assert {cells["pay"][0], cells["pay"][2]} == {"2100,50", "3900,25"}
    assert read(survey.with_name("safe.csv"), SCHEMA).missing("pay") == 4


def test_where_values_are_suppressed_every_missing_one_is_an_empty_cell(survey: Path) -> None:
    survey.write_text(CELLS.replace("2100,50;clerk", "2100,50;pilot"), encoding="utf-8")
    suppressing = "local-suppression:group_size=2,holes=own-value"
    release = protect(read(survey, SCHEMA), suppressing, ["job"], seed=1)
    assert release.masked.missing("job") > 1
    write(release, survey.with_name("safe.csv"))
    assert "n.a." not in survey.with_name("safe.csv").read_text("utf-8")


def test_a_workbook_has_the_codes_that_it_was_read_with(tmp_path: Path) -> None:
    table = pl.DataFrame({"age": [31, 44, 52], "pay": [2100.5, -9.0, 3900.25], "job": ["clerk", "n.a.", "nurse"]})
    table.write_excel(tmp_path / "survey.xlsx")
    data = read(tmp_path / "survey.xlsx", SCHEMA)
    assert data.missing("pay") == data.missing("job") == 1
    write(data, tmp_path / "again.xlsx")
    assert pl.read_excel(tmp_path / "again.xlsx").equals(table)


def test_an_spss_file_declares_the_codes_of_a_text_file(survey: Path) -> None:
    write(read(survey, SCHEMA), survey.with_name("survey.sav"))
    table, metadata = pyreadstat.read_sav(survey.with_name("survey.sav"), user_missing=True, output_format="polars")
    assert table["pay"].to_list() == [2100.5, -9.0, 3900.25, -8.0, -9.0, None]
    assert metadata.missing_ranges["pay"] == [{"lo": -9.0, "hi": -9.0}, {"lo": -8.0, "hi": -8.0}]


def test_numbers_with_decimals_of_an_spss_file_take_whole_codes_of_the_schema(tmp_path: Path) -> None:
    pyreadstat.write_sav(pl.DataFrame({"pay": [2100.5, -9.0, 3900.25]}), tmp_path / "survey.sav")
    assert read(tmp_path / "survey.sav", Schema({"pay": SCHEMA.attributes["pay"]})).missing("pay") == 1


def test_codes_of_a_labelled_file_are_no_values_of_a_text_file(tmp_path: Path) -> None:
    table = pl.DataFrame({"q": [1.0, 9.0, 2.0]})
    pyreadstat.write_sav(table, tmp_path / "survey.sav", missing_ranges={"q": [9]})
    write(read(tmp_path / "survey.sav"), tmp_path / "survey.csv")
    assert (tmp_path / "survey.csv").read_text("utf-8").split() == ["q", "1", "NA", "2"]
