"""Codes that a file declares missing, and labels, survive the way there and back, as far as nothing was masked away."""

from datetime import date

import polars as pl
import pyreadstat
import pytest

from sdckit import protect, read, write
from sdckit.schema import Schema

LABELS = {"q1": {1: "yes", 2: "no", 3: "nobody said so", 8: "refused", 9: "no answer"}, "income": {-9: "no answer"}}
RECORDS = 40


@pytest.fixture
def survey(tmp_path):
    """An SPSS file with declared missing values in a code, a number and a text, and a label that nobody needs."""
    table = pl.DataFrame(
        {
            "q1": [1.0, 2.0, 9.0, 8.0, None, 1.0, 2.0, 1.0] * (RECORDS // 8),
            "income": [-9.0 if row % 10 == 3 else 100.5 + row for row in range(RECORDS)],
            "party": ["red", "blue", "zz", "red"] * (RECORDS // 4),
            "age": [20.0 + row for row in range(RECORDS)],
        }
    )
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(
        table,
        path,
        variable_value_labels=LABELS,
        missing_ranges={"q1": [{"lo": 8, "hi": 9}], "income": [-9], "party": ["zz"]},
        column_labels={"q1": "Do you?"},
    )
    return path


def spss(path):
    return pyreadstat.read_sav(path, output_format="polars", user_missing=True)


def test_declared_missing_values_are_missing_to_every_method(survey):
    data = read(survey)
    assert data.missing("q1") == 3 * RECORDS // 8
    assert data.missing("income") == RECORDS // 10
    assert data.missing("party") == RECORDS // 4
    assert data.attribute("q1").categories == (1, 2)


def test_codes_labels_and_declarations_of_unmasked_variables_survive(survey, tmp_path):
    before, meaning = spss(survey)
    write(protect(read(survey), "additive-noise", ["age"], seed=1), tmp_path / "out.sav")
    after, again = spss(tmp_path / "out.sav")
    for name in ("q1", "income", "party"):
        assert after[name].to_list() == before[name].to_list()
        assert again.missing_ranges[name] == meaning.missing_ranges[name]
    assert again.variable_value_labels == meaning.variable_value_labels


def test_codes_of_a_masked_variable_survive_and_labels_that_do_not_occur_vanish(survey, tmp_path):
    before = spss(survey)[0]
    write(protect(read(survey), "pram:stay=0.5", ["q1"], seed=1), tmp_path / "out.sav")
    after, again = spss(tmp_path / "out.sav")
    for code in (8.0, 9.0):
        assert (after["q1"] == code).fill_null(False).to_list() == (before["q1"] == code).fill_null(False).to_list()
    assert set(again.variable_value_labels["q1"]) == {1, 2, 8, 9}


def test_a_suppressed_value_looks_like_every_other_missing_one(survey, tmp_path):
    data = read(survey, Schema.from_dict({"attributes": {"q1": {"role": "key"}, "age": {"role": "other"}}}))
    codes = data.columns["q1"].copy()
    codes[0] = -1  # what a suppression does
    write(data.with_columns({"q1": codes}), tmp_path / "out.sav")
    after, again = spss(tmp_path / "out.sav")
    assert after["q1"].null_count() == data.missing("q1") + 1
    assert set(again.variable_value_labels["q1"]) == {1, 2}


def test_a_sample_has_the_labels_that_occur_in_it_and_its_own_codes(survey, tmp_path):
    data = read(survey)
    before = spss(survey)[0]
    release = protect(data, "simple-sampling:share=0.5", seed=1)
    write(release, tmp_path / "out.sav")
    after, again = spss(tmp_path / "out.sav")
    assert after["q1"].to_list() == before["q1"].gather(release.origin).to_list()
    assert 3 not in again.variable_value_labels["q1"]


def test_a_shuffled_file_has_its_codes_in_the_same_rows(survey, tmp_path):
    write(read(survey), tmp_path / "out.sav", shuffle_rows=True)
    before, after = (spss(path)[0].sort("age") for path in (survey, tmp_path / "out.sav"))
    assert after.equals(before)


def test_a_declaration_that_a_masked_value_would_fall_under_is_left_out_with_its_codes(survey, tmp_path):
    data = read(survey)
    income = data.columns["income"].copy()
    income[0] = -9.0
    write(data.with_columns({"income": income}), tmp_path / "out.sav")
    after, again = spss(tmp_path / "out.sav")
    assert "income" not in again.missing_ranges
    assert (after["income"] == -9).sum() == 1
    assert -9 not in again.variable_value_labels.get("income", {})


def stata(path):
    return pyreadstat.read_dta(path, output_format="polars", user_missing=True)


def test_extended_missing_values_of_stata_survive_with_their_labels(tmp_path):
    cells = pl.Series("q1", [1, 2, "a", "b", None, 1], dtype=pl.Object)
    table = pl.DataFrame([cells, pl.Series("age", [20.0, 31.5, 42.0, 53.0, 64.0, 75.0])])
    labels = {"q1": {1: "yes", 2: "no", "a": "no answer"}}
    path = tmp_path / "survey.dta"
    pyreadstat.write_dta(table, path, variable_value_labels=labels, missing_user_values={"q1": ["a", "b"]})
    data = read(path)
    assert data.missing("q1") == 3
    write(protect(data, "additive-noise", ["age"], seed=1), tmp_path / "out.dta")
    after, again = stata(tmp_path / "out.dta")
    assert after["q1"].to_list() == [1, 2, "a", "b", None, 1]
    assert again.variable_value_labels == labels


def test_codes_of_spss_become_extended_missing_values_of_stata(survey, tmp_path):
    write(read(survey), tmp_path / "out.dta")
    after, again = stata(tmp_path / "out.dta")
    assert after["q1"].to_list()[:5] == [1, 2, "b", "a", None]
    assert again.variable_value_labels["q1"] == {1: "yes", 2: "no", "a": "refused", "b": "no answer"}


def test_codes_that_only_the_schema_declares_survive_too_and_so_do_labels_from_it(survey, tmp_path):
    entries = {
        "q1": {"kind": "unordered", "value_labels": {str(code): text for code, text in LABELS["q1"].items()}},
        "age": {"missing": [20], "value_labels": {"20": "not stated"}},
    }
    data = read(survey, Schema.from_dict({"attributes": entries}))
    assert data.missing("age") == 1
    write(protect(data, "additive-noise", ["income"], seed=1, allow_undeclared=True), tmp_path / "out.sav")
    after, again = spss(tmp_path / "out.sav")
    assert after["age"].to_list() == spss(survey)[0]["age"].to_list()
    assert again.missing_ranges["age"] == [{"lo": 20.0, "hi": 20.0}]
    assert again.variable_value_labels["age"] == {20: "not stated"}
    assert again.variable_value_labels["q1"] == LABELS["q1"]


def test_bands_of_a_number_with_declared_missing_values_are_written(tmp_path):
    table = pl.DataFrame({"age": [20.0, 34.0, 999.0, 71.0, 45.0, 29.0], "x": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]})
    path = tmp_path / "ages.sav"
    pyreadstat.write_sav(
        table, path, variable_value_labels={"age": {999: "Not available"}}, missing_ranges={"age": [999]}
    )
    write(protect(read(path), "global-recoding-breaks:breaks=0+30+60", ["age"]), tmp_path / "out.sav")
    after, again = spss(tmp_path / "out.sav")
    assert after["age"].to_list() == ["0–29", "30–59", "999", "60+", "30–59", "0–29"]
    assert again.variable_value_labels == {"age": {"999": "Not available"}}
    assert again.missing_ranges["age"] == [{"lo": "999", "hi": "999"}]
    assert read(tmp_path / "out.sav").missing("age") == 1


def test_dates_and_the_title_keep_their_form_in_spss_and_stata(tmp_path):
    days = pl.DataFrame({"day": [date(2024, 1, 2), None, date(2023, 5, 6)], "x": [1.0, 2.0, 3.0]})
    pyreadstat.write_sav(days, tmp_path / "in.sav", file_label="Survey", variable_format={"day": "EDATE10"})
    pyreadstat.write_dta(days, tmp_path / "in.dta", file_label="Survey", variable_format={"day": "%tdDD/NN/CCYY"})
    for suffix, reader in ((".sav", pyreadstat.read_sav), (".dta", pyreadstat.read_dta)):
        data = read(tmp_path / f"in{suffix}")
        assert data.to_frame()["day"].to_list() == days["day"].to_list()
        write(data, tmp_path / f"out{suffix}")
        before, after = reader(tmp_path / f"in{suffix}"), reader(tmp_path / f"out{suffix}")
        assert after[0].equals(before[0])
        assert after[1].original_variable_types == before[1].original_variable_types
        assert after[1].file_label == "Survey"


def test_codes_of_stata_that_a_schema_declares_missing_stay_what_they_were(tmp_path):
    labels = {"q1": {1: "yes", 2: "no", 9: "no answer"}}
    table = pl.DataFrame({"q1": [1, 2, 9, 1, 2, 9], "age": [31, 44, 52, 29, 47, 63]})
    pyreadstat.write_dta(table, tmp_path / "in.dta", variable_value_labels=labels)
    data = read(tmp_path / "in.dta", Schema.from_dict({"attributes": {"q1": {"missing": [9]}}}))
    assert data.missing("q1") == 2
    write(protect(data, "additive-noise", ["age"], seed=1), tmp_path / "out.dta")
    after, again = stata(tmp_path / "out.dta")
    assert after["q1"].to_list() == [1, 2, 9, 1, 2, 9]
    assert again.variable_value_labels == labels


def test_a_stata_file_can_become_one_of_spss(tmp_path):
    pyreadstat.write_dta(pl.DataFrame({"x": [1.25, 2.5], "n": [1, 2]}), tmp_path / "in.dta")
    write(read(tmp_path / "in.dta"), tmp_path / "out.sav")
    assert spss(tmp_path / "out.sav")[0]["x"].to_list() == [1.25, 2.5]
