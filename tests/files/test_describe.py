"""A first look at a file, checked by hand."""

import json
from datetime import date

import numpy as np
import polars as pl

from sdckit.edits import Edit, Edits
from sdckit.files.describe import describe, outliers
from sdckit.files.infer_schema import Guess
from sdckit.microdata import Microdata
from sdckit.schema import Schema

FILE = Microdata.from_frame(
    pl.DataFrame(
        {
            "name": ["Ann", "Bob", "Cy", "Di", "Ed", "Flo"],
            "sex": [1, 1, 1, 2, 2, None],
            "town": ["Ely", "Ely", "Ur", "Ur", "Ur", "Ur"],
            "pay": [10.0, 10.0, 12.0, 11.0, None, 500.0],
            "born": [date(2000, 1, 1), date(2000, 1, 1), date(2000, 1, 2), date(2000, 1, 3), None, date(2001, 1, 1)],
        }
    ),
    roles={"name": "identifier", "sex": "key", "town": "key", "pay": "confidential"},
    kinds={"sex": "unordered"},
    edits=Edits((Edit({"pay": 1}, high=100),)),
)
AS_DECLARED = Guess(Schema.of(FILE), {})


def test_the_file_by_hand():
    description = describe(FILE, AS_DECLARED)
    assert (description.records, description.keys) == (6, ("sex", "town"))
    assert description.combinations == 4  # (1, Ely) twice, (1, Ur), (2, Ur) twice, (missing, Ur)
    assert description.uniques == 2 and description.uniques_share == 2 / 6
    assert description.records_by_combination_size == ((1, 2), (2, 4), (3, 0), (4, 0), (5, 0))
    assert description.duplicates == 1  # Bob repeats Ann but for the name
    assert description.edits_broken == {"pay ≤ 100": 1}


def test_the_attributes_by_hand():
    description = {each.name: each for each in describe(FILE, AS_DECLARED).attributes}
    assert (description["pay"].minimum, description["pay"].median, description["pay"].maximum) == (10, 11, 500)
    assert (description["pay"].missing, description["pay"].distinct, description["pay"].outliers) == (1, 4, 1)
    assert description["town"].top == (("Ur", 4), ("Ely", 2))
    assert description["sex"].top == (("1", 3), ("2", 2)) and description["sex"].missing_share == 1 / 6
    assert (description["born"].minimum, description["born"].maximum) == ("2000-01-01", "2001-01-01")


def test_a_description_is_ready_for_json():
    text = json.dumps(describe(FILE).to_dict(), allow_nan=False)
    assert json.loads(text)["records"] == 6


def test_every_guess_has_reasons():
    assert all(each.reasons for each in describe(FILE).attributes)


def test_outliers_by_hand():
    assert outliers(np.array([1.0, 2, 3, 4, 5, 100])) == 1
    assert outliers(np.array([1.0, 2, 3, 4, 5, 6])) == 0
    assert outliers(np.array([5.0])) == 0
    assert outliers(np.full(9, 5.0)) == 0
    assert outliers(np.array([0.0] * 20 + [9])) == 1  # the median deviation is zero: the mean one decides


def test_outliers_do_not_depend_on_location_and_scale():
    values = np.random.default_rng(1).lognormal(size=500)
    assert outliers(values) == outliers(7 - 3 * values) > 0


def test_empty_columns_and_single_records_are_described():
    description = describe(
        Microdata.from_frame(pl.DataFrame({"x": [None], "y": [1.0]}, schema={"x": pl.Float64, "y": float}))
    )
    assert description.attributes[0].missing_share == 1 and description.attributes[0].minimum is None
    json.dumps(description.to_dict(), allow_nan=False)


def test_value_labels_are_shown():
    from sdckit.microdata import Kind
    from sdckit.schema import Declared

    schema = Schema({"sex": Declared(kind=Kind.UNORDERED, value_labels={"1": "male"})})
    file = Microdata.from_frame(pl.DataFrame({"sex": [1, 1, 2]}), schema=schema)
    assert describe(file).attributes[0].top == (("1 (male)", 2), ("2", 1))
