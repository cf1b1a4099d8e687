"""The scan for the identifiers of HIPAA's Safe Harbor: by names, by values, and what the rule allows."""

import polars as pl
import pytest

from sdckit.evaluation.identifier_forms import is_vehicle
from sdckit.evaluation.safe_harbour import CATEGORIES, NUMBERING, scan, scan_schema
from sdckit.microdata import Microdata
from sdckit.schema import Schema

REPEATED = 10


def letters(roles=None, **columns) -> set[str]:
    repeated = {name: list(values) * REPEATED for name, values in columns.items()}
    return {each.letter for each in scan(Microdata.from_frame(pl.DataFrame(repeated), roles=roles or {}))}


@pytest.mark.parametrize(
    ("letter", "name", "values"),
    [
        ("A", "patientName", ["Ada", "Bo"]),
        ("B", "x", ["48201", "48202-1234"]),
        ("B", "zip", [48201, 48202]),
        ("B", "home", ["42.3314, -83.0458", "42.3000, -83.0000"]),
        ("B", "ZIP3", ["036", "482"]),
        ("C", "x", ["2024-05-17", "2024-05-18"]),
        ("C", "x", ["17 May 2024", "18 May 2024"]),
        ("C", "age", [34, 93]),
        ("D", "x", ["(313) 555-0143", "313-555-0144"]),
        ("E", "FaxNumber", ["1", "2"]),
        ("F", "x", ["ada@example.org", "bo@example.org"]),
        ("G", "x", ["219-09-9999", "219-09-9998"]),
        ("H", "mrn", ["1", "2"]),
        ("I", "member_id", ["1", "2"]),
        ("J", "x", ["DE89370400440532013000", "4111 1111 1111 1111"]),
        ("K", "drivers_licence", ["1", "2"]),
        ("L", "x", ["1M8GDM9AXKP042788", "5GZCZ43D13S812715"]),
        ("M", "x", ["00:1B:44:11:3A:B7", "00:1B:44:11:3A:B8"]),
        ("N", "x", ["https://example.org/a", "https://example.org/b"]),
        ("O", "x", ["192.0.2.1", "2001:db8::1"]),
        ("P", "fingerprint", ["1", "2"]),
        ("Q", "photo", ["1", "2"]),
        ("R", "case_uuid", ["1", "2"]),
    ],
)
def test_each_kind_is_found(letter, name, values):
    assert letter in letters(**{name: values})


@pytest.mark.parametrize(
    ("name", "values", "evidence"),
    [
        ("ZIP", ["036**", "482**"], "036 is an area of 20,000 people or fewer"),
        ("ZIP", ["036**", "821**", "482**"], "036, 821 are areas of 20,000 people or fewer"),
        ("ZIP Code", ["036**", "48***", "*"], "036 is an area of 20,000 people or fewer"),
        ("age", ["85–89", "90–94"], "it has ages over 89"),
        ("DOB", ["0–14", "90–104"], "it has ages over 89"),
        ("birth_year", [1921, 1990], "it has years of birth of people over 89"),
        ("born", ["1920–1929", "1990–1999"], "it has years of birth of people over 89"),
    ],
)
def test_a_value_that_the_rule_does_not_allow_in_a_coarse_column_is_named(name, values, evidence):
    (finding,) = scan(Microdata.from_frame(pl.DataFrame({name: values * REPEATED})))
    assert finding.evidence == evidence


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("DOB", ["0–14", "15–89", "90+"]),
        ("born", ["under 1940", "1980–1989", "1990+"]),
        ("birth_year", [1990, 2001]),
        ("Admit Date", ["2024", "2025"]),
    ],
)
def test_what_the_rule_allows_of_dates_and_ages_is_not_found(name, values):
    assert scan(Microdata.from_frame(pl.DataFrame({name: values * REPEATED}))) == []


@pytest.mark.parametrize(("name", "values"), [("birth_day", [1, 17, 30]), ("birth month", [1, 12])])
def test_the_day_and_the_month_of_a_birth_are_no_ages(name, values):
    assert letters(**{name: values}) == {"C"}


def test_every_kind_of_the_rule_has_a_letter():
    assert [each.letter for each in (*CATEGORIES, NUMBERING)] == list("ABCDEFGHIJKLMNOPQR")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("sex", ["f", "m"]),
        ("state", ["Michigan", "Ohio"]),
        ("zip", ["482**", "481**"]),
        ("birth", ["1950", "1951"]),
        ("admission_date", [2020, 2021]),
        ("age", ["34", "90+"]),
        ("amount", [48201, 48202]),
        ("cost", [10.5, 11.25]),
        ("x", ["4111 1111 1111 1112", "1M8GDM9A1KP042788"]),
    ],
)
def test_what_the_rule_allows_is_not_listed(name, values):
    assert letters(**{name: values}) == set()


def test_a_value_for_every_record_is_a_code_and_an_amount_is_not():
    records = list(range(1000, 1040))
    paid = [(each * 7919) % 100_003 for each in records]
    frame = pl.DataFrame({"n": records, "sparse": [each**2 for each in records], "paid": paid})
    frame = frame.with_columns(text=pl.Series([f"k{each}" for each in records]))
    assert {each.column for each in scan(Microdata.from_frame(frame))} == {"n", "sparse", "text"}


def test_a_declared_identifier_is_removed():
    frame = pl.DataFrame({"name": ["Ada", "Bo"]})
    assert [each.removed for each in scan(Microdata.from_frame(frame, roles={"name": "identifier"}))] == [True]


def test_a_schema_is_scanned_by_names_and_labels(tmp_path):
    text = '[attributes.v1]\nlabel = "Date of birth"\n[attributes.v2]\nrole = "key"\n[attributes.v3]\nlabel = "Age"\n'
    (tmp_path / "schema.toml").write_text(text)
    schema = Schema.from_toml(tmp_path / "schema.toml")
    assert [(each.column, each.letter) for each in scan_schema(schema)] == [("v1", "C")]


def test_vehicles_have_a_check_digit():
    assert is_vehicle("1M8GDM9AXKP042788") and not is_vehicle("1M8GDM9AXKP042789")
