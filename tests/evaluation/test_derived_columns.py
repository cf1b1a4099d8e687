"""A masked attribute that unchanged columns show is named with them, and no other one is."""

import numpy as np
import pytest

from sdckit.evaluation.derived_columns import derived_columns
from sdckit.evaluation.release_warnings import release_warnings
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import Release, protect
from sdckit.row_order import shuffled

RECORDS = 400


def a_household_file(seed: int = 0) -> Microdata:
    """People with a day of birth and an age, parts and a total, a tax, a ratio, and weights by region."""
    rng = np.random.default_rng(seed)
    born = rng.integers(0, 25_000, RECORDS).astype(float)
    wages, rents = rng.lognormal(10, 0.6, RECORDS), rng.lognormal(8, 1, RECORDS)
    region = rng.integers(0, 5, RECORDS)
    columns = {
        "born": born,
        "age": np.floor(100 - born / 365.25),
        "wages": wages,
        "rents": rents,
        "total": wages + rents,
        "tax": np.round(0.3 * rents, 1),
        "ratio": wages / rents,
        "height": rng.normal(170, 9, RECORDS),
        "related": wages * rng.lognormal(0, 0.2, RECORDS),
        "weight": np.array([11.5, 7.25, 30.0, 18.0, 2.5])[region],
    }
    numbers = [Attribute(name, Kind.CONTINUOUS, Role.WEIGHT if name == "weight" else Role.OTHER) for name in columns]
    letters = tuple("abcde")
    coded = [Attribute(name, Kind.UNORDERED, Role.KEY, letters) for name in ("region", "district")]
    coded.append(Attribute("sex", Kind.UNORDERED, Role.KEY, ("f", "m")))
    district = np.where(region < 2, region, 2)  # coarser than the region
    more = {"region": region, "district": district, "sex": rng.integers(0, 2, RECORDS)}
    return Microdata((*numbers, *coded), {**columns, **more})


FILE = a_household_file()


def shown(masked: list[str], file: Microdata = FILE) -> dict[str, set[str]]:
    """The masked attributes that are shown, with the columns that show them."""
    columns = {}
    rng = np.random.default_rng(1)
    for name in masked:
        values = file.columns[name]
        columns[name] = (
            rng.permutation(values) if file.attribute(name).coded else values + rng.normal(0, 1, len(values))
        )
    release = Release.in_order(file, file.with_columns(columns))
    assert {each.attribute for each in derived_columns(shuffled(release))} == {
        each.attribute for each in derived_columns(release)
    }
    return {each.attribute: set(each.columns) for each in derived_columns(release)}


@pytest.mark.parametrize(
    ("masked", "expected"),
    [
        (["age"], {"age": {"born"}}),
        (["rents"], {"rents": {"tax"}}),
        (["wages", "ratio"], {"wages": {"total", "rents"}}),
        (["rents", "tax"], {"rents": {"wages", "total"}, "tax": {"wages", "total"}}),
        (["wages", "rents", "tax", "ratio"], {}),
        (["region"], {"region": {"weight"}}),
        (["district"], {"district": {"weight"}}),
        (["region", "weight"], {}),
        (["sex"], {}),
        (["height"], {}),
        (["related"], {}),
    ],
)
def test_a_derived_attribute_is_named_with_the_columns_that_show_it(masked, expected):
    assert shown(masked) == expected


def test_a_product_shows_its_factors():
    product = FILE.without(["total", "tax"])
    assert shown(["rents"], product) == {"rents": {"wages", "ratio"}}
    assert shown(["ratio"], product) == {"ratio": {"wages", "rents"}}


def test_the_warning_names_the_columns_and_what_to_do():
    release = Release.in_order(FILE, FILE.with_columns({"age": FILE.columns["age"] + 1}))
    warning = next(each for each in release_warnings(release) if "'born'" in each)
    assert "'age' is masked" in warning
    assert "mask both" in warning


def test_a_column_that_numbers_the_records_shows_nothing_by_itself():
    """Values that are all distinct say nothing of other columns, unless these are ordered by them."""
    rng = np.random.default_rng(2)
    file = FILE.with_columns({"born": rng.permutation(RECORDS).astype(float)})
    assert shown(["age", "region", "weight", "district"], file) == {}


def test_few_records_or_unknown_rows_show_nothing():
    few = FILE.take(np.arange(20))
    assert shown(["age"], few) == {}
    assert derived_columns(Release(FILE, FILE.with_columns({"age": FILE.columns["age"] + 1}))) == ()


def test_holes_and_samples_are_looked_through():
    born = np.where(np.arange(RECORDS) % 3 == 0, np.nan, FILE.columns["born"])
    assert shown(["age"], FILE.with_columns({"born": born})) == {"age": {"born"}}
    sample = protect(FILE, ["simple-sampling:share=0.5"], seed=1)
    masked = sample.masked.with_columns({"age": sample.masked.columns["age"] + 1})
    release = Release(FILE, masked, rows=sample.rows)
    assert [each.columns for each in derived_columns(release)] == [("born",)]
