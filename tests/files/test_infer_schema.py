"""Guesses of roles and kinds, each with its reason."""

import os
import tomllib
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit.datasets import simulate_billing, simulate_business, simulate_survey
from sdckit.files import read, write
from sdckit.files.infer_schema import infer_schema
from sdckit.microdata import Kind, Microdata, Role
from sdckit.schema import Schema

N = 200
RNG = np.random.default_rng(3)
SEX = RNG.integers(1, 3, N)


def guess(column, name="x", **others):
    """The guess for one column beside a plain key."""
    frame = pl.DataFrame({name: column, "sex": np.resize(SEX, len(column)), **others})
    found = infer_schema(Microdata.from_frame(frame))
    declared = found.schema.attributes[name]
    assert found.reasons[name], "every guess has a reason"
    return declared.role, declared.kind, " ".join(found.reasons[name])


@pytest.mark.parametrize("name", ["surname", "Apellidos", "nom", "Nachname", "e-mail", "Teléfono", "DNI", "birthName"])
def test_names_of_identifiers_are_known_in_several_languages(name):
    assert guess([f"v{i % 50}" for i in range(N)], name)[0] is Role.IDENTIFIER


@pytest.mark.parametrize("name", ["region", "Provincia", "estado_civil", "Geschlecht", "maritalStatus", "país"])
def test_names_of_keys_are_known_in_several_languages(name):
    role, kind, why = guess(RNG.integers(1, 5, N), name)
    assert (role, kind) == (Role.KEY, Kind.UNORDERED)
    assert "column name contains" in why


@pytest.mark.parametrize("name", ["income", "Salario", "Umsatz", "Amount_Billed", "federal tax", "diagnosis"])
def test_names_of_confidential_attributes_are_known_in_several_languages(name):
    assert guess(RNG.normal(size=N), name)[0] is Role.CONFIDENTIAL


@pytest.mark.parametrize(
    ("values", "form"),
    [
        ([f"user{i}@example.org" for i in range(N)], "e-mail"),
        ([f"+34 93 {i:03d} 12 34" for i in range(N)], "telephone"),
        ([f"ES91 2100 0418 4502 0005 {i:04d}" for i in range(N)], "IBAN"),
        ([f"123-45-{i:04d}" for i in range(N)], "social-security"),
        ([f"https://example.org/{i}" for i in range(N)], "web"),
    ],
)
def test_the_form_of_the_text_gives_an_identifier_away(values, form):
    role, _, why = guess(values)
    assert role is Role.IDENTIFIER and form in why


def test_postcodes_are_a_key_with_a_tree():
    values = [f"0{1000 + i % 60}" for i in range(N)]
    frame = pl.DataFrame({"x": values})
    found = infer_schema(Microdata.from_frame(frame)).schema
    assert found.attributes["x"].kind is Kind.PARTIALLY_ORDERED
    again = Microdata.from_frame(frame, schema=found)
    assert again.attribute("x").hierarchy.ancestors("01000")[:3] == ("01000", "0100*", "010**")


def test_whole_numbers_named_as_postcodes_are_a_key_with_a_tree():
    frame = pl.DataFrame({"zip": 48000 + RNG.integers(0, 500, N)})
    found = infer_schema(Microdata.from_frame(frame)).schema
    again = Microdata.from_frame(frame, schema=found)
    assert again.attribute("zip").kind is Kind.PARTIALLY_ORDERED and again.names(role=Role.KEY) == ("zip",)


def test_text_that_is_nearly_always_different_is_an_identifier():
    role, _, why = guess([f"word {i * 7919 % 1000}" for i in range(N)])
    assert role is Role.IDENTIFIER and "distinct" in why


def test_numbers_one_by_one_are_an_identifier():
    assert guess(RNG.permutation(N))[0] is Role.IDENTIFIER
    assert guess(np.arange(N) + 0.5)[0] is not Role.IDENTIFIER


def test_integers_in_the_order_of_the_records_are_an_identifier():
    numbers = np.cumsum(RNG.integers(1, 90, N))
    for column in (numbers, numbers[::-1]):
        role, _, why = guess(column)
        assert role is Role.IDENTIFIER and "order of the records" in why
    assert guess(RNG.permutation(numbers))[0] is not Role.IDENTIFIER  # an amount may have distinct values
    assert guess(numbers[:20])[0] is not Role.IDENTIFIER  # a short file may be sorted by an amount


def test_numbers_drawn_for_the_records_are_an_identifier():
    drawn = RNG.permutation(np.arange(1_000_003, 9_999_999, 8_999_000 // N))[:N]
    role, _, why = guess(drawn, "code")
    assert role is Role.IDENTIFIER and "7 digits" in why
    assert guess(drawn, "salary")[0] is Role.CONFIDENTIAL  # the name comes first
    amounts = np.unique(np.exp(RNG.normal(11, 0.2, 4 * N)).astype(int))
    amounts = RNG.permutation(amounts[(amounts > 10_000) & (amounts < 100_000)])[:N]
    others = {"skewed": amounts, "of several lengths": drawn // 100 - 9_000, "rounded": np.arange(N) * 100 + 100_000}
    assert not [what for what, column in others.items() if guess(RNG.permutation(column))[0] is Role.IDENTIFIER]
    assert guess(np.append(drawn[:-1], drawn[0]))[0] is not Role.IDENTIFIER  # one number twice


def test_neighbouring_records_with_one_number_are_a_household():
    numbers = np.repeat(np.arange(1, 201), RNG.integers(1, 6, 200))
    role, _, why = guess(numbers)
    assert role is Role.HOUSEHOLD and "households" in why
    assert guess(RNG.permutation(numbers))[0] is not Role.HOUSEHOLD
    assert guess(np.repeat(np.arange(100), 3), "edad")[0] is Role.KEY  # a file sorted by age
    assert guess(np.repeat(np.arange(100), 3))[0] is not Role.HOUSEHOLD


def test_numbers_of_firms_are_an_identifier_though_they_repeat():
    role, _, why = guess(RNG.integers(0, 90, N), "UTILITYID")
    assert role is Role.IDENTIFIER and "identification number" in why


def test_few_whole_numbers_are_codes():
    role, kind, why = guess(RNG.integers(1, 4, N))
    assert (role, kind) == (Role.KEY, Kind.UNORDERED) and "3 distinct integers" in why


def test_a_count_keeps_its_order():
    assert guess(RNG.integers(0, 5, N), "number of children")[1] is Kind.DISCRETE


def test_age_is_an_ordered_key_even_where_few():
    assert guess(RNG.integers(0, 99, N), "age")[:2] == (Role.KEY, Kind.DISCRETE)
    assert guess(np.repeat([20, 30], N // 2), "Edad")[:2] == (Role.KEY, Kind.DISCRETE)


def test_skewed_amounts_are_confidential():
    role, kind, why = guess(RNG.lognormal(8, 1.5, N))
    assert (role, kind) == (Role.CONFIDENTIAL, Kind.CONTINUOUS) and "skewed" in why


def test_weights_and_households_are_recognised_by_name_and_values():
    assert guess(RNG.uniform(1, 9, N), "sampling_weight")[0] is Role.WEIGHT
    assert "all weights are equal" in guess(np.full(N, 100), "weight")[2]
    assert guess(RNG.normal(size=N), "weight change")[0] is not Role.WEIGHT  # some are negative
    assert guess(np.repeat(np.arange(N // 2), 2), "hh_id")[0] is Role.HOUSEHOLD
    assert guess(RNG.integers(1, 6, N), "household size")[:2] == (Role.KEY, Kind.DISCRETE)


def test_dates_are_keys():
    assert guess([date(1990, 1, 1 + i % 28) for i in range(N)])[0] is Role.KEY
    assert guess([f"{1 + i % 12}/15/19{10 + i % 90}" for i in range(N)])[0] is Role.KEY


def test_an_uninformative_column_is_other():
    assert guess([None] * N)[0] is Role.OTHER
    assert guess([7.5] * N)[0] is Role.OTHER
    assert guess([True, False] * (N // 2))[0] is Role.OTHER


def test_where_nothing_is_a_key_the_numbers_are():
    frame = pl.DataFrame({"a": RNG.normal(size=N), "b": RNG.lognormal(size=N)})
    found = infer_schema(Microdata.from_frame(frame))
    assert {declared.role for declared in found.schema.attributes.values()} == {Role.KEY}
    assert "no other column" in found.reasons["a"][-1]


def test_one_record_can_be_guessed_at():
    frame = pl.DataFrame({"a": [1], "b": ["x"], "c": [1.5], "d": [None]})
    assert set(infer_schema(Microdata.from_frame(frame)).schema.attributes) == set("abcd")


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (Role.KEY, {"urbrur", "roof", "walls", "water", "electcon", "relat", "sex", "age", "hhcivil"}),
        (Role.CONFIDENTIAL, {"expend", "income", "savings"}),
        (Role.HOUSEHOLD, {"ori_hid"}),
        (Role.WEIGHT, {"sampling_weight", "household_weights"}),
    ],
)
def test_a_household_survey_is_guessed_as_a_statistician_would(survey, role, names):
    found = infer_schema(survey).schema.attributes
    assert {name for name, declared in found.items() if declared.role is role} == names


@pytest.fixture(scope="module")
def survey():
    beside = Path(os.environ.get("SDCKIT_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
    if not (beside / "testdata.csv").exists():
        pytest.skip("testdata.csv is not available: set SDCKIT_DATA to its folder")
    return read(beside / "testdata.csv")


def test_a_guess_is_written_to_toml_with_its_reasons():
    frame = pl.DataFrame({'odd "name".x': RNG.integers(1, 3, N), "zip code": [f"0{1000 + i % 60}" for i in range(N)]})
    found = infer_schema(Microdata.from_frame(frame))
    text = found.schema.to_toml(found.reasons)
    assert "# the values look like postcodes\n" in text
    assert Schema.from_dict(tomllib.loads(text)).attributes == found.schema.attributes


def test_what_a_file_says_of_itself_is_kept(tmp_path):
    (tmp_path / "f.csv").write_text("pay;sex\n1,50;1\n2,25;2\n3,75;1\n")
    assert infer_schema(read(tmp_path / "f.csv")).schema.attributes["pay"].decimals == 2


@pytest.mark.parametrize("simulate", [simulate_billing, simulate_survey, simulate_business])
def test_a_file_is_read_again_under_the_schema_guessed_for_it(tmp_path, simulate):
    write(simulate(300), tmp_path / "file.csv")
    plain = read(tmp_path / "file.csv")
    found = infer_schema(plain)
    (tmp_path / "schema.toml").write_text(found.schema.to_toml(found.reasons), encoding="utf-8")
    again = read(tmp_path / "file.csv", tmp_path / "schema.toml")
    for name, declared in found.schema.attributes.items():
        assert (again.attribute(name).kind, again.attribute(name).role) == (declared.kind, declared.role)
        assert again.missing(name) == plain.missing(name)


@pytest.mark.parametrize("simulate", [simulate_billing, simulate_business])
def test_the_guess_for_a_generated_file_finds_its_keys(tmp_path, simulate):
    file = simulate(1000)
    write(file, tmp_path / "file.csv")
    found = infer_schema(read(tmp_path / "file.csv")).schema.attributes
    guessed = {name for name, declared in found.items() if declared.role is Role.KEY}
    assert guessed == set(file.names(role=Role.KEY)) - {"turnover"}  # which its name makes confidential


@pytest.mark.parametrize(
    ("values", "codes", "why"),
    [
        ([*range(20, 60), *[-9] * 5], [-9], "no other is negative"),
        ([*range(40), -7, -8, -9], [-9, -8, -7], "no other is negative"),
    ],
)
def test_codes_of_missing_values_are_proposed_with_the_reason(values, codes, why):
    found = infer_schema(Microdata.from_frame(pl.DataFrame({"hours": values, "sex": np.resize(SEX, len(values))})))
    assert list(found.schema.attributes["hours"].missing) == codes
    assert why in " ".join(found.reasons["hours"])
    assert f"missing = {codes}" in found.schema.to_toml(found.reasons)


@pytest.mark.parametrize(("values", "code"), [([*[1, 2, 3, 4, 5] * 8, 9, 9, 9], 9), ([*range(60), 99, 99, 99], 99)])
def test_nines_may_be_a_category_so_they_are_proposed_in_the_reason_alone(values, code):
    found = infer_schema(Microdata.from_frame(pl.DataFrame({"hours": values, "sex": np.resize(SEX, len(values))})))
    assert found.schema.attributes["hours"].missing == ()
    assert f"add missing = [{code}]" in " ".join(found.reasons["hours"])


@pytest.mark.parametrize(
    "values", [[*range(50, 100)], [-5, -3, -1, *range(20)] * 2 + [-40], [*[1, 2, 3] * 10, 9], [*range(1, 10)] * 5]
)
def test_values_that_are_no_codes_of_missing_ones_are_left_alone(values):
    found = infer_schema(Microdata.from_frame(pl.DataFrame({"hours": values, "sex": np.resize(SEX, len(values))})))
    assert found.schema.attributes["hours"].missing == ()
    assert "missing" not in " ".join(found.reasons["hours"])


def test_a_label_names_a_missing_value_and_a_weight():
    schema = Schema.from_dict(
        {
            "attributes": {
                "q1": {"value_labels": {"1": "yes", "2": "no", "8": "Refused", "9": "No answer"}},
                "v7": {"label": "Design weight, post-stratified"},
                "v8": {"label": "Body weight in kg"},
            }
        }
    )
    frame = pl.DataFrame(
        {"q1": np.resize([1, 2, 8, 9], N), "v7": RNG.uniform(0.5, 2, N), "v8": RNG.uniform(40, 99, N), "sex": SEX}
    )
    found = infer_schema(Microdata.from_frame(frame, schema=schema))
    assert found.schema.attributes["q1"].missing == (8, 9)
    assert found.schema.attributes["v7"].role is Role.WEIGHT
    assert found.schema.attributes["v8"].role is not Role.WEIGHT
    assert 'label contains "weight"' in " ".join(found.reasons["v7"])


@pytest.mark.parametrize("name", ["pspwght", "dweight", "finalwgt"])
def test_endings_of_survey_weights_are_known(name):
    assert guess(RNG.uniform(0.5, 2, N), name)[0] is Role.WEIGHT


def test_many_codes_are_categories_with_a_tree_of_their_digits():
    codes = RNG.choice([1111 + 37 * number for number in range(60)], N)
    role, kind, why = guess(codes, "isco08")
    assert (role, kind) == (Role.KEY, Kind.PARTIALLY_ORDERED)
    assert "probably category codes" in why
    assert guess(RNG.integers(1000, 9000, N), "hours")[1] is not Kind.PARTIALLY_ORDERED


def test_attributes_of_households_are_proposed():
    households = np.repeat(np.arange(60), 3)
    frame = pl.DataFrame({"hid": households, "region": households % 4, "sex": np.resize(SEX, 180)})
    found = infer_schema(Microdata.from_frame(frame))
    assert 'level = "household"' in found.schema.to_toml()
    assert "equal within every household" in found.reasons["region"]
    assert found.schema.attributes["sex"].level is None


@pytest.mark.parametrize("name", ["COEFF", "perwt", "pond_ponderation", "PHRF", "WTFINL"])
def test_survey_weights_are_known_by_the_names_that_offices_give_them(name):
    assert guess(RNG.uniform(50, 400, N), name)[0] is Role.WEIGHT


@pytest.mark.parametrize("name", ["HHNUM", "hhnr", "hh_id", "HHSERIAL"])
def test_household_numbers_are_known_by_the_names_that_offices_give_them(name):
    assert guess(RNG.integers(1, 90, N), name)[0] is Role.HOUSEHOLD


def test_ascending_numbers_with_gaps_that_few_neighbours_share_are_those_of_households():
    households = np.sort(RNG.choice(600, 400, replace=False)).repeat(RNG.integers(1, 6, 400))
    assert guess(households)[0] is Role.HOUSEHOLD
    assert guess(np.sort(RNG.integers(1, 10**6, 400)).repeat(2))[0] is not Role.HOUSEHOLD  # sorted amounts


def test_numbers_that_start_again_in_each_household_say_nothing_about_a_person():
    numbers = np.concatenate([np.arange(1, size + 1) for size in RNG.integers(1, 6, N)])
    assert guess(numbers, "person_no")[0] is Role.OTHER


@pytest.mark.parametrize("form", ["%m/%d/%Y", "%d.%m.%Y", "%d/%m/%Y"])
def test_dates_are_no_telephone_numbers(form):
    days = pl.date_range(date(1950, 1, 1), date(1950, 7, 19), eager=True).dt.strftime(form)
    assert guess(days.to_list(), "DOB")[0] is Role.KEY


def test_a_code_below_zero_among_amounts_is_proposed_as_missing():
    amounts = np.where(np.arange(N) % 10 == 0, -9, RNG.uniform(100, 5000, N).round(2))
    found = infer_schema(Microdata.from_frame(pl.DataFrame({"pay": amounts, "sex": SEX})))
    assert found.schema.attributes["pay"].missing == (-9,)


def test_several_codes_above_a_scale_are_named_as_possibly_missing():
    scale = RNG.choice([*range(11), 77, 88, 99], N)
    found = infer_schema(Microdata.from_frame(pl.DataFrame({"trust": scale, "sex": SEX})))
    assert found.schema.attributes["trust"].missing == ()
    assert "missing = [77, 88, 99]" in " ".join(found.reasons["trust"])


def test_the_label_says_what_a_short_name_does_not():
    ages = pl.DataFrame({"agea": RNG.integers(15, 95, N)})
    schema = Schema.from_dict({"attributes": {"agea": {"label": "Age of respondent, calculated"}}})
    found = infer_schema(Microdata.from_frame(ages, schema=schema))
    assert (found.schema.attributes["agea"].role, found.schema.attributes["agea"].kind) == (Role.KEY, Kind.DISCRETE)
