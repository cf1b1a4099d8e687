"""Panels in long form: series and back, in any order of rows, and what is refused."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.errors import SchemaError
from sdckit.microdata import Microdata
from sdckit.panel import Panel


def long_file(units=4, years=(2019, 2020, 2021), seed=1, drop=()) -> Microdata:
    """One row for each unit and year, shuffled; `drop` are rows that are left out."""
    rng = np.random.default_rng(seed)
    rows = [(f"u{unit}", year, 10.0 * unit + year - 2019) for unit in range(units) for year in years]
    rows = [row for number, row in enumerate(rows) if number not in drop]
    rng.shuffle(rows)
    frame = pl.DataFrame(rows, schema=["person id", "year", "income"], orient="row")
    return Microdata.from_frame(frame, roles={"income": "key", "year": "other", "person id": "other"})


@given(st.integers(0, 100), st.sets(st.integers(0, 11), max_size=6))
def test_series_come_back_as_rows_whatever_the_order(seed, drop):
    data = long_file(seed=seed, drop=drop)
    panel = Panel.of(data, "person id", "year")
    series = panel.series(data.matrix(["income"]))
    assert np.array_equal(panel.rows(series), data.matrix(["income"]))
    assert (~np.isnan(series)).sum() == len(data)
    steps = np.diff(series[:, :, 0], axis=1)
    if not drop:
        assert series.shape == (4, 3, 1) and (steps == 1).all()
    assert (steps[~np.isnan(steps)] >= 1).all()


def test_without_a_time_rows_are_in_their_order():
    data = long_file()
    panel = Panel.of(data, "person id")
    assert panel.times == 3
    first = panel.series(data.matrix(["year"]))[0, :, 0]
    own = data.columns["person id"] == data.columns["person id"][np.flatnonzero(panel.unit == 0)[0]]
    assert first.tolist() == data.columns["year"][own].tolist()


def test_a_row_without_a_unit_is_a_unit_of_its_own():
    frame = pl.DataFrame({"id": ["a", None, "a", None], "year": [1, 1, 2, 1], "x": [1.0, 2, 3, 4]})
    panel = Panel.of(Microdata.from_frame(frame), "id", "year")
    assert panel.units == 3
    assert panel.unit[0] == panel.unit[2] and len(set(panel.unit[[0, 1, 3]])) == 3


def test_the_mean_over_the_rows_of_a_unit():
    frame = pl.DataFrame({"id": ["a", "b", "a"], "x": [1.0, 2, 3]})
    panel = Panel.of(Microdata.from_frame(frame), "id")
    assert sorted(panel.mean_of_units(np.array([1.0, 2, 3]))) == [2.0, 2.0]


def test_what_is_no_panel_is_refused_with_the_cure():
    frame = pl.DataFrame({"id": ["a", "a", "b"], "year": [1, 1, 2], "sex": ["f", "m", "f"], "gap": [1, None, 2]})
    data = Microdata.from_frame(frame)
    with pytest.raises(SchemaError, match="1 rows have the same 'id' and 'year' as another row"):
        Panel.of(data, "id", "year")
    with pytest.raises(SchemaError, match="'sex' is unordered and cannot be a time"):
        Panel.of(data, "id", "sex")
    with pytest.raises(SchemaError, match="'gap' is missing in 1 rows"):
        Panel.of(data, "id", "gap")
