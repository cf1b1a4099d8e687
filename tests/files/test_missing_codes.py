"""Codes that a file declares missing, and labels, survive the way there and back, as far as nothing was masked away."""

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
